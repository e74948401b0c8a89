// What a player that judges made of each choice at a turn: the scores with their parts, and what the window of a sense
// may show. Pointing at a choice, or walking to it with the arrow keys, looks at it.

/** @import { Insight, LikelyAnswer, Side, Turn } from "./types.js" */
import { draw, fill, make } from "./dom.js";
import { fromOf, isMove, toOf } from "./moves.js";
import { pieceImage } from "./pieces.js";
import { fileOf, pieceName, rankOf, squareAt, windowAround } from "./squares.js";

/** What the parts of scores mean. @type {Record<string, string>} */
const MEANINGS = {
  outcome: "what the best request is worth once the answer is known",
  nats: "how much the answer tells",
  answers: "how many there may be",
  king: "the chance to take the king",
  mean: "what it is worth otherwise, on average",
  least: "and at worst",
  value: "what it is worth where it is legal",
  legal: "how likely that is",
  "mates in": "the most moves until mate, as is proved",
};

export class Inside {
  /** @param {() => void} onLook another choice is looked at */
  constructor(onLook) {
    this.onLook = onLook;
    /** @type {Turn | null} */
    this.turn = null;
    /** The choice that is looked at, and the one that is when nothing is pointed at. @type {Insight | undefined} */
    this.looked = undefined;
    /** @type {Insight | undefined} */
    this.picked = undefined;
    /** @type {Side} */
    this.bottom = "white";
    this.sizes = make("p", { class: "note" });
    this.answers = make("div", { class: "shows" });
    this.element = make("section", { class: "inside", "aria-label": "What each choice is worth" });
  }

  /**
   * @param {Turn | null} turn
   * @param {string} sizes what sensing did to the belief, in words
   * @param {Side} bottom
   */
  render(turn, sizes, bottom) {
    this.sizes.textContent = sizes;
    if (turn === this.turn && bottom === this.bottom) return;
    this.turn = turn;
    this.bottom = bottom;
    const choices = turn?.choices;
    this.picked = this.looked = choices?.find(({ chosen }) => chosen);
    this.element.hidden = !choices;
    if (!choices) return fill(this.element);
    const sensing = choices.some(({ answers }) => answers.length > 0);
    fill(
      this.element,
      make("h3", {}, choices.length === 0 || sensing ? "What each sense is worth" : "What each request is worth"),
      this.sizes,
      ...(choices.length === 0
        ? [make("p", { class: "note" }, "There was nothing to compare: one position was possible.")]
        : [this.table(choices), this.answers, legend(choices[0])]),
    );
    this.renderAnswers();
  }

  /** @returns {{window?: Set<string>, hint?: string[]}} the squares of the choice that is looked at */
  marks() {
    const choice = this.looked?.choice;
    if (!choice || choice === "pass") return {};
    return isMove(choice) ? { hint: [fromOf(choice), toOf(choice)] } : { window: new Set(windowAround(choice)) };
  }

  /** @param {Insight | undefined} insight */
  look(insight) {
    if (this.looked === insight) return;
    this.looked = insight;
    this.renderAnswers();
    this.onLook();
  }

  renderAnswers() {
    const { looked } = this;
    const answers = looked?.answers ?? [];
    fill(
      this.answers,
      ...(looked && answers.length > 0
        ? [
            make("p", {}, make("b", {}, `${looked.choice} may show`)),
            locator(looked.choice, this.bottom),
            make("ul", {}, ...answers.map((each) => answerItem(looked.choice, each, this.bottom))),
          ]
        : []),
    );
  }

