// The socket of a game: states as they come, and a word when the line is cut. It tries again with growing pauses.

/** @import { State } from "./types.js" */
import { secretOf } from "./store.js";

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 15_000;

/**
 * @typedef {object} Listener
 * @property {(state: State) => void} onState
 * @property {(seconds: number | null) => void} onCut seconds until the next try; null when the line is back
 */

/**
 * @param {string} id of a game
 * @param {Listener} listener
 * @returns {() => void} ends it
 */
export function follow(id, listener) {
  let pause = FIRST_PAUSE;
  let ended = false;
  /** @type {WebSocket | null} */
  let socket = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  const connect = () => {
    clearTimeout(timer);
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const opened = new WebSocket(`${scheme}//${location.host}/api/v1/games/${id}/events`);
    socket = opened;
    opened.onopen = () => opened.send(JSON.stringify({ secret: secretOf(id) }));
    opened.onmessage = (message) => {
      const state = JSON.parse(message.data);
      if (state.error) return;
      pause = FIRST_PAUSE;
      listener.onCut(null);
      listener.onState(state);
    };
    opened.onclose = () => {
      if (ended || socket !== opened) return;
      listener.onCut(Math.ceil(pause / 1000));
      timer = setTimeout(connect, pause);
      pause = Math.min(LONGEST_PAUSE, pause * 2);
    };
  };
  const wake = () => {
    if (!ended && socket?.readyState === WebSocket.CLOSED) connect();
  };
  window.addEventListener("online", wake);
  connect();
  return () => {
    ended = true;
    clearTimeout(timer);
    window.removeEventListener("online", wake);
    socket?.close();
  };
}
