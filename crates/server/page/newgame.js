// The dialog for a new game. It remembers the last choices, so that a game starts with two clicks.

/** @import { GameInfo, GameName, Level, Start } from "./types.js" */
import * as api from "./api.js";
import { toast } from "./dialogs.js";
import { choice, fill, make, select } from "./dom.js";
import { levelName } from "./names.js";
import { read, write } from "./store.js";

/** @typedef {"engine" | "human" | "watch"} Mode */

/**
 * @typedef {object} Wish
 * @property {GameName} game
 * @property {Mode} mode
 * @property {string} side
 * @property {string} opponent
 * @property {string} white
 * @property {string} black
 * @property {string} movetime
 * @property {string} clock
 * @property {string} ruleset
 * @property {string} start
 * @property {string} seed
 */

/** @type {Wish} */
const DEFAULTS = {
  game: "fog",
  mode: "engine",
  side: "white",
  opponent: "level3",
  white: "",
  black: "",
  movetime: "1s",
  clock: "",
  ruleset: "icc",
  start: "",
  seed: "",
};

const MOVETIMES = ["50ms", "200ms", "500ms", "1s", "2s", "5s", "10s"];
const CLOCKS = ["", "1m+1s", "3m+2s", "5m+3s", "10m+5s", "15m+10s"];
const RULESETS = [
  { value: "icc", text: "ICC: number of pawn tries is told" },
  { value: "cincinnati", text: "Cincinnati: whether there is a pawn try" },
  { value: "rand", text: "RAND: which pawns can take" },
  { value: "english", text: "English: ask “Any?”" },
];

/** @param {GameName} [game] */
export async function openNewGame(game) {
  let offer;
  try {
    offer = await api.start();
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error));
    return;
  }
  const wish = { ...DEFAULTS, ...read("wish", {}), start: "", seed: "" };
  if (game) wish.game = game;
  new NewGame(offer, wish).open();
}

class NewGame {
  /**
   * @param {Start} offer
   * @param {Wish} wish
   */
  constructor(offer, wish) {
    this.offer = offer;
    this.wish = wish;
    this.fields = make("div", { class: "fields" });
    this.problem = make("p", { class: "problem", role: "alert" });
    this.submit = make("button", { type: "submit", class: "main" }, "Start");
    this.dialog = make(
      "dialog",
      { class: "newgame", "aria-labelledby": "newgame-title" },
      make("h2", { id: "newgame-title" }, "New game"),
      make(
        "form",
        { onsubmit: (/** @type {Event} */ event) => this.begin(event) },
        this.fields,
        this.problem,
        make(
          "div",
          { class: "buttons" },
          make("button", { type: "button", onclick: () => this.dialog.close() }, "Cancel"),
          this.submit,
        ),
      ),
    );
    this.dialog.addEventListener("close", () => this.dialog.remove());
  }

  open() {
    this.render();
    document.body.append(this.dialog);
    this.dialog.showModal();
    this.submit.focus();
  }

  /** @param {Partial<Wish>} change */
  set(change) {
    const focused = document.activeElement instanceof HTMLInputElement ? document.activeElement.value : null;
    Object.assign(this.wish, change);
    this.render();
    const same =
      focused === null
        ? null
        : [...this.fields.querySelectorAll("input")].find((input) => input.value === focused && input.checked);
    same?.focus();
  }

  /** @returns {GameInfo} */
  info() {
    return this.offer.games.find(({ game }) => game === this.wish.game) ?? this.offer.games[0];
  }

  render() {
    const { wish } = this;
    const info = this.info();
    wish.game = info.game;
    const engines = opponents(info, this.offer.levels);
    if (!engines.some(({ value }) => value === wish.opponent)) wish.opponent = engines[0]?.value ?? "random";
    for (const side of /** @type {const} */ (["white", "black"])) {
      if (!info.opponents.some(({ name }) => name === wish[side])) wish[side] = info.opponents[0]?.name ?? "random";
    }
    fill(
      this.fields,
      choice(
        "Game",
        this.offer.games.map(({ game, name }) => ({ value: game, text: name })),
        wish.game,
        (game) => this.set({ game: /** @type {GameName} */ (game) }),
      ),
      choice(
        "Opponent",
        [
          { value: "engine", text: "Engine" },
          { value: "human", text: "A person" },
          { value: "watch", text: "Watch engines" },
        ],
        wish.mode,
        (mode) => this.set({ mode: /** @type {Mode} */ (mode) }),
      ),
      ...this.modeFields(engines),
      wish.game === "kriegspiel"
        ? select("Umpire’s rules", RULESETS, wish.ruleset, (ruleset) => this.set({ ruleset }))
        : null,
      this.advanced(),
    );
  }

