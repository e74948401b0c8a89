// Kriegspiel and RBC: tries, the umpire, windows and pencil marks.

import assert from "node:assert/strict";
import test from "node:test";
import { PHONE, clickMove, label, openGame, ownTurn, play, says, shot, square } from "../browser.js";

const status = (page, words) => page.locator(".status", { hasText: words }).waitFor();

test("Kriegspiel: a refused try, then Any?, then a move", async (t) => {
  const { page } = await openGame(t, { game: "kriegspiel", ruleset: "english", opponent: "random", seed: 1 });
  assert.equal(await label(page, "e5"), "e5, unknown");
  await clickMove(page, "e2d3");
  await page.locator(".moves .refused").waitFor();
  assert.match(await label(page, "e2"), /white pawn/);
  await page.getByRole("button", { name: "Any?" }).click();
  await page.locator(".moves .question").waitFor();
  await page.getByRole("button", { name: "Any?" }).waitFor({ state: "detached" });
  await shot(page, "kriegspiel");
  await play(page, "e2e4");
  await says(page, "e4", "white pawn");
  await ownTurn(page);
  await page.locator(".past:not(:empty)").waitFor();
});

test("pencil marks stay over a reload", async (t) => {
  const { page } = await openGame(t, { game: "kriegspiel", opponent: "random" });
  await page.getByRole("button", { name: "Pencil" }).click();
  await page.getByRole("button", { name: "Pencil a queen" }).click();
  await square(page, "d5").click();
  assert.equal(await label(page, "d5"), "d5, unknown, pencilled black queen");
  await page.reload();
  await page.locator(".board").waitFor();
  assert.equal(await label(page, "d5"), "d5, unknown, pencilled black queen");
  await shot(page, "pencil");
  await page.getByRole("button", { name: "Pencil" }).click();
  await page.getByRole("button", { name: "Clear all" }).click();
  assert.equal(await label(page, "d5"), "d5, unknown");
});

test("RBC: look, see, move", async (t) => {
  const { page } = await openGame(t, { game: "rbc", opponent: "random", seed: 1 });
  await square(page, "e7").hover();
  await says(page, "d8", "in the window");
  await shot(page, "rbc-aim");
  await square(page, "e7").click();
  await status(page, "Your move");
  assert.equal(await label(page, "e8"), "e8, black king, seen now");
  assert.equal(await label(page, "a8"), "a8, unknown");
  await shot(page, "rbc-seen");
  await play(page, "e2e4");
  await status(page, "choose a window");
  assert.match(await label(page, "e8"), /black king seen \d/);
  await square(page, "e7").focus();
  await page.keyboard.press("ArrowDown");
  await says(page, "e5", "in the window");
  await page.keyboard.press("Enter");
  await status(page, "Your move");
  await page.getByRole("button", { name: "Pass" }).click();
  await status(page, "choose a window");
});

test("RBC with fingers: the first touch shows the window, the second looks", async (t) => {
  const { page, now } = await openGame(t, { game: "rbc", opponent: "random", seed: 1 }, PHONE);
  await square(page, "d7").tap();
  await says(page, "c8", "in the window");
  assert.equal((await now()).phase, "sense");
  await shot(page, "phone-rbc");
  await square(page, "d7").tap();
  await status(page, "Your move");
});
