// Review of a game that is over: three boards, the list of moves, and what the engine would have believed and played
// on either side.

/** @import { Thoughts } from "./analysis.js" */
/** @import { Choice, GameName, Review, ReviewPly, Side, Turn } from "./types.js" */
import { Thinking, heatOf, isSense, largestSwing, sensingWords } from "./analysis.js";
import * as api from "./api.js";
import { Board } from "./board.js";
import { decades, lineChart } from "./charts.js";
import { toast } from "./dialogs.js";
import { choice, fill, make, select } from "./dom.js";
import { addSensed, cellsOf } from "./ghosts.js";
import { Inside } from "./inside.js";
import { MoveList } from "./movelist.js";
import { fromOf, isMove, toOf } from "./moves.js";
import { playerName } from "./names.js";
import { signed } from "./panel.js";
import { darknessOf } from "./picture.js";
import { other, parseBoard } from "./squares.js";

/** @typedef {"white" | "truth" | "black" | "all"} Shown */

const HEATS = [
  { value: "none", text: "Off" },
  { value: "any", text: "Any man" },
  { value: "k", text: "King" },
  { value: "q", text: "Queen" },
  { value: "r", text: "Rook" },
  { value: "b", text: "Bishop" },
  { value: "n", text: "Knight" },
  { value: "p", text: "Pawn" },
];

export class ReviewPage {
  /**
   * @param {Review} review
   * @param {{id?: string, record?: string}} source
   */
  constructor(review, source) {
    this.review = review;
    this.source = source;
    this.ply = 0;
    /** @type {Side} */
    this.bottom = "white";
    /** @type {Shown} */
    this.shown = innerWidth >= 1000 ? "all" : "truth";
    this.heat = "none";
    this.movetime = "200ms";
    /** @type {Thoughts} */
    this.thoughts = { white: [], black: [] };
    /** @type {Thinking | null} */
    this.thinking = null;
    this.done = false;
    this.problem = "";
    this.boards = { white: new Board("White’s view"), truth: new Board("The truth"), black: new Board("Black’s view") };
    this.moveList = new MoveList((ply) => this.go(ply));
    this.inside = new Inside(() => this.renderBoards());
    this.thoughtState = "";
    this.warmed = false;
    this.parts = {
      frames: make("div", {}),
      words: make("p", { class: "words" }),
      views: make("div", {}),
      thoughts: make("section", { class: "thoughts", "aria-label": "The engine’s thoughts" }),
      progress: make("p", { class: "note", role: "status" }),
      turn: make("div", { class: "turn" }),
      charts: make("section", { class: "charts", "aria-label": "Charts" }),
    };
    this.element = this.layout();
    this.render();
  }

  close() {
    this.thinking?.stop();
    this.moveList.stop();
  }

  /** @param {number} ply */
  go(ply) {
    this.ply = Math.max(0, Math.min(this.review.plies.length - 1, ply));
    this.render();
  }

  layout() {
    const { players, result } = this.review;
    const { parts } = this;
    const frame = (/** @type {"white" | "truth" | "black"} */ key, /** @type {string} */ title) =>
      make("figure", { class: `frame ${key}` }, make("figcaption", {}, title), this.boards[key].element);
    parts.frames.append(
      frame("white", `White: ${playerName(players.white)}`),
      frame("truth", "Truth"),
      frame("black", `Black: ${playerName(players.black)}`),
    );
    return make(
      "div",
      { class: "review", "data-game": this.review.game },
      make(
        "header",
        { class: "review-head" },
        make("h1", {}, `${playerName(players.white)} – ${playerName(players.black)}`),
        make("p", { class: "status over" }, result?.text ?? "Not over"),
        this.tools(),
      ),
      parts.views,
      parts.frames,
      make(
        "div",
        { class: "below" },
        make("div", { class: "left" }, parts.words, this.moveList.element),
        make("div", { class: "right" }, parts.thoughts, parts.charts),
      ),
    );
  }

  tools() {
    const { id } = this.source;
    const button = (/** @type {string} */ text, /** @type {() => void} */ onclick) =>
      make("button", { type: "button", onclick }, text);
    const save = (/** @type {api.Format} */ format, /** @type {string} */ name) =>
      button(`Save ${name}`, () => id && api.downloadRecord(id, format).catch((error) => toast(error.message)));
    return make(
      "div",
      { class: "buttons" },
      button("Flip", () => {
        this.bottom = other(this.bottom);
        this.render();
      }),
      id ? save("pgn", "PGN") : null,
      id ? save("json", "JSON") : null,
      id && this.review.game === "rbc" ? save("history", "GameHistory") : null,
      make("a", { class: "button", href: "#/" }, "All games"),
    );
  }

