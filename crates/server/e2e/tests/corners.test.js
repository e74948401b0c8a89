// Corners that people come to: the black side, clocks that run out, draws without warning, rematches, stepping through
// games that are watched, reviews of the blind games.

import assert from "node:assert/strict";
import test from "node:test";
import {
  ADDRESS,
  api,
  clickMove,
  drag,
  label,
  listed,
  open,
  openGame,
  ownTurn,
  pick,
  shot,
  square,
} from "../browser.js";

test("the black side sits below, and its keys and drags go its way", async (t) => {
  const { page, now } = await openGame(t, { game: "fog", side: "black", opponent: "random", seed: 2 });
  await ownTurn(page);
  const [own, far] = [await square(page, "e8").boundingBox(), await square(page, "e1").boundingBox()];
  assert.ok(own.y > far.y);
  await square(page, "e7").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await listed(page, 2);
  assert.equal((await now()).log[1].move, "e7e6");
  await ownTurn(page);
  await drag(page, "g8", "f6");
  await listed(page, 4);
  assert.equal((await now()).log[3].move, "g8f6");
  await page.getByRole("button", { name: "Flip" }).click();
  assert.ok((await square(page, "e1").boundingBox()).y > (await square(page, "e8").boundingBox()).y);
  await shot(page, "black-flipped");
});

test("a press on a button counts also when a move comes before it is let go", async (t) => {
  const { page, state } = await openGame(t, { game: "fog", side: "black", opponent: "human" });
  const white = await api("POST", `/games/${state.id}/join`, { body: { join: state.join } });
  await page.getByRole("button", { name: "Flip" }).hover();
  await page.mouse.down();
  await api("POST", `/games/${state.id}/moves`, { body: { move: "e2e4" }, secret: white.secret });
  await ownTurn(page);
  await page.mouse.up();
  await page.locator(".strip.bottom .dot.white").waitFor();
  assert.ok(await page.getByRole("button", { name: "Flip" }).evaluate((button) => button === document.activeElement));
});

test("a clock that runs out loses", async (t) => {
  const { page } = await openGame(t, { game: "fog", opponent: "random", clock: "2s" });
  await clickMove(page, "e2e4");
  await page.locator(".status.over").waitFor();
  assert.match(await page.locator(".status").textContent(), /Black wins.*time/i);
  await shot(page, "flag");
});

test("a draw by repetition comes with its reason", async (t) => {
  const { page, state } = await openGame(t, {
    game: "fog",
    opponent: "human",
    start: "k7/8/8/8/8/8/8/K7 w - - 0 1",
  });
  const black = await api("POST", `/games/${state.id}/join`, { body: { join: state.join } });
  const moves = ["a1b1", "a8b8", "b1a1", "b8a8"];
  for (let ply = 0; ply < 8; ply += 1) {
    const secret = ply % 2 === 0 ? state.secret : black.secret;
    await api("POST", `/games/${state.id}/moves`, { body: { move: moves[ply % 4] }, secret });
  }
  await page.locator(".status.over").waitFor();
  assert.match(await page.locator(".status").textContent(), /Draw.*repetition/i);
});

test("a rematch against the engine changes sides", async (t) => {
  const { page, state } = await openGame(t, {
    game: "fog",
    opponent: "random",
    start: "4k3/8/8/8/8/8/8/4R2K w - - 0 1",
  });
  await clickMove(page, "e1e8");
  await page.getByRole("button", { name: "Rematch" }).click();
  await page.waitForFunction((old) => location.hash.startsWith("#/game/") && !location.hash.endsWith(old), state.id);
  await page.locator(".strip.bottom .dot.black").waitFor();
});

test("a watched game can be stepped through with every view", async (t) => {
  const state = await api("POST", "/games", {
    body: { game: "rbc", white: "random", black: "random", movetime: "50ms", seed: 1 },
  });
  const page = await open(t, `#/game/${state.id}`, { keep: { [`seat.${state.id}`]: state.secret } });
  await listed(page, 6);
  await page.locator(".moves").focus();
  await page.keyboard.press("Home");
  assert.equal(await label(page, "e7"), "e7, black pawn");
  await page.getByRole("button", { name: "Forward" }).click();
  await pick(page, "White’s view");
  assert.equal(await label(page, "e7"), "e7, unknown");
  await shot(page, "watch-rbc");
});

for (const [game, moves] of [
  ["kriegspiel", ["e2e4"]],
  ["rbc", ["e7", "e2e4"]],
]) {
  test(`a game of ${game} is reviewed`, async (t) => {
    const { page, state } = await openGame(t, { game, opponent: "random", seed: 3 });
    for (const move of moves) await api("POST", `/games/${state.id}/moves`, { body: { move }, secret: state.secret });
    await listed(page, moves.length + 1);
    await ownTurn(page);
    await api("POST", `/games/${state.id}/resign`, { body: {}, secret: state.secret });
    await page.goto(`${ADDRESS}/#/review/${state.id}`);
    await page.locator(".frames .board").first().waitFor();
    await page.keyboard.press("ArrowRight");
    if (game === "rbc") await page.getByRole("gridcell", { name: "e8, black king, seen now" }).waitFor();
    await page.keyboard.press("End");
    await shot(page, `review-${game}`);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: game === "rbc" ? "Save GameHistory" : "Save PGN" }).click();
    const record = await (await download).createReadStream().then(async (stream) => {
      let text = "";
      for await (const chunk of stream) text += chunk;
      return text;
    });
    await page.goto(`${ADDRESS}/#/load`);
    await page.getByLabel("Or its text").fill(record);
    await page.getByRole("button", { name: "Review it" }).click();
    await page.waitForURL(/#\/record/);
    await page.locator(".frames .board").first().waitFor();
  });
}

test("a game without its secret says so and leads back", async (t) => {
  const page = await open(t, "#/game/0123");
  await page.getByRole("heading", { name: "Nothing to see here" }).waitFor();
  await page.getByRole("link", { name: "To the start" }).click();
  await page.locator(".card").first().waitFor();
});

test("settings last, and sounds can be turned off", async (t) => {
  const page = await open(t);
  await page.getByText("Settings").click();
  await pick(page, "High contrast");
  await page.getByLabel("Sounds").uncheck();
  await page.reload();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "contrast");
  await page.getByText("Settings").click();
  assert.equal(await page.getByLabel("Sounds").isChecked(), false);
  await shot(page, "settings");
});
