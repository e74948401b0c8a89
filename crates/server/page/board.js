// The board as a picture that can be pointed at: an ARIA grid with one tab stop. It knows no rules and no game; it
// draws what it is given and tells which squares were picked, dragged or pointed at.

/** @import { Cells, Side } from "./types.js" */
import { make } from "./dom.js";
import { squareLabel } from "./labels.js";
import { pieceImage } from "./pieces.js";
import { listenToPointer } from "./pointer.js";
import { SQUARES, fileOf, indexOf, isPiece, rankOf, squareAt } from "./squares.js";

/**
 * @typedef {object} Picture
 * @property {Cells} cells
 * @property {Side | null} viewer whose view it is; null is the truth
 * @property {string} darkness the word for a square that is not seen
 * @property {Side} bottom
 * @property {string | null} [selected]
 * @property {Set<string>} [targets]
 * @property {string[]} [last] squares of the last move that the viewer knows
 * @property {Set<string>} [changed] squares where something else was seen to change
 * @property {string[]} [premove]
 * @property {string[]} [hint]
 * @property {Map<string, {piece: string, age: number}>} [ghosts]
 * @property {Record<string, string>} [marks]
 * @property {Set<string>} [window]
 * @property {Map<string, number> | null} [heat] probabilities
 */

/**
 * @typedef {object} Handlers
 * @property {(square: string, touch: boolean) => void} [onPick]
 * @property {(square: string) => void} [onLift] a man is taken up to be dragged
 * @property {(from: string, to: string) => void} [onDrop]
 * @property {(square: string) => boolean} [canDrag]
 * @property {(square: string | null) => void} [onPoint]
 * @property {() => void} [onCancel] a press that came to nothing
 * @property {() => void} [onEscape]
 */

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

export class Board {
  /**
   * @param {string} label
   * @param {Handlers} handlers
   */
  constructor(label, handlers = {}) {
    this.handlers = handlers;
    this.element = make("div", {
      class: "board",
      role: "grid",
      "aria-label": label,
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
    });
    /** @type {Map<string, HTMLElement>} */
    this.squares = new Map();
    /** What each square shows now, so that only changes are drawn. @type {Map<string, string>} */
    this.shown = new Map();
    /** @type {Side | null} */
    this.bottom = null;
    this.focus = "e2";
    this.element.addEventListener("focusin", (event) => {
      const square = event.target instanceof HTMLElement ? event.target.dataset.square : undefined;
      if (square) this.setTabStop(square);
    });
    listenToPointer(this);
  }

  /** @param {string} label */
  setLabel(label) {
    this.element.setAttribute("aria-label", label);
  }

  /** @param {Picture} picture */
  render(picture) {
    if (this.bottom !== picture.bottom) this.build(picture.bottom);
    for (const square of SQUARES) this.renderSquare(square, picture);
  }

  /** @param {Side} bottom */
  build(bottom) {
    if (this.bottom === null && bottom === "black") this.focus = "e7";
    this.bottom = bottom;
    this.shown.clear();
    const ranks = bottom === "white" ? [7, 6, 5, 4, 3, 2, 1, 0] : [0, 1, 2, 3, 4, 5, 6, 7];
    const rows = ranks.map((rank) =>
      make("div", { role: "row", class: "row" }, ...[...ranks].reverse().map((file) => this.buildSquare(file, rank))),
    );
    this.element.replaceChildren(...rows);
  }

  /**
   * @param {number} file
   * @param {number} rank
   */
  buildSquare(file, rank) {
    const square = SQUARES[8 * rank + file];
    const element = make("div", { role: "gridcell", "data-square": square, tabIndex: square === this.focus ? 0 : -1 });
    this.squares.set(square, element);
    return element;
  }

  /**
   * @param {string} square
   * @param {Picture} picture
   */
  renderSquare(square, picture) {
    const element = this.squares.get(square);
    if (!element) return;
    const classes = squareClasses(square, picture);
    const label = squareLabel(square, picture);
    const [layers, key] = squareLayers(square, picture);
    const before = this.shown.get(square);
    const now = `${classes}|${label}|${key}`;
    if (before === now) return;
    this.shown.set(square, now);
    element.className = classes;
    element.setAttribute("aria-label", label);
    element.setAttribute("aria-selected", String(picture.selected === square));
    if (before?.split("|")[2] !== key || before === undefined) element.replaceChildren(...layers());
  }