  render() {
    this.renderViews();
    const plies = this.review.plies;
    this.moveList.render(
      plies.slice(1).map((each) => ({ ...each, side: each.side ?? "white" })),
      this.ply,
    );
    const ply = plies[this.ply];
    this.parts.words.textContent = plyWords(ply, this.review.game);
    this.renderThoughts();
    this.renderBoards();
    this.renderCharts();
  }

  renderBoards() {
    const ply = this.review.plies[this.ply];
    const { game } = this.review;
    const thinker = this.turnNow();
    const heat = heatOf(thinker?.turn, this.heat);
    const marks = this.inside.marks();
    const last = ply.move && isMove(ply.move) ? [fromOf(ply.move), toOf(ply.move)] : [];
    this.boards.truth.render({
      cells: parseBoard(ply.truth),
      viewer: null,
      darkness: "",
      bottom: this.bottom,
      last,
      heat,
      ...marks,
    });
    for (const side of /** @type {Side[]} */ (["white", "black"])) {
      const cells = cellsOf(ply.views[side], game, side);
      if (ply.sensed && ply.side === side) addSensed(cells, ply.sensed.squares);
      this.boards[side].render({
        cells,
        viewer: side,
        darkness: darknessOf(game),
        bottom: this.bottom,
        last: ply.side === side ? last : [],
        heat: thinker?.side === side ? heat : null,
        ...(thinker?.side === side ? marks : {}),
      });
    }
  }

  renderViews() {
    const { frames, views } = this.parts;
    frames.className = `frames show-${this.shown}`;
    if (views.childElementCount > 0) return;
    const options = [
      { value: "white", text: "White’s view" },
      { value: "truth", text: "Truth" },
      { value: "black", text: "Black’s view" },
      { value: "all", text: "All three" },
    ];
    views.append(
      choice("Boards", options, this.shown, (shown) => {
        this.shown = /** @type {Shown} */ (shown);
        this.render();
      }),
    );
  }

  /** @returns {{side: Side, turn: Turn} | null} whose thoughts belong to the position shown */
  turnNow() {
    for (const side of /** @type {Side[]} */ (["white", "black"])) {
      const turn = this.thoughts[side].find(({ ply }) => ply === this.ply);
      if (turn) return { side, turn };
    }
    return null;
  }

  think() {
    this.thinking?.stop();
    this.problem = "";
    this.done = false;
    this.thinking = new Thinking(this.source, (thoughts, done, error) => {
      this.thoughts = thoughts;
      this.done = done;
      this.problem = error ?? "";
      if (this.heat === "none" && thoughts.white.length + thoughts.black.length > 0 && !this.warmed) {
        this.warmed = true;
        this.heat = "any";
      }
      this.render();
    });
    this.thinking.start(this.movetime);
    this.render();
  }

  renderThoughts() {
    const state = `${this.thinking !== null} ${this.done} ${this.problem}`;
    if (this.thoughtState !== state) this.buildThoughts();
    this.thoughtState = state;
    this.renderTurn();
  }

  buildThoughts() {
    const times = ["50ms", "200ms", "500ms", "1s", "3s"].map((value) => ({
      value,
      text: `${value.replace(/(\d)(m?s)$/, "$1 $2")} a move`,
    }));
    const start = make(
      "button",
      { type: "button", class: "main", onclick: () => this.think() },
      this.thinking ? "Think again" : "Let the engine think about it",
    );
    fill(
      this.parts.thoughts,
      make("h2", {}, "What could each side know?"),
      this.thinking
        ? null
        : make(
            "p",
            { class: "note" },
            "At each turn the engine gets what that side was told, no more: what it believes, what it would play, how good it feels.",
          ),
      make(
        "div",
        { class: "think" },
        select("Time", times, this.movetime, (value) => (this.movetime = value)),
        start,
      ),
      this.problem ? make("p", { class: "problem", role: "alert" }, this.problem) : null,
      this.parts.progress,
      this.thinking
        ? choice("Where it believes enemy men to be", HEATS, this.heat, (value) => ((this.heat = value), this.render()))
        : null,
      this.parts.turn,
      this.inside.element,
    );
  }

  renderTurn() {
    const { white, black } = this.thoughts;
    const total = this.review.plies.length - 1;
    this.parts.progress.textContent =
      !this.thinking || this.done ? "" : `Thinking: ${white.length + black.length} of ${total} turns`;
    const now = this.turnNow();
    fill(
      this.parts.turn,
      ...(now
        ? turnDetails(now.side, now.turn)
        : this.thinking
          ? [make("p", { class: "note" }, "No thoughts on this position yet.")]
          : []),
    );
    const sizes = now ? sensingWords(this.thoughts[now.side], now.turn) : "";
    this.inside.render(now?.turn ?? null, sizes, this.bottom);
  }

