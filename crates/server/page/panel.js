// What stands beside the board: who plays, what is asked of the player now, and the buttons for it.

/** @import { Doing, Viewpoint } from "./picture.js" */
/** @import { Hint, Side, State } from "./types.js" */
import { choice, fill, make } from "./dom.js";
import { playerName } from "./names.js";
import { isOwnTurn } from "./picture.js";
import { pieceImage } from "./pieces.js";
import { other } from "./squares.js";

/**
 * @typedef {object} Actions
 * @property {() => void} flip
 * @property {() => void} resign
 * @property {(answer: "offer" | "accept" | "decline") => void} draw
 * @property {() => void} hint
 * @property {() => void} rematch
 * @property {(move: string) => void} move
 * @property {(viewpoint: Viewpoint) => void} look
 * @property {() => void} newGame
 * @property {() => void} dropPremove
 */

/**
 * @param {State} state
 * @returns {string} what is going on, in one line
 */
export function statusText(state) {
  if (state.result) return state.result.text;
  if (state.side === "watch") return `${name(state.turn)} is thinking …`;
  if (!isOwnTurn(state))
    return state.thinking ? `${name(state.turn)} is thinking …` : `Waiting for ${name(state.turn)} …`;
  if (state.phase === "sense") return "Your turn: choose a window to look at";
  return state.game === "kriegspiel" ? "Your turn: try a move" : "Your move";
}

/** @param {Side | null} side */
const name = (side) => (side === "black" ? "Black" : "White");

/**
 * The strip above or below the board: name, clock, and the men that this side has lost as far as the player knows.
 * @param {State} state
 * @param {Side} side
 * @param {HTMLElement} clock
 */
export function playerStrip(state, side, clock) {
  const turn = state.turn === side && !state.result;
  return [
    make("span", { class: `dot ${side}`, "aria-hidden": "true" }),
    make("strong", { class: turn ? "name turn" : "name" }, playerName(state.players[side] ?? name(side))),
    make("span", { class: "unseen" }, `plays ${side}${turn ? ", to move" : ""}`),
    goneMen(state, side),
    clock,
  ];
}

/**
 * @param {State} state
 * @param {Side} side
 */
function goneMen(state, side) {
  if (state.side === "watch") return make("span", { class: "gone" });
  const men = side === state.side ? state.lost : state.taken;
  const order = "qrbnp?";
  const sorted = [...men]
    .map((man) => man.toLowerCase())
    .sort((left, right) => order.indexOf(left) - order.indexOf(right));
  const pictures = sorted.map((man) =>
    man === "?" ? make("b", {}, "?") : pieceImage(side === "white" ? man.toUpperCase() : man),
  );
  const words = side === state.side ? "Your men lost" : "Men you took";
  return make(
    "span",
    { class: "gone", role: "img", "aria-label": `${words}: ${sorted.join(" ") || "none"}`, title: words },
    ...pictures,
  );
}

/**
 * @param {string} text
 * @param {() => void} onclick
 * @param {string} [kind]
 */
const button = (text, onclick, kind = "") => make("button", { type: "button", class: kind, onclick }, text);

/**
 * @param {State} state
 * @param {Doing} doing
 * @param {Actions} actions
 * @param {{asking: boolean}} waiting whether a hint is on its way
 * @returns {HTMLElement[]}
 */
export function buttons(state, doing, actions, { asking }) {
  if (state.result) return endButtons(state, actions);
  const found = [button("Flip", actions.flip)];
  if (state.side === "watch") return found;
  if (isOwnTurn(state)) {
    if (state.moves.includes("any?")) found.unshift(button("Any?", () => actions.move("any?"), "main"));
    if (state.moves.includes("pass"))
      found.unshift(button(state.phase === "sense" ? "Look at nothing" : "Pass", () => actions.move("pass")));
    found.push(
      make("button", { type: "button", disabled: asking, onclick: actions.hint }, asking ? "Thinking …" : "Hint"),
    );
  }
  if (doing.premove) found.push(button("Drop premove", actions.dropPremove));
  found.push(
    make(
      "button",
      { type: "button", disabled: state.draw === "offered", onclick: () => actions.draw("offer") },
      state.draw === "offered" ? "Draw offered" : "Offer draw",
    ),
  );
  found.push(button("Resign", actions.resign));
  return found;
}

