// The first page: the three games, and the games kept on the server under this browser's name.

/** @import { GameInfo, GameName, KeptGame } from "./types.js" */
import * as api from "./api.js";
import { confirm, toast } from "./dialogs.js";
import { fill, make } from "./dom.js";
import { GAME_NAMES, playerName } from "./names.js";
import { openNewGame } from "./newgame.js";
import { pieceImage } from "./pieces.js";
import { forgetGame, keepSecret } from "./store.js";

const PAGE = 20;

/** @type {Record<GameName, {text: string, men: string}>} */
const ABOUT = {
  fog: { text: "You see your own men and the squares they can move to. Take the king.", men: "Nk" },
  kriegspiel: { text: "You see your own men only, try moves, and hear what the umpire says. Mate wins.", men: "Qb" },
  rbc: { text: "Look at a window of nine squares, then ask for a move. Take the king.", men: "Rp" },
};

export class HomePage {
  constructor() {
    this.cards = make("div", { class: "cards" });
    this.games = make("ul", { class: "kept" });
    this.count = make("p", { class: "note", role: "status" });
    this.more = make(
      "button",
      { type: "button", hidden: true, onclick: () => this.load(this.offset + PAGE) },
      "More games",
    );
    this.offset = 0;
    this.search = make("input", {
      type: "search",
      placeholder: "opponent, game, result …",
      oninput: () => this.searchSoon(),
    });
    this.element = make(
      "div",
      { class: "home" },
      make(
        "section",
        { class: "hero" },
        make("h1", {}, "Chess in the dark"),
        make("p", {}, "The enemy’s army is hidden. Choose your darkness."),
      ),
      this.cards,
      make(
        "section",
        { "aria-labelledby": "kept-title" },
        make(
          "div",
          { class: "kept-head" },
          make("h2", { id: "kept-title" }, "Your games"),
          make("label", { class: "field search" }, make("span", {}, "Search"), this.search),
        ),
        this.count,
        this.games,
        this.more,
      ),
    );
    this.offer();
    this.load(0);
  }

  close() {
    clearTimeout(this.timer);
  }

  async offer() {
    try {
      const { games } = await api.start();
      fill(this.cards, ...games.map(card));
    } catch (error) {
      fill(this.cards, make("p", { class: "problem" }, error instanceof Error ? error.message : String(error)));
    }
  }

  searchSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.load(0), 200);
  }

  /** @param {number} offset */
  async load(offset) {
    try {
      const { total, games } = await api.keptGames(this.search.value, offset, PAGE);
      this.offset = offset;
      if (offset === 0) this.games.replaceChildren();
      this.games.append(...games.map((game) => this.row(game)));
      this.count.textContent = countText(total, this.search.value);
      this.more.hidden = this.games.childElementCount >= total;
    } catch (error) {
      this.count.textContent = error instanceof Error ? error.message : String(error);
    }
  }

  /** @param {KeptGame} game */
  row(game) {
    keepSecret(game.id, game.secret);
    const over = game.result !== null;
    const players = `${playerName(game.players.white)} – ${playerName(game.players.black)}`;
    const action = (/** @type {string} */ text, /** @type {() => void} */ onclick) =>
      make("button", { type: "button", "aria-label": `${text}: ${players}`, onclick }, text);
    const open = make(
      "a",
      {
        class: "button main",
        href: over ? `#/review/${game.id}` : `#/game/${game.id}`,
        "aria-label": `${over ? "Review" : "Continue"}: ${players}`,
      },
      over ? "Review" : "Continue",
    );
    const element = make(
      "li",
      {},
      make("div", { class: "about" }, make("strong", {}, players), make("span", { class: "note" }, rowText(game))),
      make(
        "div",
        { class: "buttons" },
        open,
        over ? action("PGN", () => download(game.id, "pgn")) : null,
        over ? action("JSON", () => download(game.id, "json")) : null,
        action("Delete", () => this.remove(game, element)),
      ),
    );
    return element;
  }

  /**
   * @param {KeptGame} game
   * @param {HTMLElement} row
   */
  async remove(game, row) {
    if (!(await confirm("Delete this game?", "Delete", "It leaves the server’s file and cannot be brought back.")))
      return;
    try {
      await api.deleteGame(game.id);
      forgetGame(game.id);
      row.remove();
      this.load(0);
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error));
    }
  }
}

/** @param {GameInfo} info */
function card(info) {
  const about = ABOUT[info.game];
  return make(
    "article",
    { class: "card" },
    make(
      "div",
      { class: "card-board", "aria-hidden": "true" },
      ...[...(about?.men ?? "")].map((man) => make("span", {}, pieceImage(man))),
    ),
    make("h2", {}, info.name),
    make("p", {}, about?.text ?? ""),
    make(
      "div",
      { class: "buttons" },
      make(
        "button",
        { type: "button", class: "main", "aria-label": `Play ${info.name}`, onclick: () => openNewGame(info.game) },
        "Play",
      ),
      make("a", { class: "button", href: `#/rules/${info.game}`, "aria-label": `Rules of ${info.name}` }, "Rules"),
    ),
  );
}

/** @param {KeptGame} game */
function rowText(game) {
  const moves = Math.ceil(game.ply / 2);
  const when = new Date(typeof game.changed === "number" && game.changed < 1e12 ? game.changed * 1000 : game.changed);
  const parts = [
    GAME_NAMES[game.game] ?? game.game,
    `${moves} move${moves === 1 ? "" : "s"}`,
    game.result?.text ?? "not over",
  ];
  if (!Number.isNaN(when.getTime())) parts.push(when.toLocaleString([], { dateStyle: "medium", timeStyle: "short" }));
  return parts.join(" · ");
}

/**
 * @param {number} total
 * @param {string} search
 */
function countText(total, search) {
  if (total === 0) return search ? "No game fits." : "None yet. They are kept here when you play.";
  return `${total} game${total === 1 ? "" : "s"}`;
}

/**
 * @param {string} id
 * @param {"pgn" | "json"} format
 */
async function download(id, format) {
  try {
    await api.downloadRecord(id, format);
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error));
  }
}
