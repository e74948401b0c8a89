// What the tests share: one Chromium, pages that report every error, and games set up through the API.

import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after } from "node:test";
import assert from "node:assert/strict";
import { chromium } from "playwright-core";

export const ADDRESS = process.env.SCURO_ADDRESS ?? "http://127.0.0.1:7878";
const SHOTS = new URL("./shots/", import.meta.url).pathname;
mkdirSync(SHOTS, { recursive: true });

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
after(() => browser.close());

export const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

/** A page in a browser of its own. It fails the test on errors of scripts and on what the policy forbids. */
export async function open(t, hash = "", options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    acceptDownloads: true,
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const problems = [];
  page.on("pageerror", (error) => problems.push(error.stack ?? String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && /Content Security Policy|Uncaught/.test(message.text()))
      problems.push(message.text());
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(ADDRESS) && !/^(blob|data):/.test(request.url()))
      problems.push(`asks another host: ${request.url()}`);
  });
  for (const [key, value] of Object.entries(options.keep ?? {})) {
    await context.addInitScript(
      ([name, text]) => localStorage.setItem(name, text),
      [`scuro.${key}`, JSON.stringify(value)],
    );
  }
  t.after(async () => {
    await context.close();
    assert.deepEqual(problems, []);
  });
  await page.goto(`${ADDRESS}/${hash}`);
  return page;
}

export async function api(method, path, { body, secret, player } = {}) {
  const headers = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (secret) headers.Authorization = `Bearer ${secret}`;
  if (player) headers["Scuro-Player"] = player;
  const response = await fetch(`${ADDRESS}/api/v1${path}`, {
    method,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
  return text ? JSON.parse(text) : null;
}

/** A game made through the API and opened in a browser that has its secret. */
export async function openGame(t, wish, options = {}) {
  const state = await api("POST", "/games", { body: wish });
  const page = await open(t, `#/game/${state.id}`, {
    ...options,
    keep: { [`seat.${state.id}`]: state.secret, ...options.keep },
  });
  await page.locator(".board").waitFor();
  return { page, state, now: () => api("GET", `/games/${state.id}`, { secret: state.secret }) };
}

export const square = (page, name) => page.locator(`[data-square=${name}]`);

/** Click, click, and the choice of a promotion if there is one. */
export async function clickMove(page, move) {
  await square(page, move.slice(0, 2)).click();
  await square(page, move.slice(2, 4)).click();
  if (move.length === 5) await page.locator(`[data-promotion=${move[4]}]`).click();
}

export async function drag(page, from, to) {
  const [start, end] = [await square(page, from).boundingBox(), await square(page, to).boundingBox()];
  const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(...middle(start));
  await page.mouse.down();
  await page.mouse.move(...middle(end), { steps: 5 });
  await page.mouse.up();
}

/** Waits until the page lists so many entries. What the server knows, the page shows a little later. */
export const listed = (page, entries) =>
  page
    .locator(".moves li")
    .nth(entries - 1)
    .waitFor();

/** A move by clicks at the own turn, until the page lists it: before that the status is the one from before. */
export async function play(page, move) {
  const entries = await page.locator(".moves li").count();
  await clickMove(page, move);
  await listed(page, entries + 1);
}

/** Waits until the page says that it is the player's turn, or that the game is over. */
export const ownTurn = (page) => page.locator(".status.own, .status.over").waitFor();

/** Plays a move by clicks and waits for the answer. */
export async function playAndWait(page, move) {
  await play(page, move);
  await ownTurn(page);
}

export const shot = (page, name, options = {}) => page.screenshot({ path: `${SHOTS}${name}.png`, ...options });

export const label = (page, name) => square(page, name).getAttribute("aria-label");

/** Waits until a square is said to be so. */
export const says = (page, name, words) => page.locator(`[data-square=${name}][aria-label*="${words}"]`).waitFor();

/** Chooses one of a group that looks like a switch. */
export const pick = (page, name) => page.getByRole("radio", { name, exact: true }).check();

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Fails on serious findings of an audit of accessibility. */
export async function audit(page, what) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  const words = serious.map(
    ({ id, nodes }) =>
      `${what}: ${id}: ${nodes
        .slice(0, 3)
        .map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary}`)
        .join(" | ")}`,
  );
  assert.deepEqual(words, []);
}
