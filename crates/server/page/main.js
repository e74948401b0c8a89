// The story of the page: put up the frame, then show what the fragment of the address names.
//   #/  #/game/ID  #/join/ID/WORD  #/review/ID  #/load  #/record (what was loaded)  #/rules/GAME

/** @import { GameName, Review } from "./types.js" */
import * as api from "./api.js";
import { installAppearance, settingsMenu } from "./appearance.js";
import { fill, make } from "./dom.js";
import { GamePage } from "./game.js";
import { HomePage } from "./home.js";
import { LoadPage } from "./load.js";
import { learnLevels } from "./names.js";
import { openNewGame } from "./newgame.js";
import { ReviewPage } from "./review.js";
import { rulesPage } from "./rules.js";
import { installSpeech } from "./speech.js";
import { secretOf } from "./store.js";

/** @typedef {{element: HTMLElement, close: () => void}} Page */

const place = /** @type {HTMLElement} */ (document.getElementById("place"));

/** @type {Page | null} */
let page = null;

/** The record that was loaded last. @type {{record: string, review: Review} | null} */
let loaded = null;

/** Counts addresses gone to, so that a slow answer does not replace a newer page. */
let visit = 0;

/**
 * @param {string[]} parts of the fragment
 * @returns {Promise<Page>}
 */
async function pageFor([kind = "", id = "", word = ""]) {
  switch (kind) {
    case "":
      return new HomePage();
    case "game":
      return new GamePage(await api.getGame(id));
    case "join":
      return joined(id, word);
    case "review":
      return new ReviewPage(await api.reviewGame(id), { id });
    case "load":
      return new LoadPage((record, review) => {
        loaded = { record, review };
        location.hash = "#/record";
      });
    case "record":
      if (!loaded) throw new Error("No record is loaded.");
      return new ReviewPage(loaded.review, { record: loaded.record });
    case "rules":
      return { element: rulesPage(/** @type {GameName} */ (id || "fog")), close: () => {} };
    default:
      throw new Error("There is no such page.");
  }
}

/**
 * Takes the other seat; who has a seat already goes to it.
 * @param {string} id
 * @param {string} word
 * @returns {Promise<Page>}
 */
async function joined(id, word) {
  if (!secretOf(id)) await api.joinGame(id, word);
  location.replace(`#/game/${id}`);
  return { element: make("p", { class: "note" }, "Joining …"), close: () => {} };
}

/** @param {Page} next */
function show(next) {
  page?.close();
  page = next;
  fill(place, next.element);
}

async function route() {
  const mine = ++visit;
  const parts = location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  document.title = "Scuro";
  document.querySelectorAll("dialog").forEach((dialog) => dialog.close());
  let next;
  try {
    learnLevels((await api.start()).levels);
    next = await pageFor(parts);
  } catch (error) {
    next = { element: problemPage(error instanceof Error ? error.message : String(error)), close: () => {} };
  }
  if (mine !== visit) {
    next.close();
    return;
  }
  show(next);
  if (mine > 1) place.focus({ preventScroll: true });
}

/** @param {string} text */
function problemPage(text) {
  return make(
    "section",
    { class: "lost" },
    make("h1", {}, "Nothing to see here"),
    make("p", { role: "alert" }, text),
    make(
      "div",
      { class: "buttons" },
      make("button", { type: "button", onclick: () => route() }, "Try again"),
      make("a", { class: "button", href: "#/" }, "To the start"),
    ),
  );
}

installAppearance();
installSpeech();
document.getElementById("new-game")?.addEventListener("click", () => openNewGame());
document.getElementById("menu")?.append(settingsMenu());
window.addEventListener("hashchange", route);
route();
