// @ts-check
// What bounds the simulated run: its efficiencies in the terms of POP, and what its critical path is made of.
import { data } from "./data.js";
import { el, replace } from "./dom.js";
import { bytes, count, duration, percent } from "./format.js";
import { ask, engine } from "./run.js";
import { machineSettings, state } from "./state.js";

/**
 * @typedef {{ parallel: number | null, load_balance: number | null, communication: number | null, serialization: number | null, transfer: number }} Efficiency  null: nothing is computed
 * @typedef {{ time_s: number, latencies: number, bytes: number, efficiency: Efficiency | null, path: { computation_s: number, latency_s: number, transfer_s: number } }} Summary
 */

/** The same of a run as the engine tells it. @param {any} run @returns {Summary} */
export function summaryOf(run) {
  const sum = (/** @type {string} */ key) => run.sites.reduce((/** @type {number} */ a, /** @type {any} */ s) => a + (s[key] ?? 0), 0);
  const [computation, latency, all] = ["critical_path_computation_s", "critical_path_latency_s", "critical_path_s"].map(sum);
  return { ...run, path: { computation_s: computation, latency_s: latency, transfer_s: Math.max(0, all - computation - latency) } };
}

/** @type {[keyof Efficiency, string, string][]} */
const rows = [
  ["parallel", "Parallel efficiency", "share of the time of all ranks that is computation"],
  ["load_balance", "Load balance", "mean computation of a rank over the most of one: some ranks have more work than others"],
  ["communication", "Communication efficiency", "most computation of a rank over the time of the run"],
  ["serialization", "Serialization", "ranks wait for each other even if messages take no time"],
  ["transfer", "Transfer", "the network's latency and bandwidth"],
];
const factors = /** @type {const} */ (["load_balance", "serialization", "transfer"]);

/** @param {Efficiency} e */
function gauges(e) {
  return rows.map(([key, name, what], i) => {
    const value = e[key] ?? 0;
    const fill = el("span", { class: value < 0.6 ? "bad" : value < 0.85 ? "fair" : "good" });
    fill.style.width = `${100 * value}%`;
    return el("div", { class: `gauge level-${i === 0 ? 0 : i < 3 ? 1 : 2}`, title: what }, el("span", {}, name), el("span", { class: "meter" }, fill), el("span", { class: "number" }, percent(value)));
  });
}

/** @param {Efficiency} e */
const isMeaningful = (e) => (e.parallel ?? 0) >= 0.001;

/** @param {Efficiency} e */
function worst(e) {
  if (!isMeaningful(e)) return "The trace has almost no computation between calls, so its efficiencies are not meaningful. It may have been recorded without computation.";
  const factor = factors.reduce((a, b) => ((e[b] ?? 1) < (e[a] ?? 1) ? b : a));
  const value = e[factor] ?? 1;
  if (value > 0.95) return "No factor is low: the run is efficient on this machine.";
  const row = rows.find(([key]) => key === factor);
  const balanced = data.simulated?.load_balance_without_long_executions;
  const what = factor === "transfer" ? `an ideal network would save ${percent(1 - e.transfer)} of the time`
    : factor === "load_balance" && e === data.simulated?.efficiency && balanced > 1.01 * value ? `single long executions are spread over all executions of their rank here, and without them it is ${percent(balanced)}`
    : row?.[2].replace(/^.*: /, "");
  return `${row?.[1]} is lowest (${percent(value)}): ${what}.`;
}

/** @param {Summary} run */
function pathShares(run) {
  const parts = /** @type {[string, number, string][]} */ ([["computation", run.path.computation_s, "kind-compute"], ["latency", run.path.latency_s, "kind-wait"], ["bytes and overheads", run.path.transfer_s, "kind-p2p"]]);
  const bar = el("div", { class: "share-bar" });
  for (const [, time, kind] of parts) {
    if (!(time > 0)) continue;
    const part = el("span", { class: kind });
    part.style.width = `${(100 * time) / run.time_s}%`;
    bar.append(part);
  }
  const [name, most] = parts.reduce((a, b) => (b[1] > a[1] ? b : a));
  return [
    el("h3", {}, `Critical path: ${name} takes ${percent(most / run.time_s)} of it`), bar,
    el("ul", { class: "legend" }, ...parts.map(([what, time, kind]) => el("li", {}, el("i", { class: kind }), `${what}: ${percent(time / run.time_s)}`))),
    el("p", { class: "note" }, `It holds ${count(run.latencies)} latencies one after the other, and ${bytes(run.bytes)}. `, "The run gets shorter only if what is on it does: halving all latencies saves up to ", `${duration((run.path.latency_s / 2) * 1e12)} (${percent(run.path.latency_s / 2 / run.time_s)}).`),
  ];
}

/** Beside the simulated time, since the machine may be another one. */
const recorded = () => (data.info.duration_us ? `; the recorded run took ${duration(data.info.duration_us * 1e6)}` : "");

/** That the numbers are without what varies. */
const withMeans = () => (data.simulated?.varying_time_s > 1.01 * data.simulated?.time_s ? " Each computation takes its mean time here; the cost of its variation is among the findings." : "");

/** The run on the machine of the sliders; null: a later question came before this one's turn. @returns {Promise<Summary | null>} */
async function summary() {
  if (data.simulated && Object.keys(state.settings).length === 0) return data.simulated;
  const run = await ask("simulate", [machineSettings(), 2], "efficiency");
  return run && summaryOf(run);
}

/** Shows what is known when the page is made, or what the engine says of another machine. @param {Element} box */
export async function showEfficiency(box) {
  replace(box, el("p", { class: "note" }, engine.client ? "Being simulated …" : engine.why));
  try {
    const run = await summary();
    if (!run) return;
    const e = run.efficiency;
    if (!e) return replace(box, el("p", {}, "The simulated run ends in a deadlock: ranks wait for messages that no rank sends."));
    replace(box, el("p", { class: "summary" }, worst(e)), ...(isMeaningful(e) ? gauges(e) : []), ...pathShares(run),
      el("p", { class: "note" }, `Of the run simulated on the machine of What if: ${duration(run.time_s * 1e12)}${recorded()}.${withMeans()} docs/analysis.md defines the terms.`));
  } catch (error) {
    replace(box, el("p", { class: "note" }, /** @type {Error} */ (error).message));
  }
}
