// The page's modules that only reckon, called in the browser: typed moves, changes of views, ghosts.

import assert from "node:assert/strict";
import test from "node:test";
import { open } from "../browser.js";

const OPENING = "????????/????????/????????/????????/8/8/PPPPPPPP/RNBQKBNR";

test("typed moves are read as people write them", async (t) => {
  const page = await open(t, "#/rules/fog");
  const cases = [
    // text, own men, moves, what is read (null: refused)
    ["e4", OPENING, ["e2e4", "e2e3", "g1f3"], "e2e4"],
    ["E2E4", OPENING, ["e2e4"], "e2e4"],
    ["Nf3", OPENING, ["e2e4", "g1f3", "g1h3"], "g1f3"],
    ["Nd2", "8/8/8/8/8/5N2/8/1N2K3", ["b1d2", "f3d2"], null],
    ["Nbd2", "8/8/8/8/8/5N2/8/1N2K3", ["b1d2", "f3d2"], "b1d2"],
    ["N3d2", "8/8/8/8/8/5N2/8/1N2K3", ["b1d2", "f3d2"], "f3d2"],
    ["exd5", "8/8/8/8/2P1P3/8/8/4K3", ["c4d5", "e4d5", "e4e5"], "e4d5"],
    ["d5", "8/8/8/8/2PPP3/8/8/4K3", ["c4d5", "e4d5", "d4d5"], "d4d5"],
    ["O-O", "8/8/8/8/8/8/8/R3K2R", ["e1g1", "e1c1", "e1f1"], "e1g1"],
    ["0-0-0", "8/8/8/8/8/8/8/R3K2R", ["e1g1", "e1c1"], "e1c1"],
    ["e1h1", "8/8/8/8/8/8/8/R3K2R", ["e1g1", "e1c1"], "e1g1"],
    ["a8=N", "8/P7/8/8/8/8/8/K7", ["a7a8q", "a7a8r", "a7a8b", "a7a8n"], "a7a8n"],
    ["a8", "8/P7/8/8/8/8/8/K7", ["a7a8q", "a7a8r", "a7a8b", "a7a8n"], "a7a8q"],
    ["a7a8", "8/P7/8/8/8/8/8/K7", ["a7a8q", "a7a8n"], "a7a8q"],
    ["any?", OPENING, ["e2e4", "any?"], "any?"],
    ["e5", OPENING, ["e5", "d5", "pass"], "e5"],
    ["Ke2", "8/8/8/8/8/8/8/R3K2R", ["e1g1"], null],
    ["nonsense", OPENING, ["e2e4"], null],
  ];
  for (const [text, view, moves, expected] of cases) {
    const read = await page.evaluate(
      async ([typed, board, list]) => {
        const [{ readMove }, { parseBoard }] = await Promise.all([import("/moves.js"), import("/squares.js")]);
        return readMove(typed, list, parseBoard(board), "white");
      },
      [text, view, moves],
    );
    assert.equal(read.move ?? null, expected, text);
  }
});

test("a change of views tells losses and arrivals, and slides only what was seen on both squares", async (t) => {
  const page = await open(t, "#/rules/fog");
  const cases = [
    // name, before, after, lost, appeared, the man that slides
    ["nothing seen", "????????/8/8/8/8/8/8/4K3", "????????/8/8/8/8/8/8/4K3", [], [], null],
    ["a man comes out of the fog", "????????/8/8/8/8/8/8/4K3", "????????/8/8/3n4/8/8/8/4K3", [], ["d5"], null],
    [
      "a man goes from seen to seen",
      "????????/8/8/3n4/8/8/8/4K3",
      "????????/8/8/8/8/2n5/8/4K3",
      [],
      ["c3"],
      ["d5", "c3"],
    ],
    ["a man goes into the fog", "????????/8/8/3n4/8/8/8/4K3", "????????/8/8/8/8/8/8/4K3", [], [], null],
    [
      "an own man is taken by something unseen",
      "????????/8/8/3P4/8/8/8/4K3",
      "????????/8/8/3?4/8/8/8/4K3",
      ["d5"],
      [],
      null,
    ],
    [
      "an own man is taken by a man seen before",
      "????????/8/8/3P4/8/2n5/8/4K3",
      "????????/8/8/3n4/8/8/8/4K3",
      ["d5"],
      ["d5"],
      ["c3", "d5"],
    ],
  ];
  for (const [name, before, after, lost, appeared, slide] of cases) {
    const found = await page.evaluate(
      async ([was, is]) => {
        const [{ compare, seenMove }, { parseBoard }] = await Promise.all([
          import("/changes.js"),
          import("/squares.js"),
        ]);
        const change = compare(parseBoard(was), parseBoard(is), "white");
        return {
          lost: change.lost.map(({ square }) => square),
          appeared: change.appeared.map(({ square }) => square),
          slide: seenMove(parseBoard(was), change),
        };
      },
      [before, after],
    );
    assert.deepEqual(found, { lost, appeared, slide }, name);
  }
});

test("ghosts are where men were last seen, and there is one king", async (t) => {
  const page = await open(t, "#/rules/fog");
  const views = [
    "4k3/8/8/3n4/8/8/8/4K3",
    "????????/8/8/8/8/8/8/4K3",
    "????????/4k3/8/????????/8/8/8/4K3",
    "????????/????????/8/????????/8/8/8/4K3",
  ];
  const ghosts = await page.evaluate(async ([first, ...rest]) => {
    const { ghostsAfter } = await import("/ghosts.js");
    const log = rest.map((view, index) => ({
      ply: index + 1,
      side: index % 2 ? "black" : "white",
      move: null,
      san: null,
      text: "",
      view,
    }));
    const state = { game: "fog", side: "white", first, log };
    return [0, 1, 2, 3].map((last) => Object.fromEntries(ghostsAfter(state, last)));
  }, views);
  assert.deepEqual(ghosts, [
    { e8: { piece: "k", ply: 0 }, d5: { piece: "n", ply: 0 } },
    { e8: { piece: "k", ply: 0 } },
    { e7: { piece: "k", ply: 2 } },
    { e7: { piece: "k", ply: 2 } },
  ]);
});

test("a pawn that was seen to step has left no ghost behind", async (t) => {
  const page = await open(t, "#/rules/fog");
  const ghosts = await page.evaluate(async () => {
    const { ghostsAfter } = await import("/ghosts.js");
    const log = ["8/7p/8/8/8/8/8/4K3", "8/????????/7p/8/8/8/8/4K3", "8/????????/????????/8/7p/8/8/4K3"].map(
      (view, index) => ({ ply: index + 1, side: "black", move: null, san: null, text: "", view }),
    );
    return [1, 2, 3].map((last) =>
      Object.keys(
        Object.fromEntries(ghostsAfter({ game: "fog", side: "white", first: "8/8/8/8/8/8/8/4K3", log }, last)),
      ),
    );
  });
  assert.deepEqual(ghosts, [["h7"], ["h6"], ["h6", "h4"]]);
});
