// Two people, the games kept, the keyboard alone, a phone, watching, loading.

import assert from "node:assert/strict";
import test from "node:test";
import { ADDRESS, PHONE, label, listed, open, openGame, pick, play, playAndWait, shot, square } from "../browser.js";

test("two browsers play each other by a link; draw and rematch", async (t) => {
  const white = await open(t);
  await white.getByRole("button", { name: "Play Fog of War" }).click();
  await pick(white, "A person");
  await white.getByRole("button", { name: "Start" }).click();
  const link = await white.getByLabel("Link for the other player").inputValue();
  await shot(white, "invite");
  const black = await open(t, link.slice(ADDRESS.length + 1));
  await black.waitForURL(/#\/game\//);
  await black.locator(".board").waitFor();
  await play(white, "e2e4");
  await black.locator(".status.own").waitFor();
  assert.equal(await label(black, "e4"), "e4, fog");
  await play(black, "e7e5");
  await listed(white, 2);
  await white.getByRole("button", { name: "Offer draw" }).click();
  await black.getByRole("button", { name: "Accept" }).click();
  await white.locator(".status.over").waitFor();
  await shot(white, "drawn");
  await white.getByRole("button", { name: "Rematch" }).click();
  await black.getByRole("button", { name: "Play it" }).click();
  await black.locator(".status.own").waitFor();
});

test("games are listed, found, continued and deleted", async (t) => {
  const page = await open(t);
  await page.getByRole("button", { name: "Play Fog of War" }).click();
  await page.getByRole("button", { name: "Start" }).click();
  await page.locator(".board").waitFor();
  await play(page, "d2d4");
  await page.getByRole("link", { name: "Games" }).click();
  await page.locator(".kept li").first().waitFor();
  await shot(page, "games");
  await page
    .getByRole("link", { name: /Continue/ })
    .first()
    .click();
  await page.locator(".board").waitFor();
  assert.match(await label(page, "d4"), /white pawn/);
  await page.getByRole("link", { name: "Games" }).click();
  await page.getByLabel("Search").fill("nothing has this name");
  await page.getByText("No game fits.").waitFor();
  await page.getByLabel("Search").fill("");
  await page
    .getByRole("button", { name: /Delete/ })
    .first()
    .click();
  await page.locator("dialog").getByRole("button", { name: "Cancel" }).click();
  await page.locator("dialog").waitFor({ state: "detached" });
  await page
    .getByRole("button", { name: /Delete/ })
    .first()
    .click();
  await page.locator("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("None yet.").waitFor();
});

test("with the keyboard alone", async (t) => {
  const page = await open(t);
  const tabTo = async (test) => {
    for (let presses = 0; presses < 40; presses += 1) {
      await page.keyboard.press("Tab");
      if (await page.evaluate(test)) return;
    }
    assert.fail("the Tab key does not get there");
  };
  await tabTo(() => document.activeElement?.id === "new-game");
  await page.keyboard.press("Enter");
  await page.locator("dialog.newgame").waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".board").waitFor();
  await tabTo(
    () =>
      document.activeElement?.getAttribute("data-square") !== null &&
      document.activeElement?.hasAttribute("data-square"),
  );
  assert.equal(await page.evaluate(() => document.activeElement.dataset.square), "e2");
  await page.keyboard.press("Enter");
  assert.match(await label(page, "e2"), /selected/);
  await page.keyboard.press("Escape");
  assert.doesNotMatch(await label(page, "e2"), /selected/);
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await listed(page, 1);
  assert.match(await label(page, "e4"), /white pawn/);
  await page.locator(".status.own").waitFor();
  await tabTo(() => document.activeElement?.closest(".movebox") !== null);
  await page.keyboard.type("nonsense\n");
  assert.match(await page.locator(".movebox .problem").textContent(), /none of your moves/);
  await page.keyboard.press("Control+A");
  await page.keyboard.type("Nf3\n");
  await listed(page, 3);
  assert.match(await label(page, "f3"), /white knight/);
});

test("at a phone's width nothing is cut off, and fingers play", async (t) => {
  const fits = async (page, what) => {
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 360, `${what} is ${width} wide`);
  };
  const { page, now } = await openGame(t, { game: "fog", opponent: "random", clock: "3m+2s", seed: 6 }, PHONE);
  await square(page, "e2").tap();
  await shot(page, "phone-game");
  await square(page, "e4").tap();
  await listed(page, 1);
  assert.equal((await now()).log[0].move, "e2e4");
  await fits(page, "the game");
  await page.getByRole("button", { name: "Resign" }).tap();
  await page.locator("dialog").getByRole("button", { name: "Resign" }).tap();
  await page.getByRole("link", { name: "Review the game" }).tap();
  await page.locator(".frames .board").nth(1).waitFor();
  await fits(page, "the review");
  await shot(page, "phone-review");
  for (const [hash, part] of [
    ["", ".card"],
    ["#/rules/fog", ".rules"],
    ["#/load", ".load"],
  ]) {
    await page.goto(`${ADDRESS}/${hash}`);
    await page.locator(part).first().waitFor();
    await fits(page, hash || "the start");
  }
  await page.goto(`${ADDRESS}/`);
  await page.getByRole("button", { name: "New game" }).tap();
  await page.locator("dialog.newgame").waitFor();
  await fits(page, "the dialog");
  await shot(page, "phone-dialog");
});

test("engines are watched with either side's eyes", async (t) => {
  const page = await open(t, "", {
    keep: { wish: { mode: "watch", white: "random", black: "random", movetime: "50ms" } },
  });
  await page.getByRole("button", { name: "Play Fog of War" }).click();
  await page.getByRole("button", { name: "Start" }).click();
  await listed(page, 4);
  assert.notEqual(await label(page, "a8"), "a8, fog");
  await pick(page, "White’s view");
  await page.locator(".square.fog").nth(8).waitFor();
  await shot(page, "watch");
});

test("a record is loaded for review", async (t) => {
  const page = await open(t, "#/load");
  await page
    .getByLabel("Or its text")
    .fill('[Event "?"]\n[Variant "Fog of War"]\n[Result "1-0"]\n\n1. e4 e5 2. Qh5 Nc6 3. Qxf7 a6 4. Qxe8 1-0\n');
  await page.getByRole("button", { name: "Review it" }).click();
  await page.locator(".frames .board").first().waitFor();
  await page.keyboard.press("End");
  await shot(page, "loaded");
  await page.goto(`${ADDRESS}/#/load`);
  await page.getByLabel("Or its text").fill("no game at all");
  await page.getByRole("button", { name: "Review it" }).click();
  await page.locator(".load .problem:not(:empty)").waitFor();
});

test("secrets are in no address and the own turn comes back after the opponent's", async (t) => {
  const { page, state } = await openGame(t, { game: "fog", opponent: "random" });
  assert.ok(!page.url().includes(state.secret));
  await playAndWait(page, "g1f3");
});
