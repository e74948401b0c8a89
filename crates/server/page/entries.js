// Kinds of entries in the log: most are plies, some are what happened before one.

/** @import { LogEntry } from "./types.js" */

/** @typedef {"ply" | "refused" | "question" | "look"} Kind */

/**
 * @param {Pick<LogEntry, "move" | "refused" | "sensed">} entry
 * @returns {Kind}
 */
export function kindOf(entry) {
  if (entry.refused) return "refused";
  if (entry.move === "any?") return "question";
  return entry.sensed || /^[a-h][1-8]$/.test(entry.move ?? "") ? "look" : "ply";
}
