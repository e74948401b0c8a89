// Looking at the past while the game goes on: whoever does so stays there, and is told what comes.

import assert from "node:assert/strict";
import test from "node:test";
import { ADDRESS, api, clickMove, label, listed, open, openGame, play, playAndWait, says, shot } from "../browser.js";

/** White's page in a game of two people; Black moves through the API, so that the test says when. */
async function whitesPage(t) {
  const { page, state } = await openGame(t, { game: "fog", opponent: "human" });
  const black = await api("POST", `/games/${state.id}/join`, { body: { join: state.join } });
  const answer = (move) => api("POST", `/games/${state.id}/moves`, { body: { move }, secret: black.secret });
  return { page, answer };
}

async function goToStart(page) {
  await page.locator(".moves").focus();
  await page.keyboard.press("Home");
  await says(page, "e2", "white pawn");
}

const past = (page, words) => page.locator(".past", { hasText: words });

const spoken = (page) => page.locator("[role=log]").textContent();

test("past views by keys, and back", async (t) => {
  const { page } = await openGame(t, { game: "fog", opponent: "random", seed: 4 });
  await playAndWait(page, "e2e4");
  await goToStart(page);
  await page.keyboard.press("ArrowRight");
  assert.match(await label(page, "e4"), /white pawn/);
  await page.keyboard.press("End");
  await past(page, "You look at the past").waitFor({ state: "hidden" });
});

test("the state of a move that comes again by the socket changes nothing", async (t) => {
  const state = await api("POST", "/games", { body: { game: "fog", opponent: "human" } });
  const black = await api("POST", `/games/${state.id}/join`, { body: { join: state.join } });
  const page = await open(t, "", { keep: { [`seat.${state.id}`]: state.secret } });
  let hold = true;
  let arrive;
  const held = new Promise((resolve) => (arrive = resolve));
  await page.routeWebSocket(/events/, (socket) => {
    socket.connectToServer().onMessage((message) => {
      if (hold && JSON.parse(message).log.length === 1) arrive(() => socket.send(message));
      else socket.send(message);
    });
  });
  await page.reload();
  await page.goto(`${ADDRESS}/#/game/${state.id}`);
  await page.locator(".status.own").waitFor();
  await play(page, "e2e4");
  const letThrough = await held;
  hold = false;
  await goToStart(page);
  const before = await spoken(page);
  await page.evaluate(() => {
    window.redrawn = [];
    const observer = new MutationObserver(() => window.redrawn.push(document.querySelector(".notices").textContent));
    for (const part of ["main", "[role=log]"])
      observer.observe(document.querySelector(part), { childList: true, subtree: true });
  });
  letThrough();
  await api("POST", `/games/${state.id}/draw`, { body: { draw: "offer" }, secret: black.secret });
  await page.getByRole("button", { name: "Accept" }).waitFor();
  assert.deepEqual(await page.evaluate(() => window.redrawn), ["A draw is offered.AcceptDecline"]);
  assert.equal(await spoken(page), `${before}A draw is offered.`);
  assert.match(await label(page, "e2"), /white pawn/);
});

test("a move that comes while one looks at the past is told, and moves nobody", async (t) => {
  const { page, answer } = await whitesPage(t);
  await play(page, "e2e4");
  await goToStart(page);
  await answer("e7e5");
  await past(page, "Black has moved. You look at the past. Press End to come back.").waitFor();
  await page.locator(".status.own").waitFor();
  assert.match(await spoken(page), /Black has moved\..*You look at the past\. Press End to come back\.$/);
  assert.match(await label(page, "e2"), /white pawn/);
  assert.equal(await page.locator("[aria-current]").count(), 0);
  await shot(page, "past");
  await page.keyboard.press("End");
  await says(page, "e4", "white pawn");
  assert.equal(await page.locator(".past").textContent(), "");
});

test("a button leads back to the present", async (t) => {
  const { page, answer } = await whitesPage(t);
  const back = page.getByRole("button", { name: "Back to the present" });
  assert.ok(await back.isHidden());
  await play(page, "e2e4");
  await goToStart(page);
  await answer("e7e5");
  await past(page, "Black has moved").waitFor();
  await back.click();
  await says(page, "e4", "white pawn");
  assert.ok(await back.isHidden());
  assert.ok(await page.locator(".moves").evaluate((list) => list === document.activeElement));
});

test("a typed move is played from the past and leads to the present", async (t) => {
  const { page, answer } = await whitesPage(t);
  await play(page, "e2e4");
  await answer("e7e5");
  await page.locator(".status.own").waitFor();
  await goToStart(page);
  await page.getByLabel("Type a move").fill("Nf3");
  await page.getByLabel("Type a move").press("Enter");
  await listed(page, 3);
  assert.match(await label(page, "f3"), /white knight/);
  assert.equal(await page.locator(".past").textContent(), "");
});

test("a premove is played while one looks at the past, and moves nobody", async (t) => {
  const { page, answer } = await whitesPage(t);
  await play(page, "e2e4");
  await clickMove(page, "g1f3");
  await says(page, "f3", "premove");
  await goToStart(page);
  await answer("a7a6");
  await listed(page, 3);
  assert.match(await page.locator(".past").textContent(), /You played Nf3\..*You look at the past/);
  assert.match(await label(page, "e2"), /white pawn/);
  await page.keyboard.press("End");
  await says(page, "f3", "white knight");
});

test("whoever watches stays at the ply that is looked at", async (t) => {
  const state = await api("POST", "/games", {
    body: { game: "fog", white: "random", black: "random", movetime: "200ms", seed: 1 },
  });
  const page = await open(t, `#/game/${state.id}`, { keep: { [`seat.${state.id}`]: state.secret } });
  await listed(page, 4);
  await goToStart(page);
  const entries = await page.locator(".moves li").count();
  await listed(page, entries + 4);
  assert.equal(await page.locator("[aria-current]").count(), 0);
  assert.match(await label(page, "e2"), /white pawn/);
  await page.getByRole("button", { name: "Forward" }).click();
  assert.equal(await page.locator("[aria-current]").count(), 1);
  assert.match(await page.locator("[aria-current]").textContent(), /^1\./);
});
