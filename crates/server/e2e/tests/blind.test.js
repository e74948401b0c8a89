// Kriegspiel and RBC: tries, the umpire, windows and pencil marks.

import assert from "node:assert/strict";
import test from "node:test";
import { PHONE, clickMove, label, openGame, ownTurn, shot, square, until } from "../browser.js";

test("Kriegspiel: a refused try, then Any?, then a move", async (t) => {
  const { page, now } = await openGame(t, { game: "kriegspiel", ruleset: "english", opponent: "random", seed: 1 });
  assert.equal(await label(page, "e5"), "e5, unknown");
  await clickMove(page, "e2d3");
  await page.locator(".moves .refused").waitFor();
  assert.match(await label(page, "e2"), /white pawn/);
  await page.getByRole("button", { name: "Any?" }).click();
  await until(now, (state) => !state.moves.includes("any?"));
  await shot(page, "kriegspiel");
  await clickMove(page, "e2e4");
  await until(now, (state) => state.log.some((entry) => entry.side === "white" && entry.move === "e2e4"));
  // The page hears of it a little later than whoever asks the server.
  await until(
    () => label(page, "e4"),
    (text) => /white pawn/.test(text),
  );
  await until(now, ownTurn);
  await until(
    () => page.locator(".past").textContent(),
    (text) => text.length > 0,
  );
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
  const { page, now } = await openGame(t, { game: "rbc", opponent: "random", seed: 1 });
  await square(page, "e7").hover();
  assert.match(await label(page, "d8"), /in the window/);
  await shot(page, "rbc-aim");
  await square(page, "e7").click();
  await until(now, (state) => state.phase === "move");
  await page.getByText("Your move").waitFor();
  assert.equal(await label(page, "e8"), "e8, black king, seen now");
  assert.equal(await label(page, "a8"), "a8, unknown");
  await shot(page, "rbc-seen");
  await clickMove(page, "e2e4");
  await until(now, (state) => state.side === state.turn && state.phase === "sense");
  assert.match(await label(page, "e8"), /black king seen \d/);
  await square(page, "e7").focus();
  await page.keyboard.press("ArrowDown");
  assert.match(await label(page, "e5"), /in the window/);
  await page.keyboard.press("Enter");
  await until(now, (state) => state.phase === "move");
  await page.getByRole("button", { name: "Pass" }).click();
  await until(now, (state) => state.side === state.turn && state.phase === "sense");
});

test("RBC with fingers: the first touch shows the window, the second looks", async (t) => {
  const { page, now } = await openGame(t, { game: "rbc", opponent: "random", seed: 1 }, PHONE);
  await square(page, "d7").tap();
  assert.match(await label(page, "c8"), /in the window/);
  assert.equal((await now()).phase, "sense");
  await shot(page, "phone-rbc");
  await square(page, "d7").tap();
  await until(now, (state) => state.phase === "move");
});