  /**
   * @param {{value: string, text: string, about?: string, group?: string}[]} engines
   * @returns {(HTMLElement | null)[]}
   */
  modeFields(engines) {
    const { wish } = this;
    const movetime = select(
      "Its time a move",
      MOVETIMES.map((value) => ({ value, text: timeText(value) })),
      wish.movetime,
      (value) => this.set({ movetime: value }),
    );
    const clock = select(
      "Clock",
      CLOCKS.map((value) => ({ value, text: clockName(value) })),
      wish.clock,
      (value) => this.set({ clock: value }),
    );
    const side = choice(
      "You play",
      [
        { value: "white", text: "White" },
        { value: "random", text: "Either" },
        { value: "black", text: "Black" },
      ],
      wish.side,
      (value) => this.set({ side: value }),
    );
    if (wish.mode === "watch") {
      const names = this.info().opponents.map(({ name }) => ({ value: name, text: name }));
      return [
        select("White", names, wish.white, (white) => this.set({ white })),
        select("Black", names, wish.black, (black) => this.set({ black })),
        movetime,
      ];
    }
    if (wish.mode === "human")
      return [make("p", { class: "note" }, "You get a link for the other player."), side, clock];
    const level = wish.opponent.startsWith("level");
    const text = engines.find(({ value }) => value === wish.opponent)?.about;
    return [
      select("Engine", engines, wish.opponent, (opponent) => this.set({ opponent })),
      text ? make("p", { class: "note" }, text) : null,
      side,
      level || wish.clock ? null : movetime,
      clock,
    ];
  }

  advanced() {
    const { wish } = this;
    const start = make("input", {
      type: "text",
      value: wish.start,
      spellcheck: false,
      placeholder: "the usual position",
      oninput: () => (wish.start = start.value),
    });
    const seed = make("input", {
      type: "text",
      value: wish.seed,
      inputMode: "numeric",
      placeholder: "any",
      oninput: () => (wish.seed = seed.value),
    });
    return make(
      "details",
      {
        open: Boolean(this.opened),
        ontoggle: (/** @type {Event} */ event) => (this.opened = /** @type {HTMLDetailsElement} */ (event.target).open),
      },
      make("summary", {}, "More"),
      make("label", { class: "field" }, make("span", {}, "Start position (FEN)"), start),
      make("label", { class: "field" }, make("span", {}, "Seed of the engine"), seed),
    );
  }

  /** @param {Event} event */
  async begin(event) {
    event.preventDefault();
    this.submit.disabled = true;
    this.problem.textContent = "";
    try {
      const state = await api.newGame(wishBody(this.wish));
      write("wish", this.wish);
      this.dialog.close();
      location.hash = `#/game/${state.id}`;
    } catch (error) {
      this.problem.textContent = error instanceof Error ? error.message : String(error);
    }
    this.submit.disabled = false;
  }
}

/**
 * @param {GameInfo} info
 * @param {Level[]} levels
 * @returns {{value: string, text: string, about?: string, group: string}[]}
 */
function opponents(info, levels) {
  const named = info.opponents.map(({ name, text }) => ({ value: name, text: name, about: text, group: "By name" }));
  const graded = levels.map(({ level, name, text }) => ({
    value: `level${level}`,
    text: levelName(level, name),
    about: text,
    group: "Levels",
  }));
  return [...graded, ...named];
}

/**
 * @param {Wish} wish
 * @returns {Record<string, unknown>}
 */
function wishBody(wish) {
  /** @type {Record<string, unknown>} */
  const body = { game: wish.game };
  if (wish.mode === "watch") Object.assign(body, { white: wish.white, black: wish.black, movetime: wish.movetime });
  else Object.assign(body, { side: wish.side, opponent: wish.mode === "human" ? "human" : wish.opponent });
  if (wish.mode !== "watch" && wish.clock) body.clock = wish.clock;
  else if (wish.mode === "engine" && !wish.opponent.startsWith("level")) body.movetime = wish.movetime;
  if (wish.game === "kriegspiel") body.ruleset = wish.ruleset;
  if (wish.start.trim()) body.start = wish.start.trim();
  if (/^\d+$/.test(wish.seed.trim())) body.seed = Number(wish.seed);
  return body;
}

/** @param {string} value */
const timeText = (value) => value.replace("ms", " ms").replace(/(\d)s$/, "$1 s");

/** @param {string} value */
function clockName(value) {
  const parts = /^(\d+)m\+(\d+)s$/.exec(value);
  return parts ? `${parts[1]}+${parts[2]} (minutes + seconds a move)` : "No clock";
}
