// Squares and boards: names, numbers, and reading the board field of a FEN with `?` for what is not seen.

/** @import { Cells, Side } from "./types.js" */

const FILES = "abcdefgh";

/** All squares from a1, b1 ... to h8. */
export const SQUARES = Array.from({ length: 64 }, (_, index) => FILES[index % 8] + (Math.floor(index / 8) + 1));

/** @param {string} square */
export const indexOf = (square) => FILES.indexOf(square[0]) + 8 * (Number(square[1]) - 1);

/** @param {string} square */
export const fileOf = (square) => FILES.indexOf(square[0]);

/** @param {string} square */
export const rankOf = (square) => Number(square[1]) - 1;

/**
 * @param {number} file
 * @param {number} rank
 * @returns {string | null} null off the board
 */
export function squareAt(file, rank) {
  return file < 0 || file > 7 || rank < 0 || rank > 7 ? null : SQUARES[8 * rank + file];
}

/** @param {Side} side @returns {Side} */
export const other = (side) => (side === "white" ? "black" : "white");

/** @param {string} piece a letter of FEN @returns {Side} */
export const sideOf = (piece) => (piece === piece.toUpperCase() ? "white" : "black");

/** @param {string} cell */
export const isPiece = (cell) => cell !== "" && cell !== "?";

/** @param {string} cell @param {Side} side */
export const isOf = (cell, side) => isPiece(cell) && sideOf(cell) === side;

/**
 * @param {string} fen whose board field may have `?`
 * @returns {Cells}
 */
export function parseBoard(fen) {
  const cells = Array(64).fill("?");
  const rows = fen.trim().split(/\s+/)[0].split("/");
  rows.forEach((row, top) => {
    let file = 0;
    for (const letter of row) {
      if (letter >= "1" && letter <= "8") {
        for (let count = Number(letter); count > 0; count -= 1) cells[8 * (7 - top) + file++] = "";
      } else {
        cells[8 * (7 - top) + file++] = letter === "*" ? "?" : letter;
      }
    }
  });
  return cells;
}

/**
 * Own men only: what a player sees in Kriegspiel and RBC.
 * @param {Cells} cells
 * @param {Side} side
 * @returns {Cells}
 */
export function ownMen(cells, side) {
  return cells.map((cell) => (isOf(cell, side) ? cell : "?"));
}

/**
 * The squares of the 3x3 window around one.
 * @param {string} centre
 * @returns {string[]}
 */
export function windowAround(centre) {
  return SQUARES.filter(
    (square) => Math.abs(fileOf(square) - fileOf(centre)) <= 1 && Math.abs(rankOf(square) - rankOf(centre)) <= 1,
  );
}

/** @type {Record<string, string>} */
const NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

/** @param {string} piece a letter of FEN */
export const kindName = (piece) => NAMES[piece.toLowerCase()] ?? "man";

/** @param {string} piece a letter of FEN */
export const pieceName = (piece) => `${sideOf(piece)} ${kindName(piece)}`;
