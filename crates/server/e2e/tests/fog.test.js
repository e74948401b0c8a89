// Fog of War by clicks, drags and keys, from the first click to the review.

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
  play,
  playAndWait,
  shot,
  square,
} from "../browser.js";

/** A choice that brings games to their end: take the king, take anything, else go forward. */
function choose(state, turn) {
  const seen = new Map();
  state.view
    .split(" ")[0]
    .split("/")
    .forEach((row, top) => {
      let file = 0;
      for (const letter of row) {
        if (/[1-8]/.test(letter)) file += Number(letter);
        else seen.set("abcdefgh"[file++] + (8 - top), letter);
      }
    });
  const worth = (move) => "?pnbrqk".indexOf((seen.get(move.slice(2, 4)) ?? "?").toLowerCase());
  const best = Math.max(...state.moves.map(worth));
  const good = state.moves.filter((move) => worth(move) === best);
  return good[(turn * 7) % good.length];
}

test("a whole game by clicks against the engine, from two clicks to the review", async (t) => {
  const page = await open(t, "", { keep: { wish: { opponent: "obscuro", movetime: "50ms" } } });
  await page.getByRole("button", { name: "Play Fog of War" }).click();
  await page.locator("dialog.newgame").waitFor();
  await shot(page, "new-game");
  await page.getByRole("button", { name: "Start" }).click();
  await page.waitForURL(/#\/game\//);
  const id = page.url().split("/").pop();
  const secret = await page.evaluate((key) => JSON.parse(localStorage.getItem(`scuro.seat.${key}`)), id);
  assert.ok(secret && !page.url().includes(secret));
  const now = () => api("GET", `/games/${id}`, { secret });
  await ownTurn(page);
  await shot(page, "game-start");
  for (let turn = 0; turn < 250; turn += 1) {
    const state = await now();
    if (state.result) break;
    await playAndWait(page, choose(state, turn));
    if (turn === 5) await shot(page, "game-in-fog");
  }
  await page.getByRole("link", { name: "Review the game" }).waitFor();
  await shot(page, "game-over");
  await page.getByRole("link", { name: "Review the game" }).click();
  await page.locator(".frames .board").first().waitFor();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Home");
  assert.equal(await page.locator(".words").textContent(), "The start.");
});

test("the engine's thoughts in the review", async (t) => {
  const { page, state, now } = await openGame(t, { game: "fog", opponent: "obscuro", movetime: "50ms", seed: 1 });
  for (const move of ["e2e4", "d1h5", "h5e5"]) {
    const { result, moves } = await now();
    if (result) break;
    await playAndWait(page, moves.includes(move) ? move : moves[0]);
  }
  if (!(await now()).result) {
    await page.getByRole("button", { name: "Resign" }).click();
    await page.locator("dialog").getByRole("button", { name: "Resign" }).click();
  }
  await page.getByRole("link", { name: "Review the game" }).click();
  await page.getByLabel("Time").selectOption("50ms");
  await page.getByRole("button", { name: "Let the engine think" }).click();
  await page.locator(".chart").first().waitFor({ timeout: 60_000 });
  await page.locator(".decision").waitFor({ timeout: 60_000 });
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.locator(".turn table").waitFor();
  await shot(page, "review", { fullPage: true });
  for (const kind of ["Knight", "King"]) await pick(page, kind);
  assert.ok((await page.locator(".heat").count()) > 0);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save PGN" }).click();
  assert.match((await download).suggestedFilename(), /\.pgn$/);
  assert.ok(state.id);
});

test("promotion asks which, and plays it", async (t) => {
  const { page, now } = await openGame(t, { game: "fog", opponent: "random", start: "8/P6k/8/8/8/8/8/K7 w - - 0 1" });
  await square(page, "a7").click();
  await square(page, "a8").click();
  await page.locator("dialog.promotion").waitFor();
  await shot(page, "promotion");
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
  assert.equal((await now()).log.length, 0);
  await play(page, "a7a8n");
  assert.equal((await now()).log[0].move, "a7a8n");
  assert.match(await label(page, "a8"), /white knight/);
});

test("castling by the king's step and onto the rook", async (t) => {
  const start = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
  const short = await openGame(t, { game: "fog", opponent: "random", start });
  await square(short.page, "e1").click();
  assert.match(await label(short.page, "h1"), /can go here/);
  await square(short.page, "h1").click();
  await listed(short.page, 1);
  assert.equal((await short.now()).log[0].move, "e1g1");
  const long = await openGame(t, { game: "fog", opponent: "random", start });
  await drag(long.page, "e1", "c1");
  await listed(long.page, 1);
  assert.equal((await long.now()).log[0].move, "e1c1");
});

test("taking the king ends the game, with the reason", async (t) => {
  const { page } = await openGame(t, { game: "fog", opponent: "random", start: "4k3/8/8/8/8/8/8/4R2K w - - 0 1" });
  assert.equal(await label(page, "e8"), "e8, black king, seen now");
  assert.equal(await label(page, "a8"), "a8, fog");
  await drag(page, "e1", "e8");
  await page.locator(".status.over").waitFor();
  assert.match(await page.locator(".status").textContent(), /White wins.*king/i);
  assert.match(await page.locator("[role=log]").textContent(), /White wins/);
  await pick(page, "Truth");
  assert.equal(await label(page, "a8"), "a8, empty");
});

test("reload in the middle, and go on", async (t) => {
  const { page, now } = await openGame(t, { game: "fog", opponent: "random", seed: 3 });
  await playAndWait(page, "e2e4");
  await page.reload();
  await ownTurn(page);
  assert.match(await label(page, "e4"), /white pawn/);
  await play(page, "b1c3");
  assert.equal((await now()).log[2].move, "b1c3");
});

test("the line is cut and comes back", async (t) => {
  const state = await api("POST", "/games", { body: { game: "fog", opponent: "random" } });
  const page = await open(t, "", { keep: { [`seat.${state.id}`]: state.secret } });
  let mend;
  const seen = new Promise((resolve) => (mend = resolve));
  let calls = 0;
  await page.routeWebSocket(/events/, async (socket) => {
    calls += 1;
    if (calls === 1) {
      socket.close();
      return;
    }
    await seen;
    socket.connectToServer();
  });
  await page.reload();
  await page.goto(`${ADDRESS}/#/game/${state.id}`);
  await page.getByText("Connection lost").waitFor();
  mend();
  await page.getByText("Connection lost").waitFor({ state: "hidden" });
  assert.ok(calls >= 2);
});

test("a premove waits for the turn, and is dropped with a word if it is no move then", async (t) => {
  const { page, state, now } = await openGame(t, { game: "fog", opponent: "human" });
  const other = await api("POST", `/games/${state.id}/join`, { body: { join: state.join } });
  const answer = (move) => api("POST", `/games/${state.id}/moves`, { body: { move }, secret: other.secret });
  await clickMove(page, "e2e4");
  await page.locator(".status:not(.own)").waitFor();
  await clickMove(page, "g1f3");
  assert.match(await label(page, "f3"), /premove/);
  await shot(page, "premove");
  await answer("a7a6");
  await listed(page, 3);
  assert.equal((await now()).log[2].move, "g1f3");
  await clickMove(page, "a1a8");
  await answer("b7b6");
  await page.locator(".toast").waitFor();
  assert.match(await page.locator(".toast").textContent(), /dropped/);
});

test("ghosts remember what was seen, and can be turned off", async (t) => {
  const { page } = await openGame(t, {
    game: "fog",
    opponent: "random",
    seed: 2,
    start: "4k2r/8/8/8/8/8/8/K6R w - - 0 1",
  });
  assert.equal(await label(page, "h8"), "h8, black rook, seen now");
  await playAndWait(page, "h1g1");
  assert.match(await label(page, "h8"), /h8, fog, black rook seen \d pl/);
  await shot(page, "ghost");
  await page.getByText("Settings").click();
  await page.getByLabel("Ghosts of men seen before").uncheck();
  assert.equal(await label(page, "h8"), "h8, fog");
});

test("a hint comes from the own information", async (t) => {
  const { page } = await openGame(t, { game: "fog", opponent: "random", start: "4k3/8/8/8/8/8/8/4R2K w - - 0 1" });
  await page.getByRole("button", { name: "Hint" }).click();
  await page.locator(".hint-box:not([hidden])").waitFor({ timeout: 30_000 });
  assert.match(await page.locator(".hint-box").textContent(), /e1e8/);
  await shot(page, "hint");
});

test("a clock runs and is shown", async (t) => {
  const { page } = await openGame(t, { game: "fog", opponent: "random", clock: "3m+2s" });
  await clickMove(page, "e2e4");
  await page.locator(".clock.running").first().waitFor();
  assert.match((await page.locator(".clock").allTextContents()).join(" "), /\d:\d\d/);
});
