// Words for squares: what a screen reader says of each, and nothing that the picture does not show.

/** @import { Picture } from "./board.js" */
import { indexOf, isPiece, pieceName, sideOf } from "./squares.js";

/**
 * "e4, fog", "e5, black knight, seen now", "d2, white pawn".
 * @param {string} square
 * @param {Picture} picture
 * @returns {string}
 */
export function squareLabel(square, picture) {
  const words = [square, ...content(square, picture)];
  if (picture.selected === square) words.push("selected");
  if (picture.targets?.has(square)) words.push("can go here");
  if (picture.premove?.includes(square)) words.push("premove");
  if (picture.window?.has(square)) words.push("in the window");
  const heat = picture.heat?.get(square);
  if (heat) words.push(`${Math.round(100 * heat)} percent`);
  return words.join(", ");
}

/**
 * @param {string} square
 * @param {Picture} picture
 * @returns {string[]}
 */
function content(square, picture) {
  const cell = picture.cells[indexOf(square)];
  if (cell === "") return ["empty"];
  if (isPiece(cell)) {
    const enemy = picture.viewer !== null && sideOf(cell) !== picture.viewer;
    return enemy ? [pieceName(cell), "seen now"] : [pieceName(cell)];
  }
  const words = [picture.darkness];
  const ghost = picture.ghosts?.get(square);
  if (ghost) words.push(`${pieceName(ghost.piece)} seen ${plies(ghost.age)} ago`);
  const guess = picture.marks?.[square];
  if (guess) words.push(`pencilled ${pieceName(guess)}`);
  return words;
}

/** @param {number} count */
const plies = (count) => (count === 1 ? "1 ply" : `${count} plies`);
