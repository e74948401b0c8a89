// Talking to the server: requests with JSON, and the socket of a game that comes back by itself when it is cut.

/** @import { Analysis, Hint, KeptGames, Review, Start, State } from "./types.js" */
import { keepSecret, read, secretOf, write } from "./store.js";

/** The server said no, and why. */
export class Refusal extends Error {
  /** @param {number} status @param {string} text */
  constructor(status, text) {
    super(text);
    this.status = status;
  }
}

/**
 * @param {string} method
 * @param {string} path below /api/v1
 * @param {{body?: unknown, secret?: string | null, player?: string | null}} [options]
 * @returns {Promise<Response>}
 */
async function request(method, path, { body, secret, player } = {}) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (secret) headers.Authorization = `Bearer ${secret}`;
  if (player) headers["Scuro-Player"] = player;
  let response;
  try {
    response = await fetch(`/api/v1${path}`, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Refusal(0, "The server does not answer.");
  }
  if (response.ok) return response;
  const answer = await response.json().catch(() => ({}));
  throw new Refusal(response.status, answer.error ?? `The server answered ${response.status}.`);
}

/**
 * @param {string} method
 * @param {string} path
 * @param {{body?: unknown, secret?: string | null, player?: string | null}} [options]
 * @returns {Promise<any>}
 */
async function json(method, path, options) {
  const response = await request(method, path, options);
  const text = await response.text();
  return text ? JSON.parse(text) : null;
}

/** @type {Promise<Start> | null} */
let started = null;

/** @returns {Promise<Start>} what the server offers; asked once */
export function start() {
  started ??= json("GET", "").catch((error) => {
    started = null;
    throw error;
  });
  return started;
}

/** @type {Promise<string> | null} */
let naming = null;

/** @returns {Promise<string>} the name under which the server keeps this browser's games */
function player() {
  naming ??= (async () => {
    const kept = read("player", null);
    if (kept) return kept;
    const made = await json("POST", "/players", { body: {} });
    write("player", made.player);
    return made.player;
  })().catch((error) => {
    naming = null;
    throw error;
  });
  return naming;
}

/** @param {State} state @returns {State} */
function keep(state) {
  if (state.secret) keepSecret(state.id, state.secret);
  if (state.join) write(`join.${state.id}`, state.join);
  return state;
}

/** @param {Record<string, unknown>} wish @returns {Promise<State>} */
export async function newGame(wish) {
  return keep(await json("POST", "/games", { body: wish, player: await player() }));
}

/** @param {string} id @param {string} word @returns {Promise<State>} */
export async function joinGame(id, word) {
  return keep(await json("POST", `/games/${id}/join`, { body: { join: word }, player: await player() }));
}

/** @param {string} id @returns {Promise<State>} */
export const getGame = (id) => json("GET", `/games/${id}`, { secret: secretOf(id) });

/** @param {string} id @param {string} move @returns {Promise<State>} */
export const sendMove = (id, move) => json("POST", `/games/${id}/moves`, { body: { move }, secret: secretOf(id) });

/** @param {string} id @returns {Promise<State>} */
export const resign = (id) => json("POST", `/games/${id}/resign`, { body: {}, secret: secretOf(id) });

/** @param {string} id @param {"offer" | "accept" | "decline"} draw @returns {Promise<State>} */
export const sendDraw = (id, draw) => json("POST", `/games/${id}/draw`, { body: { draw }, secret: secretOf(id) });

/** @param {string} id @returns {Promise<Hint>} */
export const askHint = (id) => json("POST", `/games/${id}/hint`, { body: {}, secret: secretOf(id) });

/** @param {string} id @returns {Promise<State>} */
export async function rematch(id) {
  return keep(await json("POST", `/games/${id}/rematch`, { body: {}, secret: secretOf(id), player: await player() }));
}

/** @param {string} id */
export const deleteGame = (id) => json("DELETE", `/games/${id}`, { secret: secretOf(id) });

/**
 * @param {string} search
 * @param {number} offset
 * @param {number} limit
 * @returns {Promise<KeptGames>}
 */
export async function keptGames(search, offset, limit) {
  const query = new URLSearchParams({ search, offset: String(offset), limit: String(limit) });
  return json("GET", `/games?${query}`, { player: await player() });
}

/** @param {string} id @returns {Promise<Review>} */
export const reviewGame = (id) => json("GET", `/games/${id}/review`, { secret: secretOf(id) });

/** @param {string} record @returns {Promise<Review>} */
export const reviewRecord = (record) => json("POST", "/reviews", { body: { record } });

/**
 * @param {{id?: string, record?: string}} what
 * @param {"white" | "black"} side
 * @param {string} movetime
 * @returns {Promise<{analysis: string}>}
 */
export const startAnalysis = (what, side, movetime) =>
  json("POST", "/analyses", { body: { ...what, side, movetime }, secret: what.id ? secretOf(what.id) : null });

/**
 * @param {string} analysis
 * @param {number} from how many turns are known already
 * @returns {Promise<Analysis>}
 */
export const getAnalysis = (analysis, from) => json("GET", `/analyses/${analysis}?from=${from}`);

/** @param {string} analysis */
export const stopAnalysis = (analysis) => json("DELETE", `/analyses/${analysis}`);

/** @typedef {"pgn" | "json" | "history"} Format */

/** @type {Record<Format, string>} */
const ENDINGS = { pgn: "pgn", json: "jsonl", history: "json" };

/**
 * The record of a game that is over, as a file for the reader.
 * @param {string} id
 * @param {Format} format
 */
export async function downloadRecord(id, format) {
  const response = await request("GET", `/games/${id}/${format}`, { secret: secretOf(id) });
  saveFile(`scuro-${id.slice(0, 8)}.${ENDINGS[format]}`, await response.blob());
}

/**
 * @param {string} name
 * @param {Blob} content
 */
export function saveFile(name, content) {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
