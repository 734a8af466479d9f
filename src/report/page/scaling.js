// @ts-check
// Efficiencies over the number of ranks, where the page was made of several traces: which factor degrades.
import { data } from "./data.js";
import { downloadCsv, downloadSvg, el, table } from "./dom.js";
import { count, duration } from "./format.js";
import { lines } from "./plot.js";

/** @type {[string, string][]} */
const factors = [
  ["global", "Global efficiency"], ["parallel", "Parallel efficiency"], ["load_balance", "Load balance"], ["serialization", "Serialization"],
  ["transfer", "Transfer"], ["computation_scalability", "Computation scalability"],
];

export function scaling() {
  const { runs, falls_most: worst, ratio, files } = data.scaling;
  const first = runs[0];
  const last = runs[runs.length - 1];
  const axes = { x: count, xName: "ranks", log: true, atPoints: true, width: 620, height: 260 };
  const value = (/** @type {any} */ run, /** @type {string} */ key) => run.efficiency[key];
  const efficiencies = lines(
    factors.map(([key, name]) => ({ name, points: runs.filter((/** @type {any} */ r) => value(r, key) !== null).map((/** @type {any} */ r) => ({ x: r.ranks, y: value(r, key) })) })),
    { ...axes, y: (v) => v.toFixed(2), yName: "efficiency", most: Math.max(1, ...runs.flatMap((/** @type {any} */ r) => factors.map(([key]) => value(r, key) ?? 0))) });
  const times = lines(
    [{ name: "simulated time", points: runs.map((/** @type {any} */ r) => ({ x: r.ranks, y: r.time_s * 1e12 })) },
      { name: "ideal: the first over the number of ranks", points: runs.map((/** @type {any} */ r) => ({ x: r.ranks, y: (first.time_s * 1e12 * first.ranks) / r.ranks })) }],
    { ...axes, y: (v) => duration(v), yName: "time" });
  const key = Object.entries({ load_balance: "load balance", serialization: "serialization", transfer: "transfer", computation_scalability: "computation scalability" }).find(([, name]) => name === worst)?.[0] ?? "";
  const isKnown = runs.every((/** @type {any} */ r) => r.efficiency.global !== null);
  const number = (/** @type {number | null} */ x) => (x === null ? "–" : x.toFixed(3));
  const verdict = !isKnown ? "Efficiencies are not known: a simulated run computes nothing." : ratio >= 0.995 ? "No factor falls with the number of ranks."
    : `From ${count(first.ranks)} to ${count(last.ranks)} ranks ${worst} falls most: from ${number(value(first, key))} to ${number(value(last, key))}.`;
  const csv = () => downloadCsv("scaling.csv", [["file", "ranks", "time_s", "computation_s", ...factors.map(([k]) => k)],
    ...runs.map((/** @type {any} */ r, /** @type {number} */ i) => [files[i], r.ranks, r.time_s, r.computation_s, ...factors.map(([k]) => value(r, k))])]);
  const legend = (/** @type {string[]} */ names) => el("ul", { class: "legend" }, ...names.map((name, i) => el("li", {}, el("i", { class: `swatch-${i}` }), name)));
  const root = el("div", { class: "grid" },
    el("section", { class: "card full" }, el("h2", {}, "Scaling", el("span", { class: "buttons" }, el("button", { type: "button", onclick: csv }, "CSV"))),
      el("p", { class: "summary" }, verdict),
      table(["trace", "ranks", "time", ...factors.map(([, name]) => name)], runs.map((/** @type {any} */ r, /** @type {number} */ i) => [
        files[i], count(r.ranks), duration(r.time_s * 1e12),
        ...factors.map(([k]) => el("span", { class: isKnown && k === key && ratio < 0.995 ? "worst" : "" }, number(value(r, k))))])),
      el("p", { class: "note" }, "Global efficiency is parallel efficiency times computation scalability; parallel efficiency is load balance times serialization times transfer. Computation scalability is all computation of the first run over that of the run. Each trace is simulated on the machine of the command line; the other views show the first trace that was named.")),
    el("section", { class: "card" }, el("h2", {}, "Efficiencies", el("button", { type: "button", onclick: () => downloadSvg("scaling.svg", efficiencies) }, "SVG")), legend(factors.map(([, name]) => name)), efficiencies),
    el("section", { class: "card" }, el("h2", {}, "Time", el("button", { type: "button", onclick: () => downloadSvg("scaling_time.svg", times) }, "SVG")), legend(["simulated time", "ideal"]), times));
  return { root, show: () => {}, change: () => {} };
}
