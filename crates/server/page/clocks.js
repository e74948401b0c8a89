// Clocks: the server tells the time, this lets it run between two messages.

/** @import { Clock, Side } from "./types.js" */
import { make } from "./dom.js";
import { play } from "./sounds.js";

const LOW = 10_000;

export class Clocks {
  constructor() {
    /** @type {Record<Side, HTMLElement>} */
    this.elements = { white: face("White"), black: face("Black") };
    /** @type {Clock | null} */
    this.clock = null;
    this.since = 0;
    this.warned = false;
    this.timer = setInterval(() => this.show(), 100);
  }

  stop() {
    clearInterval(this.timer);
  }

  /**
   * @param {Clock | null} clock
   * @param {Side | "watch"} side whose low time is worth a sound
   */
  set(clock, side) {
    this.clock = clock;
    this.side = side;
    this.since = performance.now();
    this.show();
  }

  /** @param {Side} side @returns {number} milliseconds left */
  left(side) {
    if (!this.clock) return 0;
    const gone = this.clock.running === side ? performance.now() - this.since : 0;
    return Math.max(0, this.clock[side] - gone);
  }

  show() {
    for (const side of /** @type {Side[]} */ (["white", "black"])) {
      const element = this.elements[side];
      element.hidden = !this.clock;
      if (!this.clock) continue;
      const left = this.left(side);
      const text = clockText(left);
      if (element.textContent !== text) element.textContent = text;
      element.classList.toggle("running", this.clock.running === side);
      element.classList.toggle("low", left < LOW);
    }
    this.warn();
  }

  warn() {
    if (this.warned || !this.clock || (this.side !== "white" && this.side !== "black")) return;
    if (this.clock.running !== this.side || this.left(this.side) >= LOW) return;
    this.warned = true;
    play("low");
  }
}

/** @param {string} name */
const face = (name) => make("span", { class: "clock", role: "timer", "aria-label": `${name}'s clock`, hidden: true });

/**
 * @param {number} milliseconds
 * @returns {string} "2:05", and tenths below ten seconds
 */
export function clockText(milliseconds) {
  const seconds = milliseconds / 1000;
  if (milliseconds < LOW) return `0:0${(Math.floor(seconds * 10) / 10).toFixed(1)}`;
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
