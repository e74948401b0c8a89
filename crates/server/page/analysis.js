// The engine's thoughts on both sides of a finished game, each from that side's own views: asked for, polled, and read.

/** @import { Analysis, Side, Turn } from "./types.js" */
import * as api from "./api.js";

const PAUSE = 600;

/** @typedef {Record<Side, Turn[]>} Thoughts */

export class Thinking {
  /**
   * @param {{id?: string, record?: string}} what
   * @param {(thoughts: Thoughts, done: boolean, error: string | null) => void} onNews
   */
  constructor(what, onNews) {
    this.what = what;
    this.onNews = onNews;
    /** @type {Thoughts} */
    this.thoughts = { white: [], black: [] };
    /** @type {Map<Side, string>} */
    this.running = new Map();
    this.stopped = false;
  }

  /** @param {string} movetime */
  async start(movetime) {
    try {
      for (const side of /** @type {Side[]} */ (["white", "black"])) {
        const { analysis } = await api.startAnalysis(this.what, side, movetime);
        if (this.stopped) api.stopAnalysis(analysis).catch(() => {});
        else this.running.set(side, analysis);
      }
      await this.poll();
    } catch (error) {
      this.stop();
      this.onNews(this.thoughts, true, error instanceof Error ? error.message : String(error));
    }
  }

  async poll() {
    while (this.running.size > 0 && !this.stopped) {
      for (const [side, analysis] of [...this.running]) {
        /** @type {Analysis} */
        const answer = await api.getAnalysis(analysis, this.thoughts[side].length);
        this.thoughts[side].push(...answer.turns);
        if (answer.error) throw new Error(answer.error);
        if (answer.done) this.running.delete(side);
      }
      if (!this.stopped) this.onNews(this.thoughts, this.running.size === 0, null);
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }

  stop() {
    this.stopped = true;
    for (const analysis of this.running.values()) api.stopAnalysis(analysis).catch(() => {});
    this.running.clear();
  }
}

/**
 * @typedef {object} Swing
 * @property {Side} side
 * @property {number} ply the position in which the change was noticed
 * @property {number} before
 * @property {number} after
 */

/**
 * Where the game was decided: the largest change of one side's own estimate between two of its turns.
 * @param {Thoughts} thoughts
 * @returns {Swing | null}
 */
export function largestSwing(thoughts) {
  /** @type {Swing | null} */
  let largest = null;
  for (const side of /** @type {Side[]} */ (["white", "black"])) {
    const turns = thoughts[side];
    for (let index = 1; index < turns.length; index += 1) {
      const swing = { side, ply: turns[index].ply, before: turns[index - 1].value, after: turns[index].value };
      if (!largest || Math.abs(swing.after - swing.before) > Math.abs(largest.after - largest.before)) largest = swing;
    }
  }
  return largest;
}

/**
 * Where the thinker believes men of one kind to be.
 * @param {Turn | undefined} turn
 * @param {string} kind p, n, b, r, q, k, or `any`
 * @returns {Map<string, number> | null}
 */
export function heatOf(turn, kind) {
  if (!turn || kind === "none") return null;
  /** @type {Map<string, number>} */
  const heat = new Map();
  for (const [square, men] of Object.entries(turn.squares)) {
    const share = Object.entries(men).reduce(
      (sum, [man, probability]) => sum + (kind === "any" || man.toLowerCase() === kind ? probability : 0),
      0,
    );
    if (share > 0) heat.set(square, Math.min(1, share));
  }
  return heat;
}

/**
 * Whether a turn is a sense, before which the belief is larger than after it.
 * @param {Turn} turn
 */
export const isSense = ({ strategy }) => strategy.some(({ move }) => move.length === 2);

/**
 * What sensing did to the belief at the turn of a ply, in words; nothing where nobody senses.
 * @param {Turn[]} turns of one side
 * @param {Turn} turn
 */
export function sensingWords(turns, turn) {
  const at = turns.indexOf(turn);
  const [before, after] = isSense(turn) ? [turn, turns[at + 1]] : [turns[at - 1], turn];
  if (!before || !isSense(before)) return "";
  const size = (/** @type {Turn} */ { belief }) => `${belief.exact ? "" : "about "}${belief.size.toLocaleString("en")}`;
  const then = after && !isSense(after) ? `, ${size(after)} after it` : "";
  return `Positions held possible: ${size(before)} before sensing${then}.`;
}
