// Two states of one game: which of them is news. A move's state comes twice, as the answer and by the socket, in
// either order, and an answer may come after the socket has told what followed.

/** @import { State } from "./types.js" */

/**
 * Whether a state is from before another one.
 * @param {State} next
 * @param {State} known
 */
export function isOlder(next, known) {
  return next.log.length < known.log.length || (known.result !== null && next.result === null);
}

/**
 * Whether two states tell the same. The clock is not compared: it runs while nothing else changes.
 * @param {State} next
 * @param {State} known
 */
export function isSame(next, known) {
  return content(next) === content(known);
}

/** @param {State} state */
const content = (state) => JSON.stringify({ ...state, clock: null, secret: null });
