// Questions that stop everything else: confirm, promote. Native dialogs, so that focus and Escape behave.

/** @import { Side } from "./types.js" */
import { make } from "./dom.js";
import { pieceImage } from "./pieces.js";
import { kindName } from "./squares.js";

/**
 * Shows a dialog until one of its buttons or Escape ends it.
 * @template T
 * @param {string} title
 * @param {(answer: (value: T | null) => void) => Node[]} content
 * @param {string} [kind] a class
 * @returns {Promise<T | null>} null when it was left
 */
export function ask(title, content, kind = "") {
  return new Promise((resolve) => {
    /** @type {T | null} */
    let given = null;
    const heading = make("h2", { id: "dialog-title" }, title);
    const dialog = make("dialog", { class: kind, "aria-labelledby": "dialog-title" });
    const answer = (/** @type {T | null} */ value) => {
      given = value;
      dialog.close();
    };
    dialog.append(heading, ...content(answer));
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(given);
    });
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close();
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/**
 * @param {string} question
 * @param {string} yes what the button says that does it
 * @param {string} [more]
 * @returns {Promise<boolean>}
 */
export async function confirm(question, yes, more = "") {
  const given = await ask(question, (/** @type {(value: boolean | null) => void} */ answer) => [
    make("p", {}, more),
    make(
      "div",
      { class: "buttons" },
      make("button", { type: "button", onclick: () => answer(false) }, "Cancel"),
      make("button", { type: "button", class: "danger", onclick: () => answer(true) }, yes),
    ),
  ]);
  return given === true;
}

/**
 * @param {Side} side
 * @returns {Promise<string | null>} q, r, b or n
 */
export function askPromotion(side) {
  return ask(
    "Promote to",
    (/** @type {(value: string | null) => void} */ answer) => [
      make(
        "div",
        { class: "promotions" },
        ...["q", "n", "r", "b"].map((kind) =>
          make(
            "button",
            { type: "button", "aria-label": kindName(kind), "data-promotion": kind, onclick: () => answer(kind) },
            pieceImage(side === "white" ? kind.toUpperCase() : kind),
          ),
        ),
      ),
    ],
    "promotion",
  );
}

/**
 * A word at the edge of the page that goes away by itself.
 * @param {string} text
 */
export function toast(text) {
  const element = make("div", { class: "toast", role: "status" }, text);
  document.querySelectorAll(".toast").forEach((old) => old.remove());
  document.body.append(element);
  setTimeout(() => element.remove(), 6000);
}
