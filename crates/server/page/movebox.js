// The box for typed moves: UCI or SAN, a square to look at in RBC, `pass`, `any?`.

import { make } from "./dom.js";

export class MoveBox {
  /** @param {(text: string) => string | null} onEntry answers a problem, or null when the text was taken */
  constructor(onEntry) {
    this.problem = make("p", { class: "problem", id: "move-problem", role: "status" });
    this.input = make("input", {
      type: "text",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: false,
      "aria-describedby": "move-problem",
      placeholder: "e2e4 or Nf3",
      enterKeyHint: "go",
    });
    this.element = make(
      "form",
      {
        class: "movebox",
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          if (!this.input.value.trim()) return;
          const problem = onEntry(this.input.value);
          this.problem.textContent = problem ?? "";
          if (!problem) this.input.value = "";
        },
      },
      make("label", {}, make("span", {}, "Type a move"), this.input),
      make("button", { type: "submit" }, "Play"),
      this.problem,
    );
  }
}
