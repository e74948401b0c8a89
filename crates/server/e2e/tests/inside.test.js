// Looking inside the players of RBC in a review: what each sense and each request is worth, what a window may show, and
// what sensing does to the belief.

import assert from "node:assert/strict";
import test from "node:test";
import { ADDRESS, api, audit, open, shot } from "../browser.js";

/** Two turns of each side; White saw Black's first move, and not the second. */
const PLIES = ["b7", "e2e4", "pass", "d7d5", "d6", "g1f3", "pass", "c8g4", "e6", "e4d5", "pass", "g4f3"];

/** The review of a short game, with the engine's thoughts. */
async function review(t, options = {}) {
  const white = await api("POST", "/games", { body: { game: "rbc", opponent: "human" } });
  const black = await api("POST", `/games/${white.id}/join`, { body: { join: white.join } });
  for (const [number, move] of PLIES.entries())
    await api("POST", `/games/${white.id}/moves`, {
      body: { move },
      secret: (number % 4 < 2 ? white : black).secret,
    });
  await api("POST", `/games/${white.id}/resign`, { body: {}, secret: white.secret });
  const page = await open(t, `#/review/${white.id}`, {
    ...options,
    keep: { [`seat.${white.id}`]: white.secret, ...options.keep },
  });
  await page.getByLabel("Time").selectOption("200ms");
  await page.getByRole("button", { name: "Let the engine think" }).click();
  await page.locator(".decision").waitFor({ timeout: 60_000 });
  return page;
}

async function goTo(page, ply) {
  await page.locator(".moves").focus();
  await page.keyboard.press("Home");
  for (let step = 0; step < ply; step += 1) await page.keyboard.press("ArrowRight");
}

const windowOf = (page) =>
  page.locator(".frame.white .square.window").evaluateAll((all) => all.map(({ dataset }) => dataset.square).sort());

const choices = (page) => page.locator(".worths tbody tr");

test("every sense has a score, its parts and what it may show", async (t) => {
  const page = await review(t);
  await goTo(page, 8);
  assert.match(await page.locator(".inside h3").textContent(), /sense/);
  assert.match(await page.locator(".inside .note").first().textContent(), /\d+ before sensing, \d+ after it\.$/);
  assert.equal(await choices(page).count(), 36);
  assert.deepEqual(await page.locator(".worths thead th").allTextContents(), [
    "Choice",
    "Score",
    "Outcome",
    "Nats",
    "Answers",
  ]);
  const best = (await page.locator(".worths tr.chosen button").textContent()).slice(0, 2);
  assert.equal((await windowOf(page)).length, 9);
  assert.ok((await windowOf(page)).includes(best));
  const shares = await page.locator(".shows li b").allTextContents();
  const total = shares.reduce((sum, share) => sum + Number.parseFloat(share), 0);
  assert.ok(Math.abs(total - 100) < 2, shares.join(", "));
  await shot(page, "inside-sense", { fullPage: true });
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.locator(".shows").scrollIntoViewIfNeeded();
  await shot(page, "inside-sense-800");
  // Pointing at another sense looks at that one, and by keys too.
  const before = await windowOf(page);
  await choices(page).nth(5).hover();
  const pointed = (await choices(page).nth(5).locator("button").textContent()).slice(0, 2);
  assert.match(await page.locator(".shows p").textContent(), new RegExp(`^${pointed} may show`));
  assert.notDeepEqual(await windowOf(page), before);
  await page.mouse.move(0, 0);
  assert.deepEqual(await windowOf(page), before);
  await page.locator(".worths button[tabindex='0']").focus();
  for (const key of ["ArrowDown", "ArrowDown", "ArrowUp"]) await page.keyboard.press(key);
  assert.match(await page.locator(".shows p").textContent(), /may show/);
  assert.ok(
    await page
      .locator(".worths button")
      .nth(1)
      .evaluate((button) => button === document.activeElement),
  );
});

test("every request has a score and its parts, and the chart tells sizes before and after sensing", async (t) => {
  const page = await review(t);
  await goTo(page, 9);
  assert.match(await page.locator(".inside h3").textContent(), /request/);
  assert.match(await page.locator(".inside .note").first().textContent(), /\d+ before sensing, \d+ after it\.$/);
  assert.ok((await choices(page).count()) > 20);
  assert.equal(await page.locator(".shows li").count(), 0);
  assert.deepEqual((await page.locator(".worths thead th").allTextContents()).slice(2), ["King", "Mean", "Least"]);
  assert.equal(await page.locator(".frame.white .square.hint").count(), 2);
  // White thought four times about where to look, and Black three times.
  assert.equal(await page.locator(".point.hollow").count(), 7);
  await shot(page, "inside-request", { fullPage: true });
  // With one position left there is nothing to look for.
  await goTo(page, 0);
  assert.match(await page.locator(".inside").textContent(), /nothing to compare/);
});

for (const theme of ["light", "dark"]) {
  test(`it is readable on a phone in the ${theme} theme`, async (t) => {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
    const page = await review(t, { ...phone, keep: { settings: { theme } } });
    await goTo(page, 8);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 390, `${width} wide`);
    await audit(page, "inside");
    await shot(page, `inside-phone-${theme}`, { fullPage: true });
  });
}
