// An audit of accessibility (axe-core) of every page in each theme: nothing serious.

import test from "node:test";
import { ADDRESS, api, audit, open, openGame, playAndWait, shot } from "../browser.js";

for (const theme of ["light", "dark", "contrast"]) {
  test(`no serious findings in the ${theme} theme`, async (t) => {
    const keep = { settings: { theme } };
    const start = await open(t, "", { keep });
    await start.locator(".card").first().waitFor();
    await audit(start, "start");
    await start.locator("#new-game").click();
    await start.locator("dialog").waitFor();
    await audit(start, "new game");
    for (const [hash, part] of [
      ["#/rules/fog", ".rules"],
      ["#/load", ".load"],
    ]) {
      await start.goto(`${ADDRESS}/${hash}`);
      await start.locator(part).waitFor();
      await audit(start, hash);
    }
    const { page, state } = await openGame(
      t,
      { game: "fog", opponent: "random", clock: "3m+2s", seed: 2, start: "4k2r/8/8/8/8/8/8/K6R w - - 0 1" },
      { keep },
    );
    await playAndWait(page, "h1g1");
    await page.locator("[data-square=g1]").click();
    await audit(page, "game");
    await shot(page, `theme-${theme}`);
    await page.getByRole("button", { name: "First" }).click();
    await page.getByRole("button", { name: "Back to the present" }).waitFor();
    await audit(page, "the past");
    await api("POST", `/games/${state.id}/resign`, { body: {}, secret: state.secret });
    await page.goto(`${ADDRESS}/#/review/${state.id}`);
    await page.locator(".frames .board").first().waitFor();
    await audit(page, "review");
    const blind = await openGame(t, { game: "kriegspiel", opponent: "random", ruleset: "english" }, { keep });
    await blind.page.getByRole("button", { name: "Pencil" }).click();
    await blind.page.locator("[data-square=d5]").click();
    await audit(blind.page, "Kriegspiel");
    await shot(blind.page, `theme-${theme}-kriegspiel`);
  });
}