/**
 * @param {State} state
 * @param {Actions} actions
 */
function endButtons(state, actions) {
  const review = make("a", { class: "button main", href: `#/review/${state.id}` }, "Review the game");
  const again = state.side === "watch" ? null : button("Rematch", actions.rematch);
  return [review, ...(again ? [again] : []), button("New game", actions.newGame), button("Flip", actions.flip)];
}

/**
 * Questions of the other player, and offers.
 * @param {State} state
 * @param {Actions} actions
 * @returns {HTMLElement[]}
 */
export function notices(state, actions) {
  const found = [];
  if (state.draw === "asked" && !state.result) {
    found.push(
      make(
        "div",
        { class: "notice" },
        make("p", {}, "A draw is offered."),
        make(
          "div",
          { class: "buttons" },
          button("Accept", () => actions.draw("accept"), "main"),
          button("Decline", () => actions.draw("decline")),
        ),
      ),
    );
  }
  if (state.rematch && state.result) {
    found.push(
      make(
        "div",
        { class: "notice" },
        make("p", {}, "A rematch is offered."),
        make("div", { class: "buttons" }, button("Play it", actions.rematch, "main")),
      ),
    );
  }
  return found;
}

/**
 * Whose eyes the board is seen with, where that is a choice.
 * @param {State} state
 * @param {Viewpoint} viewpoint
 * @param {Actions} actions
 * @returns {HTMLElement | null}
 */
export function viewpoints(state, viewpoint, actions) {
  if (!state.truth) return null;
  /** @type {{value: Viewpoint, text: string}[]} */
  const options =
    state.side === "watch"
      ? [
          { value: "white", text: "White’s view" },
          { value: "truth", text: "Truth" },
          { value: "black", text: "Black’s view" },
        ]
      : [
          { value: "own", text: "Your view" },
          { value: "truth", text: "Truth" },
          { value: other(state.side), text: "Theirs" },
        ];
  return choice("Seen with whose eyes", options, viewpoint, (value) => actions.look(/** @type {Viewpoint} */ (value)));
}

/**
 * @param {HTMLElement} element
 * @param {Hint | null} hint
 */
export function renderHint(element, hint) {
  element.hidden = !hint;
  if (!hint) return;
  const rows = hint.strategy
    .slice(0, 4)
    .map(({ move, probability }) => make("li", {}, make("b", {}, move), ` ${Math.round(100 * probability)} %`));
  const value = typeof hint.value === "number" ? `, worth ${signed(hint.value)}` : "";
  const { size, exact } = hint.belief;
  const about = exact ? "" : "about ";
  const possible = `${about}${size.toLocaleString("en")} position${size === 1 ? "" : "s"} possible`;
  const king = likeliest(hint.squares, "k");
  const text = king ? `${possible}; their king ${king}` : possible;
  const first = make("p", {}, `From what you know: ${hint.move}${value}`);
  fill(element, first, make("ul", {}, ...rows), make("p", {}, text));
}

/**
 * Where a piece of theirs stands most likely, in words; nothing if nowhere.
 * @param {Hint["squares"]} squares
 * @param {string} piece
 */
function likeliest(squares, piece) {
  const shares = Object.entries(squares).map(([square, pieces]) => ({
    square,
    share: pieces[piece] ?? pieces[piece.toUpperCase()] ?? 0,
  }));
  const found = shares.filter(({ share }) => share > 0).sort((one, two) => two.share - one.share);
  return found
    .slice(0, 3)
    .map(({ square, share }) => `${square} ${Math.round(100 * share)} %`)
    .join(", ");
}

/** @param {number} value */
export const signed = (value) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
