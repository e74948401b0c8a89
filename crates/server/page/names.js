// Names for people: the server's `level3` is a level with a name.

/** @import { Level } from "./types.js" */

/** @type {Map<string, string>} */
const levels = new Map();

/** @param {Level[]} list */
export function learnLevels(list) {
  for (const { level, name } of list) levels.set(`level${level}`, `${name} (level ${level})`);
}

/** @param {string} player as the server calls it */
export const playerName = (player) => levels.get(player) ?? player;
