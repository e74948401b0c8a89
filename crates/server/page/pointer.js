// Mouse, pen and finger on a board: a short press picks a square, a longer way drags a man along.

/** @import { Board } from "./board.js" */

/** How far the pointer goes, in pixels, before a press becomes a drag. */
const SLACK = 5;

/**
 * @typedef {object} Drag
 * @property {string} from
 * @property {number} x
 * @property {number} y
 * @property {boolean} moving
 * @property {SVGElement | null} man
 */

/** @param {Board} board */
export function listenToPointer(board) {
  const element = board.element;
  /** @type {Drag | null} */
  let drag = null;

  const drop = () => {
    if (drag?.man) drag.man.style.transform = "";
    drag?.man?.classList.remove("dragged");
    drag = null;
    board.handlers.onPoint?.(null);
  };
  element.addEventListener("pointerdown", (event) => {
    const square = squareUnder(element, event);
    if (!square || event.button !== 0) return;
    const man = board.handlers.canDrag?.(square) ? board.squares.get(square)?.querySelector(":scope > .man") : null;
    drag = {
      from: square,
      x: event.clientX,
      y: event.clientY,
      moving: false,
      man: /** @type {SVGElement | null} */ (man ?? null),
    };
    element.setPointerCapture(event.pointerId);
  });
  element.addEventListener("pointermove", (event) => {
    if (!drag || drag.moving || event.pointerType === "mouse") board.handlers.onPoint?.(squareUnder(element, event));
    if (!drag?.man) return;
    const way = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.moving && Math.hypot(way[0], way[1]) < SLACK) return;
    if (!drag.moving) board.handlers.onLift?.(drag.from);
    drag.moving = true;
    drag.man.classList.add("dragged");
    drag.man.style.transform = `translate(${way[0]}px, ${way[1]}px)`;
  });
  element.addEventListener("pointerup", (event) => {
    if (!drag) return;
    const { from, moving } = drag;
    const to = squareUnder(element, event);
    drop();
    if (moving && to && to !== from) board.handlers.onDrop?.(from, to);
    else if (moving || (to && to !== from)) board.handlers.onCancel?.();
    else board.handlers.onPick?.(from, event.pointerType === "touch");
  });
  element.addEventListener("pointercancel", drop);
  element.addEventListener("pointerleave", () => board.handlers.onPoint?.(null));
}

/**
 * @param {HTMLElement} element
 * @param {PointerEvent} event
 * @returns {string | null}
 */
function squareUnder(element, event) {
  const under = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-square]");
  return under instanceof HTMLElement && element.contains(under) ? (under.dataset.square ?? null) : null;
}
