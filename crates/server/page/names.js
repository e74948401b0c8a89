// Names for people: of the games, and of players (the server's `level3` is a level with a name).

/** @import { GameName, Level } from "./types.js" */

/** @type {Record<GameName, string>} */
export const GAME_NAMES = { fog: "Fog of War", kriegspiel: "Kriegspiel", rbc: "Reconnaissance Blind Chess" };

/** @type {Map<string, string>} */
const levels = new Map();

/** @param {Level[]} list */
export function learnLevels(list) {
  for (const { level, name } of list) levels.set(`level${level}`, levelName(level, name));
}

/**
 * @param {number} level
 * @param {string} name
 */
export const levelName = (level, name) => `Level ${level}: ${name}`;

/** @param {string} player as the server calls it */
export const playerName = (player) => levels.get(player) ?? player;
