// Ghosts: enemy men that were seen once and are in the dark now, with the ply they were last seen at. Reckoned from the
// player's own views alone.

/** @import { Cells, GameName, LogEntry, Side, State } from "./types.js" */
import { SQUARES, fileOf, indexOf, isOf, isPiece, other, ownMen, parseBoard, rankOf, squareAt } from "./squares.js";

/** @typedef {{piece: string, ply: number}} Ghost */
/** @typedef {Map<string, Ghost>} Ghosts by square */

/**
 * @param {State} state
 * @param {number} last how many entries of the log have happened
 * @returns {Ghosts}
 */
export function ghostsAfter(state, last) {
  /** @type {Ghosts} */
  const ghosts = new Map();
  if (state.side === "watch") return ghosts;
  let before = state.first ? cellsOf(state.first, state.game, state.side) : null;
  if (before) lookAt(ghosts, before, 0, state.side);
  for (const entry of state.log.slice(0, last)) {
    const cells = cellsSeen(entry, state.game, state.side);
    if (before && state.game === "fog") leavePawnSources(ghosts, before, cells, other(state.side));
    lookAt(ghosts, cells, entry.ply, state.side);
    before = cells;
  }
  return ghosts;
}

/**
 * What a view shows for sure: in the games without sight, the own men.
 * @param {string} view
 * @param {GameName} game
 * @param {Side} side
 * @returns {Cells}
 */
export function cellsOf(view, game, side) {
  const cells = parseBoard(view);
  return game === "fog" ? cells : ownMen(cells, side);
}

/**
 * @param {LogEntry} entry
 * @param {GameName} game
 * @param {Side} side
 * @returns {Cells}
 */
export function cellsSeen(entry, game, side) {
  const cells = cellsOf(entry.view, game, side);
  if (entry.sensed) addSensed(cells, entry.sensed.squares);
  return cells;
}

/**
 * @param {Cells} cells changed in place
 * @param {Record<string, string | null>} squares
 */
export function addSensed(cells, squares) {
  for (const [square, piece] of Object.entries(squares)) cells[indexOf(square)] = piece ?? "";
}

/**
 * @param {Ghosts} ghosts changed in place
 * @param {Cells} cells
 * @param {number} ply
 * @param {Side} side
 */
function lookAt(ghosts, cells, ply, side) {
  SQUARES.forEach((square, index) => {
    const cell = cells[index];
    if (cell === "?") return;
    if (!isPiece(cell) || !isOf(cell, other(side))) {
      ghosts.delete(square);
      return;
    }
    if (cell.toLowerCase() === "k") forgetKing(ghosts, cell);
    ghosts.set(square, { piece: cell, ply });
  });
}

/**
 * A pawn that stepped onto a square seen to be empty has left the square behind it.
 * @param {Ghosts} ghosts changed in place
 * @param {Cells} before
 * @param {Cells} now
 * @param {Side} enemy
 */
function leavePawnSources(ghosts, before, now, enemy) {
  const [pawn, step, home] = enemy === "white" ? ["P", 1, 1] : ["p", -1, 6];
  SQUARES.forEach((square, index) => {
    if (now[index] !== pawn || before[index] !== "") return;
    const behind = squareAt(fileOf(square), rankOf(square) - step);
    const start = squareAt(fileOf(square), home);
    const double = rankOf(square) === home + 2 * step;
    if (behind && ghosts.get(behind)?.piece === pawn) ghosts.delete(behind);
    else if (double && start && ghosts.get(start)?.piece === pawn) ghosts.delete(start);
  });
}

/**
 * There is one king only: seen elsewhere it is not where it was.
 * @param {Ghosts} ghosts
 * @param {string} king
 */
function forgetKing(ghosts, king) {
  for (const [square, ghost] of ghosts) if (ghost.piece === king) ghosts.delete(square);
}
