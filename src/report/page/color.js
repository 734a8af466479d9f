// @ts-check
// The colors of the style sheet, for what is drawn on a canvas.

const names = ["compute", "p2p", "wait", "collective", "onesided", "file", "other"];

/** @param {string} name  of a custom property, without its dashes */
export function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** @param {string} text  #rrggbb @returns {[number, number, number]} */
export function rgb(text) {
  const n = parseInt(text.slice(1), 16);
  return [(n >> 16) & 255, (n >> 8) & 255, n & 255];
}

/** Of a kind of time, as CSS has it. @param {number} kind */
export function kindColor(kind) {
  return color(`kind-${names[kind]}`);
}

/** @param {number} kind */
export function kindClass(kind) {
  return `kind-${names[kind]}`;
}

/** From nothing to everything, in steps that the eye takes for equal. @param {number} share */
export function heat(share) {
  const low = rgb(color("heat-low"));
  const middle = rgb(color("heat-middle"));
  const high = rgb(color("heat-high"));
  const [a, b, t] = share < 0.5 ? [low, middle, share * 2] : [middle, high, share * 2 - 1];
  return a.map((x, i) => Math.round(x + (b[i] - x) * t));
}
