// The pencil: a palette of enemy men to put on the board as guesses.

/** @import { Side } from "./types.js" */
import { fill, make } from "./dom.js";
import { clearMarks, mark } from "./marks.js";
import { pieceImage } from "./pieces.js";
import { kindName } from "./squares.js";

export class Pencil {
  /**
   * @param {string} id of the game
   * @param {Side} enemy
   * @param {() => void} onChange
   */
  constructor(id, enemy, onChange) {
    this.id = id;
    this.onChange = onChange;
    this.active = false;
    this.men = ["p", "n", "b", "r", "q", "k"].map((kind) => (enemy === "white" ? kind.toUpperCase() : kind));
    this.piece = this.men[0];
    this.palette = make("div", { class: "palette" });
    this.switch = make(
      "button",
      { type: "button", class: "pencil-switch", "aria-pressed": "false", onclick: () => this.toggle() },
      "✎ Pencil",
    );
    this.element = make("section", { class: "pencil", "aria-label": "Pencil marks" }, this.switch, this.palette);
    this.render();
  }

  toggle() {
    this.active = !this.active;
    this.render();
    this.onChange();
  }

  render() {
    this.switch.setAttribute("aria-pressed", String(this.active));
    this.palette.hidden = !this.active;
    const men = this.men.map((piece) =>
      make(
        "button",
        {
          type: "button",
          "aria-label": `Pencil a ${kindName(piece)}`,
          "aria-pressed": String(piece === this.piece),
          onclick: () => this.choose(piece),
        },
        pieceImage(piece),
      ),
    );
    const clear = make("button", { type: "button", class: "clear", onclick: () => this.clear() }, "Clear all");
    fill(
      this.palette,
      ...men,
      clear,
      make("p", { class: "note" }, "Pick a man, then squares. The same again rubs it out."),
    );
  }

  /** @param {string} piece */
  choose(piece) {
    this.piece = piece;
    this.render();
  }

  clear() {
    clearMarks(this.id);
    this.onChange();
  }

  /** @param {string} square */
  put(square) {
    mark(this.id, square, this.piece);
    this.onChange();
  }
}
