// @ts-check
// Numbers as a person reads them.

/** @param {number} x @param {number} digits */
function significant(x, digits = 3) {
  if (x === 0) return "0";
  const places = Math.max(0, digits - 1 - Math.floor(Math.log10(Math.abs(x))));
  return x.toFixed(Math.min(places, 12));
}

/** @param {number} ps @param {number} [digits] */
export function duration(ps, digits = 3) {
  const units = /** @type {const} */ ([[1e12, "s"], [1e9, "ms"], [1e6, "µs"], [1e3, "ns"]]);
  for (const [size, unit] of units) {
    if (Math.abs(ps) >= size * 0.9995) return `${significant(ps / size, digits)} ${unit}`;
  }
  return ps === 0 ? "0" : `${significant(ps, digits)} ps`;
}

/** @param {number} n */
export function bytes(n) {
  const units = /** @type {const} */ ([[1e12, "TB"], [1e9, "GB"], [1e6, "MB"], [1e3, "kB"]]);
  for (const [size, unit] of units) {
    if (n >= size) return `${significant(n / size)} ${unit}`;
  }
  return `${Math.round(n)} B`;
}

/** @param {number} n */
export function count(n) {
  return Math.round(n).toLocaleString("en-US");
}

/** @param {number} share  of 1 */
export function percent(share) {
  if (!Number.isFinite(share)) return "–";
  return share > 0 && share < 0.0005 ? "<0.1 %" : `${(100 * share).toFixed(1)} %`;
}

/** "exchange" of "MPI_Send": what a reader looks for. @param {string} name */
export function short(name) {
  return name.replace(/^MPI_/, "");
}

/**
 * Round numbers over a range: about `wanted` of them.
 * @param {number} from @param {number} to @param {number} wanted
 */
export function ticks(from, to, wanted) {
  const rough = (to - from) / Math.max(1, wanted);
  if (!(rough > 0)) return [];
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = size * ([1, 2, 5, 10].find((m) => m * size >= rough) ?? 10);
  const out = [];
  for (let k = Math.ceil(from / step); k * step <= to; ++k) out.push(k * step);
  return out;
}

/** A moment on an axis whose ticks are `step` apart. @param {number} ps @param {number} step */
export function moment(ps, step) {
  if (ps === 0) return "0";
  const digits = Math.ceil(Math.log10(Math.abs(ps) / step)) + 1;
  return duration(ps, Math.max(1, Math.min(12, digits)));
}
