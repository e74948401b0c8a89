// What this browser keeps: the player's name for the server, the secrets of seats, settings, pencil marks and the last
// choices of the new-game dialog. Secrets live here only, never in an address.

/** @import { Theme } from "./types.js" */

/**
 * @typedef {object} Settings
 * @property {Theme} theme
 * @property {boolean} sounds
 * @property {boolean} ghosts
 * @property {boolean} targets
 */

/** @type {Settings} */
const DEFAULTS = { theme: "auto", sounds: true, ghosts: true, targets: true };

/**
 * @template T
 * @param {string} key
 * @param {T} otherwise
 * @returns {T}
 */
export function read(key, otherwise) {
  try {
    const text = localStorage.getItem(`scuro.${key}`);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/**
 * @param {string} key
 * @param {unknown} value
 */
export function write(key, value) {
  try {
    localStorage.setItem(`scuro.${key}`, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing still plays; it only cannot reload in the middle of a game.
  }
}

/** @param {string} key */
function remove(key) {
  try {
    localStorage.removeItem(`scuro.${key}`);
  } catch {
    // Nothing was kept.
  }
}

/** Secrets of this visit, for browsers that keep nothing. @type {Map<string, string>} */
const visit = new Map();

/** @param {string} id @returns {string | null} */
export const secretOf = (id) => visit.get(id) ?? read(`seat.${id}`, null);

/** @param {string} id @param {string} secret */
export function keepSecret(id, secret) {
  visit.set(id, secret);
  write(`seat.${id}`, secret);
}

/** @param {string} id */
export function forgetGame(id) {
  visit.delete(id);
  remove(`seat.${id}`);
  remove(`marks.${id}`);
  remove(`join.${id}`);
}

/** @type {Settings} */
export const settings = { ...DEFAULTS, ...read("settings", {}) };

/** @type {Set<() => void>} */
const listeners = new Set();

/** @param {Partial<Settings>} change */
export function changeSettings(change) {
  Object.assign(settings, change);
  write("settings", settings);
  for (const listener of listeners) listener();
}

/**
 * @param {() => void} listener
 * @returns {() => void} stops it
 */
export function onSettings(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
