// @ts-check
// The text of the program around the places of calls, where it was found when the page was made (--source).
import { data } from "./data.js";
import { el } from "./dom.js";
import { count } from "./format.js";

const around = 8; // lines before and behind one that calls
const mostPlaces = 4;

/** @type {Map<string, string[]>} */
const files = new Map((data.sources?.files ?? []).map((f) => [f.name, f.text.split("\n")]));

/** Places of the calls and of what calls them, the innermost first, each once. @param {number[]} calls */
function placesOf(calls) {
  /** @type {Map<string, import("./data.js").Frame>} */
  const out = new Map();
  for (const call of calls) {
    for (const f of [...data.calls[call].frames].reverse()) {
      const frame = data.frames[f];
      if (frame[2]) out.set(`${frame[2]}:${frame[3]}`, frame);
    }
  }
  return [...out.values()];
}

/** @param {import("./data.js").Frame} frame @param {string[]} lines */
function excerpt([name, location, , line], lines) {
  const first = Math.max(1, line - around);
  const last = Math.min(lines.length, line + around);
  const rows = [];
  for (let i = first; i <= last; ++i)
    rows.push(el("div", { class: i === line ? "source-line here" : "source-line" }, el("span", { class: "line-number" }, i), el("code", {}, lines[i - 1] || " ")));
  return [el("h3", {}, `${name}, ${location}`), el("div", { class: "source", tabindex: "0", "aria-label": `Source of ${location}` }, ...rows)];
}

/** What stands in the source at the calls; nothing if the page was made without sources. @param {number[]} calls */
export function sourceOf(calls) {
  if (!data.sources) return [];
  const places = placesOf(calls);
  const shown = places.filter((f) => files.has(f[2]) && f[3] <= /** @type {string[]} */ (files.get(f[2])).length).slice(0, mostPlaces);
  const missing = [...new Set(places.filter((f) => !files.has(f[2])).map((f) => f[2]))];
  const why = (/** @type {string} */ name) => data.sources?.missing.find((m) => m.name === name)?.why ?? "it is not on the page";
  return [
    ...shown.flatMap((f) => excerpt(f, /** @type {string[]} */ (files.get(f[2])))),
    places.length > shown.length + missing.length && el("p", { class: "note" }, `${count(places.length - shown.length - missing.length)} more places are not shown.`),
    ...missing.map((name) => el("p", { class: "note" }, `No text of ${name}: ${why(name)}.`)),
  ];
}
