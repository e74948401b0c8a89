// Pencil marks: enemy men that the player guesses, kept in this browser for each game.

import { read, write } from "./store.js";

/** @typedef {Record<string, string>} Marks a letter of FEN by square */

/** @param {string} id @returns {Marks} */
export const marksOf = (id) => read(`marks.${id}`, {});

/**
 * Puts a guess on a square; the same guess again, or none, takes it off.
 * @param {string} id
 * @param {string} square
 * @param {string | null} piece
 * @returns {Marks}
 */
export function mark(id, square, piece) {
  const marks = marksOf(id);
  if (piece === null || marks[square] === piece) delete marks[square];
  else marks[square] = piece;
  write(`marks.${id}`, marks);
  return marks;
}

/** @param {string} id */
export function clearMarks(id) {
  write(`marks.${id}`, {});
}