  /** @param {Insight[]} choices */
  table(choices) {
    const names = Object.keys(choices[0].parts);
    const decimals = names.map((name) => (choices.every(({ parts }) => Number.isInteger(parts[name])) ? 0 : 3));
    const heads = ["Choice", "Score", ...names.map(capital)].map((head) => make("th", { scope: "col" }, head));
    const rows = choices.map((insight) =>
      make(
        "tr",
        { class: insight.chosen ? "chosen" : "", onpointerenter: () => this.look(insight) },
        make("th", { scope: "row" }, this.button(insight, choices)),
        make("td", {}, number(insight.score, 3)),
        ...names.map((name, index) => make("td", {}, number(insight.parts[name], decimals[index]))),
      ),
    );
    return make(
      "div",
      { class: "worths", onpointerleave: () => this.look(this.picked) },
      make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows)),
    );
  }

  /**
   * One of the buttons can be reached by Tab; the arrow keys walk from there.
   * @param {Insight} insight
   * @param {Insight[]} choices
   */
  button(insight, choices) {
    const played = insight.choice === this.turn?.move;
    const tags = [insight.chosen ? "chosen" : "", played ? "in the game" : ""].filter(Boolean).join(", ");
    const onfocus = () => {
      this.picked = insight;
      this.look(insight);
    };
    const onkeydown = (/** @type {KeyboardEvent} */ event) => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const buttons = this.element.querySelectorAll("button");
      buttons[choices.indexOf(insight) + step]?.focus();
    };
    return make(
      "button",
      { type: "button", tabIndex: insight.chosen ? 0 : -1, onfocus, onkeydown },
      insight.choice,
      tags ? make("span", { class: "tag" }, tags) : null,
    );
  }
}

/**
 * A small board that shows where a window is, for when the large one is out of sight.
 * @param {string} centre
 * @param {Side} bottom
 */
function locator(centre, bottom) {
  const [across, down] = [fileOf(centre) - 1, 6 - rankOf(centre)];
  const [x, y] = bottom === "white" ? [across, down] : [5 - across, 5 - down];
  const dark = Array.from({ length: 32 }, (_, index) => {
    const row = Math.floor(index / 4);
    return `M${2 * (index % 4) + ((row + 1) % 2)} ${row} h1 v1 h-1 z`;
  });
  return draw(
    "svg",
    { viewBox: "0 0 8 8", class: "where", "aria-hidden": "true" },
    draw("rect", { width: 8, height: 8 }),
    draw("path", { d: dark.join("") }),
    draw("rect", { class: "frame-of-window", x, y, width: 3, height: 3 }),
  );
}

/**
 * @param {string} centre
 * @param {LikelyAnswer} answer
 * @param {Side} bottom
 */
function answerItem(centre, { text, probability }, bottom) {
  const share = `${(100 * probability).toFixed(probability < 0.0995 ? 1 : 0)} %`;
  if (!text.includes("/")) return make("li", { class: "others" }, make("b", {}, share), text);
  /** @type {string[]} */
  const words = [];
  const cells = text.split("/").flatMap((row, down) =>
    [...row].map((letter, across) => {
      const square = squareAt(fileOf(centre) - 1 + across, rankOf(centre) + 1 - down) ?? centre;
      if (letter !== ".") words.push(`${pieceName(letter)} ${square}`);
      const shade = (fileOf(square) + rankOf(square)) % 2 === 0 ? "dark" : "light";
      return make("i", { class: shade }, letter === "." ? null : pieceImage(letter));
    }),
  );
  if (bottom === "black") cells.reverse();
  return make(
    "li",
    {},
    make("span", { class: "nine", role: "img", "aria-label": words.join(", ") || "nothing" }, ...cells),
    make("b", {}, share),
  );
}

/** @param {Insight} insight */
function legend({ parts }) {
  const known = Object.keys(parts).filter((name) => MEANINGS[name]);
  const text = known.map((name) => `${capital(name)}: ${MEANINGS[name]}.`).join(" ");
  return text ? make("p", { class: "note" }, text) : null;
}

/** @param {string} name */
const capital = (name) => name[0].toUpperCase() + name.slice(1).replaceAll("_", " ");

/**
 * @param {number} value
 * @param {number} decimals
 */
const number = (value, decimals) => value.toFixed(decimals).replace("-", "−");
