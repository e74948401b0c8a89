// What the page shows, says, sounds and moves does not depend on what the player cannot know: two games that differ
// only there give the same page.

import assert from "node:assert/strict";
import test from "node:test";
import { ADDRESS, api, clickMove, open } from "../browser.js";

/** White's page after each of Black's moves: the picture, the words, and how many tones and slides there were. */
async function whitesPages(t, game, whites, blacks) {
  const state = await api("POST", "/games", { body: { game, opponent: "human" } });
  const black = await api("POST", `/games/${state.id}/join`, { body: { join: state.join } });
  const page = await open(t, "", { keep: { [`seat.${state.id}`]: state.secret } });
  await page.addInitScript(() => {
    window.counted = { tones: 0, slides: 0 };
    const { createGain } = BaseAudioContext.prototype;
    BaseAudioContext.prototype.createGain = function () {
      window.counted.tones += 1;
      return createGain.call(this);
    };
    const { animate } = Element.prototype;
    Element.prototype.animate = function (...words) {
      window.counted.slides += 1;
      return animate.apply(this, words);
    };
  });
  await page.reload();
  await page.goto(`${ADDRESS}/#/game/${state.id}`);
  const seen = [];
  for (const [turn, move] of whites.entries()) {
    await page.locator(".status.own").waitFor();
    await clickMove(page, move);
    await page.locator(".status:not(.own)").waitFor();
    await api("POST", `/games/${state.id}/moves`, { body: { move: blacks[turn] }, secret: black.secret });
    await page.locator(".status.own").waitFor();
    seen.push(
      await page.evaluate((id) => {
        const content = document.querySelector("main").innerHTML + document.querySelector("[role=log]").innerHTML;
        return { content: content.replaceAll(id, "ID"), ...window.counted };
      }, state.id),
    );
  }
  return seen;
}

/** Compares tag by tag, so that a difference is short to read. */
function assertSame(one, other) {
  for (const [turn, page] of one.entries()) {
    const [left, right] = [page, other[turn]].map(({ content }) => content.split("<"));
    const different = left.findIndex((tag, index) => tag !== right[index]);
    assert.equal(left[different], right[different], `turn ${turn}`);
    assert.deepEqual({ ...page, content: "" }, { ...other[turn], content: "" }, `turn ${turn}`);
  }
}

test("in the fog, unseen moves of the opponent all look and sound alike", async (t) => {
  const whites = ["e2e4", "a2a3", "b2b3"];
  const one = await whitesPages(t, "fog", whites, ["h7h6", "g8f6", "f6g8"]);
  const other = await whitesPages(t, "fog", whites, ["g7g6", "f8g7", "e8f8"]);
  assertSame(one, other);
});

test("in Kriegspiel, silent moves of the opponent all look and sound alike", async (t) => {
  const whites = ["e2e4", "a2a3", "b2b3"];
  const one = await whitesPages(t, "kriegspiel", whites, ["h7h6", "g8f6", "f6g8"]);
  const other = await whitesPages(t, "kriegspiel", whites, ["g7g6", "f8g7", "e8f8"]);
  assertSame(one, other);
});
