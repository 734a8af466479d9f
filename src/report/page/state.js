// @ts-check
// What all views share, and the address that says it: #view=timeline&from=1.5ms&... in which times are ps.
import { callsOf, data, streams } from "./data.js";

/**
 * @typedef {{ view: string, run: "recorded" | "simulated", path: "shown" | "hidden", from: number, to: number, first: number, last: number,
 *   rangeFrom: number, rangeTo: number, line: number, matrixFirst: number, matrixLast: number, unit: "messages" | "bytes",
 *   settings: Record<string, string> }} State
 * to = 0: the end of the run; range...: the time that is selected, none if 0; line = -1: none is selected
 */

/** @returns {State} */
function initial() {
  return {
    view: "overview", run: "recorded", path: "shown", from: 0, to: 0, first: 0, last: streams - 1, rangeFrom: 0, rangeTo: 0,
    line: -1, matrixFirst: 0, matrixLast: data.info.ranks - 1, unit: "bytes", settings: {},
  };
}

/** @type {State} */
export const state = initial();

/** @type {Array<(changed: Set<string>) => void>} */
const listeners = [];

/** @param {(changed: Set<string>) => void} listener */
export function onChange(listener) {
  listeners.push(listener);
}

/** Sets some of the state, and tells everyone. @param {Partial<State>} part @param {{ keep?: boolean }} [how] */
export function update(part, { keep = false } = {}) {
  const changed = new Set(Object.keys(part).filter((k) => JSON.stringify(part[k]) !== JSON.stringify(state[k])));
  if (changed.size === 0) return;
  Object.assign(state, part);
  const address = addressOf();
  // A new view is a step that "back" undoes; dragging is not.
  if (changed.has("view") && !keep) history.pushState(null, "", address);
  else history.replaceState(null, "", address);
  for (const l of listeners) l(changed);
}

/** What differs from the beginning. */
function addressOf() {
  const plain = initial();
  const words = [`view=${state.view}`];
  for (const [key, value] of Object.entries(state)) {
    if (key === "view" || key === "settings" || value === plain[key]) continue;
    words.push(`${key}=${encodeURIComponent(String(value))}`);
  }
  for (const [key, value] of Object.entries(state.settings)) words.push(`set.${key}=${encodeURIComponent(value)}`);
  return `#${words.join("&")}`;
}

const limits = /** @type {Record<string, [number, number]>} */ ({
  from: [0, 2 ** 53], to: [0, 2 ** 53], rangeFrom: [0, 2 ** 53], rangeTo: [0, 2 ** 53],
  first: [0, streams - 1], last: [0, streams - 1], line: [-1, data.program.lines.length - 1],
  matrixFirst: [0, data.info.ranks - 1], matrixLast: [0, data.info.ranks - 1],
});
const words = /** @type {Record<string, string[]>} */ ({
  view: ["overview", "program", "timeline", "paths", "matrix", "histograms", "whatif", ...(data.scaling ? ["scaling"] : [])],
  run: ["recorded", "simulated"],
  path: ["shown", "hidden"],
  unit: ["messages", "bytes"],
});

/** Takes the state from an address; what makes no sense in it is left out. @param {string} hash */
export function readAddress(hash) {
  const part = initial();
  for (const word of hash.replace(/^#/, "").split("&")) {
    const at = word.indexOf("=");
    if (at < 0) continue;
    const key = word.slice(0, at);
    let value = word.slice(at + 1);
    try {
      value = decodeURIComponent(value);
    } catch {
      continue;
    }
    if (key.startsWith("set.") && /^[a-z_.]+$/.test(key)) part.settings[key.slice(4)] = value;
    else if (words[key]?.includes(value)) part[key] = value;
    else if (limits[key] && Number.isFinite(Number(value)))
      part[key] = Math.max(limits[key][0], Math.min(limits[key][1], Number(value)));
  }
  update(part, { keep: true });
}

/** The calls that are selected; none: no line is. */
export function selectedCalls() {
  return state.line < 0 ? [] : callsOf(state.line);
}

/** The machine: what the command line said, and what the sliders say. @returns {string[][]} */
export function machineSettings() {
  const own = data.settings.filter(([key]) => !(key in state.settings));
  return [...own, ...Object.entries(state.settings)];
}
