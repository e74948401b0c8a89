// What happened between two views of one player, as far as she can tell: for the words, the sounds, the highlights and
// the sliding men. Whatever is not in the two views is not in here.

/** @import { Cells, Side } from "./types.js" */
import { SQUARES, isOf, isPiece, other, pieceName } from "./squares.js";

/**
 * @typedef {object} Change
 * @property {{square: string, piece: string}[]} lost own men that are gone
 * @property {{square: string, piece: string}[]} appeared enemy men seen where none was seen before
 * @property {{square: string, piece: string}[]} left enemy men that are seen to be gone
 */

/**
 * @param {Cells} before
 * @param {Cells} after an opponent's ply
 * @param {Side} side
 * @returns {Change}
 */
export function compare(before, after, side) {
  /** @type {Change} */
  const change = { lost: [], appeared: [], left: [] };
  SQUARES.forEach((square, index) => {
    const [was, is] = [before[index], after[index]];
    if (was === is) return;
    if (isOf(was, side)) change.lost.push({ square, piece: was });
    if (isOf(is, other(side))) change.appeared.push({ square, piece: is });
    if (isOf(was, other(side)) && !isPiece(is) && is !== "?") change.left.push({ square, piece: was });
  });
  return change;
}

/**
 * The one enemy man that was seen to go from one square to another: both squares were seen before and after.
 * @param {Cells} before
 * @param {Change} change
 * @returns {[string, string] | null}
 */
export function seenMove(before, change) {
  const [left, ...others] = change.left;
  if (!left || others.length > 0) return null;
  const arrived = change.appeared.filter(
    ({ square, piece }) => piece === left.piece && before[SQUARES.indexOf(square)] !== "?",
  );
  return arrived.length === 1 ? [left.square, arrived[0].square] : null;
}

/** @param {Change} change @returns {Set<string>} */
export function changedSquares(change) {
  return new Set([...change.lost, ...change.appeared, ...change.left].map(({ square }) => square));
}

/**
 * @param {Change} change
 * @returns {string} "You lost the white pawn on e5. Black knight seen on f6."
 */
export function changeWords(change) {
  const lost = change.lost.map(({ square, piece }) => `You lost the ${pieceName(piece).split(" ")[1]} on ${square}.`);
  const appeared = change.appeared.map(({ square, piece }) => `${capital(pieceName(piece))} seen on ${square}.`);
  return [...lost, ...appeared].join(" ");
}

/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
