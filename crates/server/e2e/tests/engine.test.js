// The engine in Kriegspiel and RBC: levels to play against, hints, and its thoughts in a review.

import assert from "node:assert/strict";
import test from "node:test";
import { ADDRESS, api, open, openGame, pick, shot } from "../browser.js";

test("levels are offered in every game", async (t) => {
  const page = await open(t, "");
  await page.getByRole("button", { name: "New game" }).first().click();
  for (const name of ["Fog of War", "Kriegspiel", "Reconnaissance Blind Chess"]) {
    await pick(page, name);
    assert.equal(await page.locator("dialog option[value^=level]").count(), 8, name);
    assert.equal(await page.getByRole("combobox", { name: "Engine" }).inputValue(), "level3", name);
  }
});

for (const [game, moves, turns] of /** @type {[string, string[], number][]} */ ([
  ["kriegspiel", ["e2d3", "e2e4"], 4],
  ["rbc", ["e7", "e2e4"], 5],
])) {
  test(`a hint and thoughts in ${game}`, async (t) => {
    const { page, state, now } = await openGame(t, {
      game,
      opponent: "human",
      ruleset: game === "rbc" ? undefined : "english",
    });
    const black = await api("POST", `/games/${state.id}/join`, { body: { join: state.join } });
    for (const move of moves) {
      await page.getByRole("button", { name: "Hint" }).click();
      await page.locator(".hint-box:not([hidden])").waitFor({ timeout: 30_000 });
      const hint = /know: (\S+?),/.exec(await page.locator(".hint-box").textContent())?.[1];
      assert.ok((await now()).moves.includes(hint), hint);
      await shot(page, `hint-${game}`);
      await api("POST", `/games/${state.id}/moves`, { body: { move }, secret: state.secret });
      await page.locator(".hint-box").waitFor({ state: "hidden" });
    }
    for (const move of game === "rbc" ? ["pass", "pass"] : ["e7e5"])
      await api("POST", `/games/${state.id}/moves`, { body: { move }, secret: black.secret });
    await api("POST", `/games/${state.id}/resign`, { body: {}, secret: state.secret });
    await page.goto(`${ADDRESS}/#/review/${state.id}`);
    await page.getByLabel("Time").selectOption("50ms");
    await page.getByRole("button", { name: "Let the engine think" }).click();
    await page.locator(".decision").waitFor({ timeout: 60_000 });
    await page.keyboard.press("Home");
    for (let turn = 0; turn < turns; turn += 1) {
      await page.locator(".turn table").waitFor();
      if (turn < turns - 1) await page.keyboard.press("ArrowRight");
    }
    await shot(page, `thoughts-${game}`);
  });
}
