// News: what a new entry of the log is worth in words and sound, as far as the player may know.

/** @import { Sound } from "./sounds.js" */
/** @import { LogEntry, Side, State } from "./types.js" */
import { capital, changeWords, compare } from "./changes.js";
import { kindOf } from "./entries.js";
import { cellsOf } from "./ghosts.js";
import { viewBefore } from "./picture.js";
import { isOf, kindName, other } from "./squares.js";

/**
 * @param {State} state after the entry
 * @param {LogEntry} entry
 * @param {number} index of it in the log
 * @param {boolean} took whether the player took something
 * @returns {{words: string, sound: Sound}}
 */
export function newsOf(state, entry, index, took) {
  const { side, game } = state;
  const mover = entry.side === "white" ? "White" : "Black";
  const move = entry.san ?? entry.move ?? "";
  const told = game === "fog" ? "" : entry.text;
  if (side === "watch") return { words: `${mover}: ${move}`, sound: "opponent" };
  if (kindOf(entry) === "refused") return { words: `${move}: ${entry.text}`, sound: "refused" };
  if (kindOf(entry) === "look") return { words: lookWords(entry, side), sound: "look" };
  if (kindOf(entry) === "question") return { words: `Any? ${entry.text}`, sound: "look" };
  if (entry.side === side) return { words: `You played ${move}. ${told}`, sound: took ? "take" : "own" };
  const change = changeAt(state, index);
  return {
    words: `${mover} has moved. ${change ? changeWords(change) : ""} ${told}`,
    sound: change?.lost.length ? "loss" : "opponent",
  };
}

/**
 * What the player saw to change by an entry of the log.
 * @param {State} state
 * @param {number} index
 */
export function changeAt(state, index) {
  const seen = viewBefore(state, index);
  if (!seen || state.side === "watch") return null;
  return compare(seen, cellsOf(state.log[index].view, state.game, state.side), state.side);
}

/**
 * The log for the list: in the fog, what the player saw to be lost stands for the opponent's move.
 * @param {State} state
 */
export function itemsOf(state) {
  if (state.side === "watch" || state.game !== "fog") return state.log;
  return state.log.map((entry, index) => {
    const lost = entry.side === state.side || entry.san ? [] : (changeAt(state, index)?.lost ?? []);
    return lost.length === 0 ? entry : { ...entry, san: `×${lost.map(({ square }) => square).join(" ")}` };
  });
}

/**
 * The umpire's last words in the games that have an umpire.
 * @param {State} state
 */
export function umpireWords(state) {
  const last = state.log.at(-1);
  if (!last || state.game === "fog") return "";
  const kind = kindOf(last);
  if (kind === "question") return `Any? ${capital(last.text)}.`;
  if (kind === "refused") return `${last.san ?? last.move ?? "A try"}: ${last.text}.`;
  return kind !== "look" || state.side === "watch" ? last.text : lookWords(last, state.side);
}

/**
 * @param {LogEntry} look
 * @param {Side} side
 */
function lookWords({ sensed, move }, side) {
  const seen = Object.entries(sensed?.squares ?? {}).filter(([, piece]) => piece && isOf(piece, other(side)));
  const men = seen.map(([square, piece]) => `${capital(kindName(piece ?? ""))} on ${square}.`);
  return `You looked at ${sensed?.square ?? move ?? "nothing"}. ${men.join(" ") || "No enemy there."}`;
}
