// The men, drawn by us: one outline a kind in a box of 100, coloured by the style sheet (`.man.white`, `.man.black`).

import { draw } from "./dom.js";
import { kindName, sideOf } from "./squares.js";

const FOOT = "M22 90 v-7 q0 -6 6 -6 h44 q6 0 6 6 v7 z";

/**
 * Body lines are filled and stroked; detail lines are only stroked.
 * @type {Record<string, {body: string[], detail: string[]}>}
 */
const SHAPES = {
  p: {
    body: [
      "M50 20 a14.5 14.5 0 0 1 9.5 25.5 h5.5 q3.5 0 3.5 3.5 t-3.5 3.5 h-4.5 q1.5 14 12.5 23.5 h-46 q11 -9.5 12.5 -23.5 h-4.5 q-3.5 0 -3.5 -3.5 t3.5 -3.5 h5.5 a14.5 14.5 0 0 1 9.5 -25.5 z",
      FOOT,
    ],
    detail: [],
  },
  r: {
    body: ["M25 17 h13 v8 h6.5 v-8 h11 v8 h6.5 v-8 h13 v20 l-9 9 l3.5 31 h-39 l3.5 -31 l-9 -9 z", FOOT],
    detail: ["M34 46 h32", "M27 36 h46"],
  },
  n: {
    body: [
      "M36 77 c-2 -15 12 -21 14 -32 c-6 6 -12 6 -17 8 c-2 1 -3 5 -6 6.5 c-5 2 -10 -3 -9 -8 c0.5 -3 3 -4 4.5 -7 c4 -10 8 -19 15 -24 c-1 -4 -1 -7 0 -11 c4 1.5 8 4 10 8 c16 1 30 15 31 36 c0.5 9 -2 16 -3 23.5 z",
      FOOT,
    ],
    detail: ["M60 30 c8 6 11 17 9.5 28", "M23.5 53 l3 -2"],
  },
  b: {
    body: [
      "M50 19 c12 8 18.5 19 18.5 29 c0 6 -3 10 -7 13 l4 16 h-31 l4 -16 c-4 -3 -7 -7 -7 -13 c0 -10 6.5 -21 18.5 -29 z",
      "M50 8 a5.5 5.5 0 0 1 0 11 a5.5 5.5 0 0 1 0 -11 z",
      FOOT,
    ],
    detail: ["M38.5 61 h23", "M56 29 l-10 17"],
  },
  q: {
    body: [
      "M26 77 l-9 -41 l14 15 l3 -26 l11.5 22 l4.5 -27 l4.5 27 l11.5 -22 l3 26 l14 -15 l-9 41 z",
      "M17 29 a4.5 4.5 0 0 1 0 9 a4.5 4.5 0 0 1 0 -9 z",
      "M34 17.5 a4.5 4.5 0 0 1 0 9 a4.5 4.5 0 0 1 0 -9 z",
      "M50 12 a5 5 0 0 1 0 10 a5 5 0 0 1 0 -10 z",
      "M66 17.5 a4.5 4.5 0 0 1 0 9 a4.5 4.5 0 0 1 0 -9 z",
      "M83 29 a4.5 4.5 0 0 1 0 9 a4.5 4.5 0 0 1 0 -9 z",
      FOOT,
    ],
    detail: ["M25 66 q25 -7 50 0"],
  },
  k: {
    body: [
      "M46.5 7 h7 v6.5 h7 v7 h-7 v9 h-7 v-9 h-7 v-7 h7 z",
      "M50 28 c7 0 10 6 10 11 c6 -7 24 -6 24 8 c0 12 -11 16 -13 30 h-42 c-2 -14 -13 -18 -13 -30 c0 -14 18 -15 24 -8 c0 -5 3 -11 10 -11 z",
      FOOT,
    ],
    detail: ["M30 66 q20 -6 40 0", "M50 41 v19"],
  },
};

/**
 * A man as a picture without words; what is around it says what it is.
 * @param {string} piece a letter of FEN
 * @returns {SVGElement}
 */
export function pieceImage(piece) {
  const shape = SHAPES[piece.toLowerCase()];
  const picture = draw("svg", {
    viewBox: "0 0 100 100",
    class: `man ${sideOf(piece)} ${kindName(piece)}`,
    "aria-hidden": "true",
  });
  if (!shape) {
    picture.append(draw("text", { x: 50, y: 72, "text-anchor": "middle", "font-size": 64 }, "?"));
    return picture;
  }
  for (const path of shape.body) picture.append(draw("path", { class: "body", d: path }));
  for (const path of shape.detail) picture.append(draw("path", { class: "detail", d: path }));
  if (piece.toLowerCase() === "n") picture.append(draw("circle", { class: "eye", cx: 40, cy: 34, r: 3 }));
  return picture;
}
