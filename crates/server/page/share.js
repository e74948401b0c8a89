// The link for the other person: the word in it opens the other seat once.

import { make } from "./dom.js";
import { read } from "./store.js";

/**
 * @param {string} id of a game
 * @returns {HTMLElement} empty when there is nobody to wait for
 */
export function shareLink(id) {
  const word = read(`join.${id}`, "");
  const element = make("section", { class: "share notice", "aria-label": "Invite", hidden: !word });
  if (!word) return element;
  const address = `${location.origin}/#/join/${id}/${word}`;
  const field = make("input", {
    type: "text",
    readOnly: true,
    value: address,
    "aria-label": "Link for the other player",
    onfocus: () => field.select(),
  });
  const copy = make("button", { type: "button", class: "main", onclick: () => copyText(field, copy) }, "Copy");
  element.append(
    make("p", {}, "Send this link to the other player. It works once."),
    make("div", { class: "copy" }, field, copy),
  );
  return element;
}

/**
 * @param {HTMLInputElement} field
 * @param {HTMLButtonElement} button
 */
async function copyText(field, button) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Press Ctrl+C";
  }
}
