// Looking at the past of a game.

import assert from "node:assert/strict";
import test from "node:test";
import { label, openGame, playAndWait, says } from "../browser.js";

async function goToStart(page) {
  await page.locator(".moves").focus();
  await page.keyboard.press("Home");
  await says(page, "e2", "white pawn");
}

const past = (page, words) => page.locator(".past", { hasText: words });

test("past views by keys, and back", async (t) => {
  const { page } = await openGame(t, { game: "fog", opponent: "random", seed: 4 });
  await playAndWait(page, "e2e4");
  await goToStart(page);
  await page.keyboard.press("ArrowRight");
  assert.match(await label(page, "e4"), /white pawn/);
  await page.keyboard.press("End");
  await past(page, "You look at the past").waitFor({ state: "hidden" });
});
