// @ts-check
// How long calls take: over all executions, and over the ranks.
import { data, hasTimes, nameOf, streams } from "./data.js";
import { downloadCsv, downloadSvg, el, replace } from "./dom.js";
import { count, duration } from "./format.js";
import { bars } from "./plot.js";
import { ask, endOfRun, engine, isSimulated, syncSelection } from "./run.js";
import { selectedCalls, state, update } from "./state.js";

const mostRanks = 1024;

/**
 * All bins in so many of one width; a bin that is wider is spread evenly.
 * @param {number[][]} bins  [min, max, count, sum] [ns] @param {number} wanted
 */
function evenly(bins, wanted) {
  const from = Math.min(...bins.map((b) => b[0]));
  const to = Math.max(...bins.map((b) => b[1]), from + 1);
  const width = (to - from) / wanted;
  const out = Array.from({ length: wanted }, (_, i) => ({ from: from + i * width, to: from + (i + 1) * width, value: 0 }));
  for (const [min, max, n] of bins) {
    const first = Math.min(wanted - 1, Math.floor((min - from) / width));
    const last = Math.min(wanted - 1, Math.floor((max - from) / width));
    for (let i = first; i <= last; ++i) {
      const share = first === last ? 1 : (Math.min(max, out[i].to) - Math.max(min, out[i].from)) / (max - min);
      out[i].value += n * share;
    }
  }
  return out;
}

/** Histograms of computation before the calls and of time in them. @param {number[]} calls @param {{ width?: number, height?: number }} size */
export function durations(calls, size = {}) {
  const parts = /** @type {const} */ ([["Computation before", "compute", "kind-compute"], ["Time in MPI", "mpi", "kind-wait"]]);
  return parts.flatMap(([title, key, kind]) => {
    const rows = calls.flatMap((c) => data.calls[c][key] ?? []);
    const bins = rows.flatMap((r) => r.bins);
    if (bins.length === 0) return [];
    const n = rows.reduce((sum, r) => sum + r.count, 0);
    const total = rows.reduce((sum, r) => sum + r.count * r.mean_ns, 0);
    const slowest = rows.reduce((a, b) => (b.max_ns > a.max_ns ? b : a));
    const plot = bars(
      evenly(bins, 40).map((b) => ({ ...b, kind, text: `${duration(b.from * 1000)} to ${duration(b.to * 1000)}: about ${count(b.value)} times` })),
      { ...size, x: (v) => duration(v * 1000), y: count, xName: "duration", yName: "executions" });
    const title2 = el("h3", {}, title, el("button", { type: "button", onclick: () => downloadSvg(`${key}.svg`, plot) }, "SVG"));
    return [title2, plot, el("p", { class: "note" }, `${count(n)} times, ${duration((total / n) * 1000)} in the mean; the longest ${duration(slowest.max_ns * 1000)}, on rank ${slowest.max_rank}.`)];
  });
}

/** @param {Element} box */
async function showRanks(box) {
  try {
    await syncSelection();
    const end = await endOfRun();
    const [from, to] = state.rangeTo > state.rangeFrom ? [state.rangeFrom, state.rangeTo] : [0, end];
    const step = Math.ceil(streams / mostRanks);
    const n = Math.floor((streams - 1) / step) + 1;
    const times = await ask("byLine", [isSimulated(), [0, step, n], from, to], "ranks");
    if (!times) return;
    const threads = data.info.threads;
    const name = (/** @type {number} */ line) => `rank ${Math.floor((line * step) / threads)}${threads > 1 ? `.${(line * step) % threads}` : ""}`;
    const plots = /** @type {const} */ ([["Computation before", 1, "kind-compute"], ["Time in MPI", 2, "kind-wait"]]).map(([title, at, kind]) => {
      const values = Array.from({ length: n }, (_, line) => times[3 * line + at]);
      const mean = values.reduce((a, b) => a + b, 0) / n;
      const most = values.indexOf(Math.max(...values));
      const plot = bars(values.map((value, line) => ({ from: line * step, to: (line + 1) * step, value, kind, text: `${name(line)}: ${duration(value)} in ${count(times[3 * line])} calls` })), {
        x: (v) => count(v / threads), y: duration, xName: "rank", yName: title, width: 900, onpick: (line) => update({ first: line * step, last: Math.min(streams - 1, (line + 1) * step - 1), view: "timeline" }) });
      return el("div", {}, el("h3", {}, title, el("button", { type: "button", onclick: () => downloadSvg("ranks.svg", plot) }, "SVG")), plot,
        el("p", { class: "note" }, mean > 0 ? `In the mean ${duration(mean)}; most on ${name(most)}: ${duration(values[most])}, ${(values[most] / mean).toFixed(2)} times the mean.` : "None."));
    });
    const csv = () => downloadCsv("ranks.csv", [["stream", "calls", "computation_before_ps", "mpi_ps"],
      ...Array.from({ length: n }, (_, i) => [i * step, times[3 * i], times[3 * i + 1], times[3 * i + 2]])]);
    replace(box, ...plots, el("p", { class: "note" }, step > 1 && `Every ${count(step)}th rank. `, to - from < end ? `From ${duration(from)} to ${duration(to)}. ` : "", `The ${state.run} run. `, el("button", { type: "button", onclick: csv }, "CSV")));
  } catch (error) {
    replace(box, el("p", { class: "note" }, /** @type {Error} */ (error).message));
  }
}

export function histograms() {
  const head = el("h2");
  const over = el("div", {});
  const ranks = el("div", {}, el("p", { class: "note" }, engine.client ? "…" : engine.why));
  function change() {
    const calls = selectedCalls();
    replace(head, calls.length === 0 ? "All calls" : calls.length === 1 ? nameOf(calls[0]) : `${count(calls.length)} call sites that are selected`);
    const all = calls.length ? calls : data.calls.map((_, i) => i);
    replace(over, ...(hasTimes ? durations(all, { width: 900 }) : [el("p", { class: "note" }, "The trace has no times.")]));
    if (engine.client) showRanks(ranks);
  }
  const root = el("div", {}, el("section", { class: "card" }, head, el("h2", {}, "Over the ranks"), ranks), el("section", { class: "card" }, el("h2", {}, "Over the executions"), over));
  return { root, show: change, change };
}
