// Moves as people give them: from square to square, onto the own rook, or as text. Nothing here knows what is legal;
// that is the list the server sends. Premoves use the men's way of moving on an empty board.

/** @import { Cells, Side } from "./types.js" */
import { SQUARES, fileOf, indexOf, isOf, isPiece, kindName, rankOf, sideOf } from "./squares.js";

/** @param {string} move UCI */
export const fromOf = (move) => move.slice(0, 2);

/** @param {string} move UCI */
export const toOf = (move) => move.slice(2, 4);

/** @param {string} text */
export const isMove = (text) => /^[a-h][1-8][a-h][1-8][qrbn]?$/.test(text);

/** The rook beside which a king castles, by the king's move. @type {Record<string, string>} */
const CASTLING_ROOKS = { e1g1: "h1", e1c1: "a1", e8g8: "h8", e8c8: "a8" };

/**
 * @param {string[]} moves
 * @param {Cells} cells
 * @param {string} from
 * @param {string} to
 * @returns {string[]} the moves meant by that pair of squares: none, one, or four promotions
 */
export function movesBetween(moves, cells, from, to) {
  const direct = moves.filter((move) => isMove(move) && fromOf(move) === from && toOf(move) === to);
  if (direct.length > 0) return withLetters(direct);
  return moves.filter((move) => isCastling(move, cells) && fromOf(move) === from && CASTLING_ROOKS[move] === to);
}

/**
 * A promotion without a letter means a queen; where the letters are there too it is one choice too many.
 * @param {string[]} moves
 */
function withLetters(moves) {
  return moves.length > 1 ? moves.filter((move) => move.length === 5) : moves;
}

/** @param {string} move @param {Cells} cells */
export function isCastling(move, cells) {
  return move in CASTLING_ROOKS && cells[indexOf(fromOf(move))].toLowerCase() === "k";
}

/**
 * @param {string[]} moves
 * @param {Cells} cells
 * @param {string} from
 * @returns {Set<string>} squares to go to, rooks to castle with included
 */
export function targetsOf(moves, cells, from) {
  const own = moves.filter((move) => isMove(move) && fromOf(move) === from);
  const rooks = own.filter((move) => isCastling(move, cells)).map((move) => CASTLING_ROOKS[move]);
  return new Set([...own.map(toOf), ...rooks]);
}

/**
 * Where a man may go if everything in between goes away: what a premove may be.
 * @param {Cells} cells
 * @param {string} from
 * @returns {Set<string>}
 */
export function premoveTargets(cells, from) {
  const piece = cells[indexOf(from)];
  if (!isPiece(piece)) return new Set();
  return new Set(SQUARES.filter((to) => to !== from && couldGo(piece, from, to)));
}

/**
 * @param {string} piece
 * @param {string} from
 * @param {string} to
 */
function couldGo(piece, from, to) {
  const files = Math.abs(fileOf(to) - fileOf(from));
  const ranks = Math.abs(rankOf(to) - rankOf(from));
  const castling = files === 2 && ranks === 0 && from === (sideOf(piece) === "white" ? "e1" : "e8");
  switch (kindName(piece)) {
    case "king":
      return Math.max(files, ranks) === 1 || castling;
    case "queen":
      return files === 0 || ranks === 0 || files === ranks;
    case "rook":
      return files === 0 || ranks === 0;
    case "bishop":
      return files === ranks;
    case "knight":
      return files * ranks === 2;
    default:
      return pawnCouldGo(sideOf(piece), from, to, files);
  }
}

/**
 * @param {Side} side
 * @param {string} from
 * @param {string} to
 * @param {number} files
 */
function pawnCouldGo(side, from, to, files) {
  const steps = (rankOf(to) - rankOf(from)) * (side === "white" ? 1 : -1);
  const home = rankOf(from) === (side === "white" ? 1 : 6);
  return (steps === 1 && files <= 1) || (steps === 2 && files === 0 && home);
}

/**
 * Reads a move typed by a person: UCI, or SAN as far as the own men tell.
 * @param {string} text
 * @param {string[]} moves
 * @param {Cells} cells
 * @param {Side} side
 * @returns {{move: string} | {problem: string}}
 */
export function readMove(text, moves, cells, side) {
  const typed = text.trim();
  const plain = typed.toLowerCase();
  if (moves.includes(plain)) return { move: plain };
  if (moves.includes(`${plain}q`)) return { move: `${plain}q` };
  if (isMove(plain)) {
    const between = movesBetween(moves, cells, fromOf(plain), toOf(plain));
    return between.length === 1 ? { move: between[0] } : { problem: `${plain} is none of your moves.` };
  }
  const found = sanMatches(typed, moves, cells, side);
  if (found.length === 1) return { move: found[0] };
  if (found.length === 0) return { problem: `“${typed}” is none of your moves.` };
  return { problem: `“${typed}” may be ${found.join(" or ")}: say which.` };
}

/**
 * @param {string} text
 * @param {string[]} moves
 * @param {Cells} cells
 * @param {Side} side
 * @returns {string[]}
 */
function sanMatches(text, moves, cells, side) {
  const castling = /^[0o]-?[0o](-?[0o])?[+#]?$/i.exec(text);
  if (castling) {
    const rank = side === "white" ? "1" : "8";
    const move = `e${rank}${castling[1] ? "c" : "g"}${rank}`;
    return moves.filter((each) => each === move && isCastling(each, cells));
  }
  const parts = /^([KQRBN])?([a-h])?([1-8])?x?([a-h][1-8])=?([QRBNqrbn])?[+#!?]*$/.exec(text);
  if (!parts) return [];
  const [, kind = "P", file, rank, to, promotion] = parts;
  const found = moves.filter((move) => {
    if (!isMove(move) || toOf(move) !== to || isCastling(move, cells)) return false;
    const from = fromOf(move);
    const piece = cells[indexOf(from)];
    if (!isOf(piece, side) || piece.toUpperCase() !== kind) return false;
    if ((file && from[0] !== file) || (rank && from[1] !== rank)) return false;
    return (move[4] ?? "q") === (promotion ?? "q").toLowerCase();
  });
  const straight = kind === "P" && !file && !text.includes("x") ? found.filter((move) => move[0] === move[2]) : [];
  return straight.length > 0 ? straight : [...new Set(found)];
}
