// The list of moves: what the player knows of each ply, and the way back and forth through her past views.

/** @import { LogEntry } from "./types.js" */
import { fill, make } from "./dom.js";
import { kindOf } from "./entries.js";

/** @typedef {Pick<LogEntry, "ply" | "side" | "move" | "san" | "text" | "refused" | "sensed">} Item */

export class MoveList {
  /** @param {(shown: number) => void} onStep gets the number of entries that have happened */
  constructor(onStep) {
    this.onStep = onStep;
    this.length = 0;
    this.shown = 0;
    this.list = make("ol", { class: "moves", tabIndex: 0, "aria-label": "Moves; arrow keys step through them" });
    const step = (/** @type {string} */ name, /** @type {string} */ sign, /** @type {() => number} */ to) =>
      make(
        "button",
        { type: "button", class: "step", "aria-label": name, title: name, onclick: () => this.go(to()) },
        sign,
      );
    this.element = make(
      "section",
      { class: "movelist", "aria-label": "Moves" },
      this.list,
      make(
        "div",
        { class: "steps" },
        step("First", "«", () => 0),
        step("Back", "‹", () => this.shown - 1),
        step("Forward", "›", () => this.shown + 1),
        step("Last", "»", () => this.length),
      ),
    );
    this.onKey = this.key.bind(this);
    document.addEventListener("keydown", this.onKey);
  }

  stop() {
    document.removeEventListener("keydown", this.onKey);
  }

  /** @param {number} to */
  go(to) {
    const bounded = Math.max(0, Math.min(this.length, to));
    if (bounded !== this.shown) this.onStep(bounded);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || document.querySelector("dialog[open]")) return;
    if (
      event.target instanceof Element &&
      event.target.closest("input:not([type=radio]), select, textarea, [role=grid], .choices")
    )
      return;
    const to = { ArrowLeft: this.shown - 1, ArrowRight: this.shown + 1, Home: 0, End: this.length }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.go(to);
  }

  /**
   * @param {Item[]} items
   * @param {number} shown
   */
  render(items, shown) {
    const grown = items.length !== this.length;
    this.length = items.length;
    if (grown) fill(this.list, ...items.map((item, index) => this.entry(item, index, items)));
    this.shown = shown;
    const entries = this.list.children;
    for (let index = 0; index < entries.length; index += 1) {
      if (index === shown - 1) entries[index].setAttribute("aria-current", "true");
      else entries[index].removeAttribute("aria-current");
    }
    this.scroll(entries[shown - 1]);
  }

  /** @param {Element | undefined} entry */
  scroll(entry) {
    if (!(entry instanceof HTMLElement)) {
      this.list.scrollTop = 0;
      return;
    }
    const top = entry.offsetTop - this.list.offsetTop;
    if (top < this.list.scrollTop || top + entry.offsetHeight > this.list.scrollTop + this.list.clientHeight) {
      this.list.scrollTop = top - this.list.clientHeight / 2;
    }
  }

  /**
   * @param {Item} item
   * @param {number} index
   * @param {Item[]} items
   */
  entry(item, index, items) {
    const { word, note } = describe(item);
    const kind = kindOf(item);
    const numbered =
      kind === "ply" && (item.side === "white" || !items.slice(0, index).some((each) => kindOf(each) === "ply"));
    const number = numbered ? `${Math.ceil(item.ply / 2)}${item.side === "white" ? "." : "…"}` : "";
    return make(
      "li",
      { class: `${kind} ${item.side}`, onclick: () => this.go(index + 1) },
      make("span", { class: "number" }, number),
      make("span", { class: "word" }, word),
      note ? make("span", { class: "note" }, note) : null,
    );
  }
}

/**
 * @param {Item} item
 * @returns {{word: string, note: string}}
 */
function describe(item) {
  const move = item.san ?? item.move ?? "…";
  switch (kindOf(item)) {
    case "refused":
      return { word: `${move} ✗`, note: item.text };
    case "question":
      return { word: "Any?", note: item.text };
    case "look":
      return { word: `looked at ${item.sensed?.square ?? item.move ?? "nothing"}`, note: "" };
    default:
      return { word: move, note: item.text.replace(/^(White|Black) to move(\. )?/, "") };
  }
}
