// Charts over the plies of a game, as plain SVG: two lines that differ in dash as well as in colour, a cursor, and a
// click that goes to the ply.

/** @import { Side } from "./types.js" */
import { draw, make } from "./dom.js";

const WIDTH = 640;
const HEIGHT = 180;
const LEFT = 46;
const RIGHT = 8;
const TOP = 10;
const BOTTOM = 24;

/** @typedef {{ply: number, value: number, hollow?: boolean}} Point */

/**
 * @typedef {object} Chart
 * @property {string} title
 * @property {string} text what a reader who does not see it should know
 * @property {{side: Side, name: string, points: Point[]}[]} lines
 * @property {number} plies how many there are
 * @property {[number, number]} range of values
 * @property {{value: number, text: string}[]} marks on the left
 * @property {number} cursor
 * @property {(ply: number) => void} onPick
 */

/**
 * @param {Chart} chart
 * @returns {HTMLElement}
 */
export function lineChart(chart) {
  const x = (/** @type {number} */ ply) => LEFT + ((WIDTH - LEFT - RIGHT) * ply) / Math.max(1, chart.plies);
  const [low, high] = chart.range;
  const y = (/** @type {number} */ value) => TOP + ((HEIGHT - TOP - BOTTOM) * (high - value)) / (high - low || 1);
  const picture = draw("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    class: "chart",
    role: "img",
    "aria-label": `${chart.title}. ${chart.text}`,
  });
  for (const { value, text } of chart.marks) {
    picture.append(draw("line", { class: "mark-line", x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value) }));
    picture.append(draw("text", { class: "mark-text", x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, text));
  }
  for (const ply of plyMarks(chart.plies)) {
    picture.append(
      draw("text", { class: "mark-text", x: x(ply), y: HEIGHT - 6, "text-anchor": "middle" }, String(ply / 2)),
    );
  }
  for (const { side, points } of chart.lines) {
    const path = points
      .map(({ ply, value }, index) => `${index === 0 ? "M" : "L"}${x(ply).toFixed(1)} ${y(value).toFixed(1)}`)
      .join(" ");
    if (path) picture.append(draw("path", { class: `series ${side}`, d: path }));
    for (const { ply, value, hollow } of points)
      picture.append(
        draw("circle", {
          class: `point ${side}${hollow ? " hollow" : ""}`,
          cx: x(ply),
          cy: y(value),
          r: points.length > 60 ? 1.5 : hollow ? 3.5 : 2.5,
        }),
      );
  }
  picture.append(
    draw("line", { class: "cursor", x1: x(chart.cursor), x2: x(chart.cursor), y1: TOP, y2: HEIGHT - BOTTOM }),
  );
  picture.addEventListener("click", (event) => {
    const box = picture.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * WIDTH;
    const ply = Math.round(((at - LEFT) / (WIDTH - LEFT - RIGHT)) * chart.plies);
    chart.onPick(Math.max(0, Math.min(chart.plies, ply)));
  });
  return make(
    "figure",
    {},
    make("figcaption", {}, make("b", {}, chart.title), ...chart.lines.map(({ side, name }) => legend(side, name))),
    picture,
  );
}

/**
 * @param {Side} side
 * @param {string} name
 */
function legend(side, name) {
  const sample = draw(
    "svg",
    { viewBox: "0 0 28 8", class: "sample", "aria-hidden": "true" },
    draw("path", { class: `series ${side}`, d: "M0 4 H28" }),
  );
  return make("span", { class: "legend" }, sample, name);
}

/**
 * @param {number} plies
 * @returns {number[]} even plies, about eight of them
 */
function plyMarks(plies) {
  const step = Math.max(2, 2 * Math.ceil(plies / 16));
  return Array.from({ length: Math.floor(plies / step) + 1 }, (_, index) => index * step);
}

/**
 * Powers of ten for a logarithmic scale.
 * @param {number} largest
 * @returns {{value: number, text: string}[]}
 */
export function decades(largest) {
  const top = Math.max(1, Math.ceil(Math.log10(Math.max(1, largest))));
  const step = Math.max(1, Math.ceil(top / 5));
  const names = ["1", "10", "100", "1k", "10k", "100k", "1M", "10M", "100M"];
  return Array.from({ length: Math.floor(top / step) + 1 }, (_, index) => ({
    value: index * step,
    text: names[index * step] ?? `1e${index * step}`,
  }));
}