  renderCharts() {
    const { white, black } = this.thoughts;
    if (white.length + black.length === 0) return;
    const plies = this.review.plies.length - 1;
    const base = { plies, cursor: this.ply, onPick: (/** @type {number} */ ply) => this.go(ply) };
    const sizes = (/** @type {Turn[]} */ turns) =>
      turns.map((turn) => ({ ply: turn.ply, value: Math.log10(Math.max(1, turn.belief.size)), hollow: isSense(turn) }));
    const senses = [...white, ...black].some(isSense);
    const marks = decades(Math.max(10, ...[...white, ...black].map(({ belief }) => belief.size)));
    fill(
      this.parts.charts,
      this.decision(),
      lineChart({
        ...base,
        title: "Evaluation (up is good for White)",
        text: "Each side’s own estimate at its turns.",
        lines: [
          { side: "white", name: "as White felt", points: white.map(({ ply, value }) => ({ ply, value })) },
          { side: "black", name: "as Black felt", points: black.map(({ ply, value }) => ({ ply, value: -value })) },
        ],
        range: [-1, 1],
        marks: [-1, -0.5, 0, 0.5, 1].map((value) => ({
          value,
          text: value === 0 ? "0" : signed(value).replace(/0$/, ""),
        })),
      }),
      lineChart({
        ...base,
        title: senses ? "Positions held possible: ○ before sensing, ● after it" : "Positions held possible",
        text: "A logarithmic scale.",
        lines: [
          { side: "white", name: "by White", points: sizes(white) },
          { side: "black", name: "by Black", points: sizes(black) },
        ],
        range: [
          0,
          Math.max(1, marks[marks.length - 1].value, ...[...sizes(white), ...sizes(black)].map(({ value }) => value)),
        ],
        marks,
      }),
    );
  }

  /** @returns {HTMLElement | null} */
  decision() {
    const swing = largestSwing(this.thoughts);
    if (!swing || !this.done) return null;
    const name = swing.side === "white" ? "White" : "Black";
    const between = [swing.ply - 1, swing.ply]
      .map((ply) => this.review.plies[ply]?.san)
      .filter(Boolean)
      .join(" ");
    const way = swing.after > swing.before ? "rose" : "fell";
    const next = this.review.plies[swing.ply + 1]?.ply ?? this.review.plies[swing.ply].ply + 1;
    return make(
      "p",
      { class: "decision" },
      make("b", {}, "Where it was decided: "),
      `before move ${Math.ceil(next / 2)} ${name}’s hopes ${way} from ${signed(swing.before)} to ${signed(swing.after)}${between ? `, after ${between}` : ""}. `,
      make("button", { type: "button", onclick: () => this.go(swing.ply) }, "Show"),
    );
  }
}

/**
 * @param {ReviewPly} ply
 * @param {GameName} game
 */
function plyWords(ply, game) {
  if (!ply.side) return "The start.";
  const number = `${Math.ceil(ply.ply / 2)}${ply.side === "white" ? "." : "…"}`;
  return `${number} ${ply.san ?? ply.move ?? ""} ${game === "fog" ? "" : ply.text}`;
}

/**
 * @param {Side} side
 * @param {Turn} turn
 * @returns {HTMLElement[]}
 */
function turnDetails(side, turn) {
  const name = side === "white" ? "White" : "Black";
  const { size, exact } = turn.belief;
  const about = `${exact ? "" : "about "}${size.toLocaleString("en")} position${size === 1 ? "" : "s"}`;
  const shown = turn.strategy.slice(0, 8);
  if (turn.move && !shown.some(({ move }) => move === turn.move)) {
    shown.push(turn.strategy.find(({ move }) => move === turn.move) ?? { move: turn.move, probability: 0, played: 0 });
  }
  const heads = ["Move", "Mixed strategy", "Would play", "Worth"].map((head) => make("th", { scope: "col" }, head));
  return [
    make("p", {}, make("b", {}, `${name} to move`), ` held ${about} possible and felt ${signed(turn.value)}.`),
    make(
      "table",
      {},
      make("thead", {}, make("tr", {}, ...heads)),
      make("tbody", {}, ...shown.map((each) => strategyRow(each, each.move === turn.move))),
    ),
  ];
}

/**
 * @param {Choice} choice
 * @param {boolean} chosen whether it was the move of the game
 */
function strategyRow({ move, probability, played, value }, chosen) {
  const portion = make("i", { class: "portion" });
  portion.style.width = `${Math.round(100 * probability)}%`;
  return make(
    "tr",
    { class: chosen ? "chosen" : "" },
    make("th", { scope: "row" }, move, chosen ? make("span", { class: "tag" }, "in the game") : null),
    make("td", { class: "frequency" }, portion, make("span", {}, percent(probability))),
    make("td", {}, typeof played === "number" ? percent(played) : ""),
    make("td", {}, typeof value === "number" ? signed(value) : ""),
  );
}

/** @param {number} share */
const percent = (share) => `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;
