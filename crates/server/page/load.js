// Loading a record from a file or from text, for review. It goes to the server that is asked for its views and stays
// in memory there only as long as the answer takes.

import * as api from "./api.js";
import { make } from "./dom.js";

export class LoadPage {
  /** @param {(record: string, review: import("./types.js").Review) => void} onLoaded */
  constructor(onLoaded) {
    this.onLoaded = onLoaded;
    this.text = make("textarea", { rows: 10, spellcheck: false, placeholder: '[Event "…"]\n1. e4 e5 …' });
    this.problem = make("p", { class: "problem", role: "alert" });
    const file = make("input", {
      type: "file",
      accept: ".pgn,.json,.jsonl,.txt",
      onchange: () => this.read(file.files?.[0]),
    });
    this.element = make(
      "form",
      { class: "load", onsubmit: (/** @type {Event} */ event) => (event.preventDefault(), this.submit()) },
      make("h1", {}, "Load a game"),
      make("p", {}, "A PGN of Fog of War or Kriegspiel, a GameHistory of reconchess, or a game saved here."),
      make("label", { class: "field" }, make("span", {}, "File"), file),
      make("label", { class: "field" }, make("span", {}, "Or its text"), this.text),
      this.problem,
      make("div", { class: "buttons" }, make("button", { type: "submit", class: "main" }, "Review it")),
    );
  }

  close() {}

  /** @param {File | undefined} file */
  async read(file) {
    if (!file) return;
    this.text.value = await file.text();
    this.submit();
  }

  async submit() {
    const record = this.text.value;
    this.problem.textContent = "";
    if (!record.trim()) {
      this.problem.textContent = "There is nothing to load yet.";
      return;
    }
    try {
      this.onLoaded(record, await api.reviewRecord(record));
    } catch (error) {
      this.problem.textContent = error instanceof Error ? error.message : String(error);
    }
  }
}
