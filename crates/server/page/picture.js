// From what the player knows and what she is doing to the picture on the board.

/** @import { Picture } from "./board.js" */
/** @import { Cells, GameName, LogEntry, Side, State } from "./types.js" */
import { changedSquares, compare } from "./changes.js";
import { addSensed, cellsOf, cellsSeen, ghostsAfter } from "./ghosts.js";
import { marksOf } from "./marks.js";
import { fromOf, isMove, premoveTargets, targetsOf, toOf } from "./moves.js";
import { indexOf, parseBoard, sideOf, windowAround } from "./squares.js";
import { settings } from "./store.js";

/** @typedef {"own" | "white" | "black" | "truth"} Viewpoint */

/**
 * What the player is doing.
 * @typedef {object} Doing
 * @property {string | null} selected
 * @property {[string, string] | null} premove
 * @property {string | null} pending a move that was sent and is not yet answered
 * @property {number | null} shown how many entries of the log have happened; null is now
 * @property {Side} bottom
 * @property {Viewpoint} viewpoint
 * @property {string | null} hint a move
 * @property {string | null} aim the middle of the window to look at
 */

/** @param {GameName} game @returns {string} */
export const darknessOf = (game) => (game === "fog" ? "fog" : "unknown");

/** @param {State} state */
export const isOwnTurn = (state) => !state.result && state.side !== "watch" && state.turn === state.side;

/**
 * @param {State} state
 * @param {Doing} doing
 * @returns {Picture}
 */
export function pictureOf(state, doing) {
  const happened = doing.shown ?? state.log.length;
  const entry = happened > 0 ? state.log[happened - 1] : null;
  const now = happened === state.log.length;
  const viewer = viewerOf(state, doing);
  const cells = cellsShown(state, doing, entry, viewer);
  /** @type {Picture} */
  const picture = {
    cells,
    viewer,
    darkness: darknessOf(state.game),
    bottom: doing.bottom,
    last: lastSquares(state, happened, viewer),
  };
  picture.changed = changedAt(state, happened, doing);
  if (viewer === null || viewer !== state.side) return picture;
  picture.marks = marksOf(state.id);
  if (settings.ghosts) picture.ghosts = agedGhosts(state, happened, entry?.ply ?? 0);
  if (!now || state.result) return picture;
  return { ...picture, ...intentions(state, doing, cells) };
}

/**
 * @param {State} state
 * @param {Doing} doing
 * @returns {Side | null}
 */
function viewerOf(state, { viewpoint }) {
  if (viewpoint === "truth") return null;
  if (viewpoint !== "own") return viewpoint;
  return state.side === "watch" ? null : state.side;
}

/**
 * @param {State} state
 * @param {Doing} doing
 * @param {LogEntry | null} entry
 * @param {Side | null} viewer
 * @returns {Cells}
 */
function cellsShown(state, doing, entry, viewer) {
  const now = (doing.shown ?? state.log.length) === state.log.length;
  if (viewer === null) return parseBoard(truthAt(state, now, entry));
  if (viewer !== state.side) {
    const views = (now ? state.views : entry?.views) ?? state.views;
    return cellsOf(views?.[viewer] ?? state.view, state.game, viewer);
  }
  if (!now)
    return entry ? cellsSeen(entry, state.game, viewer) : cellsOf(state.first ?? state.view, state.game, viewer);
  const cells = cellsOf(state.view, state.game, viewer);
  if (state.sensed && state.phase === "move" && isOwnTurn(state)) addSensed(cells, state.sensed.squares);
  if (doing.pending) moveMan(cells, doing.pending);
  return cells;
}

/**
 * The umpire's own view is the truth.
 * @param {State} state
 * @param {boolean} now
 * @param {LogEntry | null} entry
 * @returns {string}
 */
function truthAt(state, now, entry) {
  const watched = state.side === "watch" ? (entry?.view ?? state.first) : undefined;
  return (now ? state.truth : (entry?.truth ?? watched)) ?? state.truth ?? state.view;
}

/** @param {Cells} cells @param {string} move */
function moveMan(cells, move) {
  const [from, to] = [indexOf(fromOf(move)), indexOf(toOf(move))];
  const kind = move[4] ?? cells[from];
  cells[to] = sideOf(cells[from]) === "white" ? kind.toUpperCase() : kind.toLowerCase();
  cells[from] = "";
}

/**
 * @param {State} state
 * @param {number} happened
 * @param {Side | null} viewer
 * @returns {string[]}
 */
function lastSquares(state, happened, viewer) {
  const known = state.log.slice(0, happened).filter((entry) => entry.move && isMove(entry.move) && !entry.refused);
  const entry = (viewer === null ? known : known.filter((each) => each.side === viewer)).at(-1);
  return entry?.move ? [fromOf(entry.move), toOf(entry.move)] : [];
}

/**
 * The squares where the opponent's last ply was seen to change something.
 * @param {State} state
 * @param {number} happened
 * @param {Doing} doing
 * @returns {Set<string>}
 */
function changedAt(state, happened, doing) {
  const entry = state.log[happened - 1];
  if (!entry || state.side === "watch" || doing.viewpoint !== "own" || entry.side === state.side) return new Set();
  const before = viewBefore(state, happened - 1);
  return before ? changedSquares(compare(before, cellsOf(entry.view, state.game, state.side), state.side)) : new Set();
}

/**
 * @param {State} state
 * @param {number} index of an entry of the log
 * @returns {Cells | null} what the player saw before it
 */
export function viewBefore(state, index) {
  if (state.side === "watch") return null;
  const view = index > 0 ? state.log[index - 1].view : state.first;
  return view ? cellsOf(view, state.game, state.side) : null;
}

/**
 * @param {State} state
 * @param {number} happened
 * @param {number} ply
 */
function agedGhosts(state, happened, ply) {
  return new Map(
    [...ghostsAfter(state, happened)].map(([square, ghost]) => [
      square,
      { piece: ghost.piece, age: Math.max(1, ply - ghost.ply) },
    ]),
  );
}

/**
 * @param {State} state
 * @param {Doing} doing
 * @param {Cells} cells
 * @returns {Partial<Picture>}
 */
function intentions(state, doing, cells) {
  const own = isOwnTurn(state);
  if (own && state.phase === "sense") {
    const window = doing.aim ? new Set(windowAround(doing.aim)) : undefined;
    return { window, hint: doing.hint ? [doing.hint] : undefined };
  }
  /** @type {Partial<Picture>} */
  const picture = { selected: doing.selected, premove: doing.premove ?? undefined };
  if (doing.hint && isMove(doing.hint)) picture.hint = [fromOf(doing.hint), toOf(doing.hint)];
  if (doing.selected && settings.targets) {
    picture.targets = own ? targetsOf(state.moves, cells, doing.selected) : premoveTargets(cells, doing.selected);
  }
  return picture;
}