  /**
   * Lets the man that now stands on a square come from another.
   * @param {string} from
   * @param {string} to
   */
  slide(from, to) {
    const man = this.squares.get(to)?.querySelector(".man");
    const start = this.squares.get(from)?.getBoundingClientRect();
    const end = this.squares.get(to)?.getBoundingClientRect();
    if (!man || !start || !end || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    man.animate([{ transform: `translate(${start.x - end.x}px, ${start.y - end.y}px)` }, { transform: "none" }], {
      duration: 160,
      easing: "ease-out",
    });
  }

  /**
   * Makes a square the one tab stop.
   * @param {string} square
   */
  setTabStop(square) {
    this.squares.get(this.focus)?.setAttribute("tabindex", "-1");
    this.focus = square;
    this.squares.get(square)?.setAttribute("tabindex", "0");
  }

  /** @param {string} square */
  moveFocus(square) {
    this.setTabStop(square);
    this.squares.get(square)?.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const arrow = ARROWS[event.key];
    if (arrow) {
      const turn = this.bottom === "white" ? 1 : -1;
      const next = squareAt(fileOf(this.focus) + turn * arrow[0], rankOf(this.focus) + turn * arrow[1]);
      if (next) this.moveFocus(next);
      if (next) this.handlers.onPoint?.(next);
    } else if (event.key === "Enter" || event.key === " ") {
      this.handlers.onPick?.(this.focus, false);
    } else if (event.key === "Escape") {
      this.handlers.onEscape?.();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

/**
 * @param {string} square
 * @param {Picture} picture
 * @returns {string}
 */
function squareClasses(square, picture) {
  const cell = picture.cells[indexOf(square)];
  const flags = {
    fog: cell === "?",
    selected: picture.selected === square,
    target: picture.targets?.has(square),
    taken: picture.targets?.has(square) && isPiece(cell),
    last: picture.last?.includes(square),
    changed: picture.changed?.has(square),
    premove: picture.premove?.includes(square),
    hint: picture.hint?.includes(square),
    window: picture.window?.has(square),
  };
  const set = Object.entries(flags)
    .filter(([, on]) => on)
    .map(([name]) => name);
  const shade = (fileOf(square) + rankOf(square)) % 2 === 0 ? "dark" : "light";
  return ["square", shade, ...set].join(" ");
}

/**
 * What lies on a square, from the ground up, and a key that changes when it does.
 * @param {string} square
 * @param {Picture} picture
 * @returns {[() => Element[], string]}
 */
function squareLayers(square, picture) {
  const cell = picture.cells[indexOf(square)];
  const ghost = cell === "?" ? picture.ghosts?.get(square) : undefined;
  const guess = isPiece(cell) ? undefined : picture.marks?.[square];
  const heat = picture.heat?.get(square) ?? 0;
  const rank = fileOf(square) === (picture.bottom === "white" ? 0 : 7) ? square[1] : "";
  const file = rankOf(square) === (picture.bottom === "white" ? 0 : 7) ? square[0] : "";
  const key = [cell, ghost?.piece, ghost?.age, guess, heat.toFixed(3)].join(" ");
  const layers = () => {
    /** @type {Element[]} */
    const found = [];
    if (rank) found.push(make("span", { class: "rank", "aria-hidden": "true" }, rank));
    if (file) found.push(make("span", { class: "file", "aria-hidden": "true" }, file));
    if (heat >= 0.005) found.push(heatLayer(heat));
    if (isPiece(cell)) found.push(pieceImage(cell));
    else if (guess) found.push(make("span", { class: "mark", "aria-hidden": "true" }, pieceImage(guess)));
    else if (ghost) found.push(ghostLayer(ghost));
    return found;
  };
  return [layers, key];
}

/** @param {{piece: string, age: number}} ghost */
function ghostLayer(ghost) {
  const picture = pieceImage(ghost.piece);
  picture.style.opacity = String(Math.max(0.45, 0.85 - 0.04 * ghost.age));
  return make("span", { class: "ghost", "aria-hidden": "true" }, picture, make("b", {}, String(ghost.age)));
}

/** @param {number} heat a probability */
function heatLayer(heat) {
  const ground = make("i", {});
  ground.style.opacity = String(0.12 + 0.63 * Math.sqrt(heat));
  return make(
    "span",
    { class: "heat", "aria-hidden": "true" },
    ground,
    make("b", {}, String(Math.max(1, Math.round(100 * heat)))),
  );
}
