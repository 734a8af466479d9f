// @ts-check
// Pixels of a timeline from the shares that the engine tells.
import { color, kindColor, rgb } from "./color.js";
import { data } from "./data.js";
import { el } from "./dom.js";
import { state } from "./state.js";

/**
 * Each pixel along the time shows what happens in it by exact shares: stacked in `steps` pixels, from computation at
 * the bottom to nothing at the top, or, in one, mixed of the colors.
 * @param {Float32Array} tile  shares of the time of each kind and of what is selected [rows x columns x (kinds + 1)]
 * @param {number} columns @param {number} rows @param {number} steps
 */
export function paint(tile, columns, rows, steps) {
  const kinds = data.kinds.length;
  const colors = data.kinds.map((_, k) => rgb(kindColor(k)));
  const idle = rgb(color("idle"));
  const dims = state.line >= 0;
  const image = new ImageData(columns, rows * steps);
  const pixels = new Uint32Array(image.data.buffer);
  // The color of a share of a kind in a cell, the rest being nothing; little-endian, as canvases are.
  const blend = (/** @type {number[]} */ c, /** @type {number} */ weight) =>
    [0, 1, 2].reduce((out, i) => out | (Math.round(c[i] * weight + idle[i] * (1 - weight)) << (8 * i)), 0xff000000);
  const full = [...colors, idle].map((c) => blend(c, 1));
  const palette = full.slice();
  const [reds, greens, blues] = [0, 1, 2].map((i) => Float64Array.from(colors, (c) => c[i]));
  for (let cell = 0; cell < columns * rows; ++cell) {
    const at = cell * (kinds + 1);
    let sum = 0;
    for (let k = 0; k < kinds; ++k) sum += tile[at + k];
    const weight = dims ? 0.2 + 0.8 * (sum > 0 ? tile[at + kinds] / sum : 0) : 1;
    if (steps === 1) {
      let [r, gr, b] = [0, 0, 0];
      for (let k = 0; k < kinds; ++k) {
        const share = tile[at + k];
        if (share === 0) continue;
        r += share * reds[k];
        gr += share * greens[k];
        b += share * blues[k];
      }
      const shown = weight * Math.min(1, sum);
      const scale = sum > 0 ? shown / sum : 0;
      const rest = 1 - shown;
      pixels[cell] = 0xff000000 | (b * scale + idle[2] * rest + 0.5) << 16 | (gr * scale + idle[1] * rest + 0.5) << 8 | (r * scale + idle[0] * rest + 0.5);
      continue;
    }
    const inks = weight === 1 ? full : palette;
    if (weight !== 1) for (let k = 0; k < kinds; ++k) palette[k] = tile[at + k] > 0 ? blend(colors[k], weight) : 0;
    let kind = 0;
    let until = tile[at];
    let to = (Math.floor(cell / columns) * steps + steps - 1) * columns + (cell % columns);
    for (let s = 0; s < steps; ++s, to -= columns) {
      const middle = (s + 0.5) / steps;
      while (kind < kinds && until <= middle) until += ++kind < kinds ? tile[at + kind] : 1;
      pixels[to] = inks[kind];
    }
  }
  const canvas = el("canvas", { width: columns, height: rows * steps });
  /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")).putImageData(image, 0, 0);
  return canvas;
}
