// @ts-check
// The run on another machine, simulated anew while a slider moves.
import { data, lineOf, nameInFull } from "./data.js";
import { downloadCsv, downloadSvg, el, replace, table } from "./dom.js";
import { bytes, count, duration, percent } from "./format.js";
import { lines } from "./plot.js";
import { ask, engine } from "./run.js";
import { machineSettings, state, update } from "./state.js";

/**
 * A slider in steps of equal ratio.
 * @typedef {{ key: string, option: string, name: string, least: number, most: number, plain: number,
 *   text: (v: number) => string, setting: (v: number) => string, value: (machine: any) => number }} Slider
 */

const number = (/** @type {number} */ v) => String(Number(v.toPrecision(4)));
/** @type {Slider[]} */
const sliders = [
  { key: "network.latency", option: "--latency", name: "Latency", least: 1e4, most: 1e9, plain: 1e6, text: (v) => duration(v), setting: (v) => `${number(v / 1e3)}ns`, value: (m) => m.latency_s * 1e12 },
  { key: "network.bandwidth", option: "--bandwidth", name: "Bandwidth", least: 1e7, most: 1e12, plain: 1e10, text: (v) => `${bytes(v)}/s`, setting: (v) => `${number(v / 1e6)}MB/s`, value: (m) => (m.bandwidth_bytes_per_s === "unlimited" ? 1e12 : m.bandwidth_bytes_per_s) },
  { key: "node.cpu_ratio", option: "--cpu-ratio", name: "Processor speed", least: 0.1, most: 100, plain: 1, text: (v) => `${number(v)} x`, setting: number, value: (m) => m.cpu_ratio },
  { key: "network.eager", option: "--eager", name: "Eager up to", least: 1, most: 1e9, plain: 65536, text: bytes, setting: (v) => String(Math.round(v)), value: (m) => (m.eager_bytes < 0 ? 1 : Math.max(1, m.eager_bytes)) },
  { key: "node.processors", option: "--set node.processors", name: "Ranks on a node", least: 1, most: Math.max(2, data.info.ranks), plain: 1, text: (v) => String(Math.round(v)), setting: (v) => String(Math.round(v)), value: (m) => m.processors },
  { key: "network.buses", option: "--set network.buses", name: "Transfers at once", least: 0, most: 1024, plain: 0, text: (v) => (v < 1 ? "unlimited" : String(Math.round(v))), setting: (v) => String(Math.floor(v)), value: (m) => m.buses },
];
const steps = 200;
const curvePoints = 13;

/** @param {Slider} s @param {number} position  0 to `steps` */
function valueAt(s, position) {
  const least = Math.max(0.5, s.least);
  const from = s.least === 0 ? least : s.least;
  const v = from * (s.most / from) ** (position / steps);
  return s.least === 0 && position === 0 ? 0 : v;
}
/** @param {Slider} s @param {number} value */
function positionOf(s, value) {
  const from = s.least === 0 ? 0.5 : s.least;
  if (value <= from) return 0;
  return Math.round((steps * Math.log(Math.min(value, s.most) / from)) / Math.log(s.most / from));
}

export function whatif() {
  const time = el("div", { class: "big" }, "…");
  const compared = el("p", { class: "note" });
  const shares = el("div", {});
  const path = el("div", {});
  const ranks = el("div", {});
  const curve = el("div", {}, el("p", { class: "note" }, "…"));
  const command = el("code", { class: "command" });
  const note = el("p", { class: "note" }, engine.client ? "" : engine.why);
  /** @type {any} */
  let base = null;
  /** @type {any} */
  let machine = null;
  let curveTimer = 0;

  const inputs = sliders.map((s) => {
    const value = el("output", {}, "");
    const input = el("input", { type: "range", min: 0, max: steps, step: 1, "aria-label": s.name, "data-key": s.key });
    input.addEventListener("input", () => {
      const v = valueAt(s, Number(input.value));
      value.textContent = s.text(v);
      update({ settings: { ...state.settings, [s.key]: s.setting(v) } });
    });
    return { s, input, value, row: el("label", { class: "slider" }, el("span", {}, s.name), input, value) };
  });

  function showSliders() {
    if (!machine) return;
    for (const { s, input, value } of inputs) {
      const v = s.value(machine);
      if (document.activeElement !== input) input.value = String(positionOf(s, v));
      value.textContent = s.text(v);
      input.setAttribute("aria-valuetext", s.text(v));
    }
  }

  function showCommand() {
    const words = machineSettings().map(([key, value]) => {
      const s = sliders.find((x) => x.key === key);
      const text = /^[\w./-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
      return s && !s.option.startsWith("--set") ? `${s.option} ${text}` : `--set ${key}=${text}`;
    });
    command.textContent = ["reprise simulate", data.file, ...words].join(" ");
  }

  async function simulate() {
    if (!engine.client) return;
    showCommand();
    try {
      base ??= await ask("simulate", [data.settings, 0]);
      const run = await ask("simulate", [machineSettings(), 1], "what-if");
      if (!run) return;
      machine = run.machine;
      showSliders();
      show(run);
      clearTimeout(curveTimer);
      curveTimer = setTimeout(showCurve, 400);
    } catch (error) {
      replace(note, /** @type {Error} */ (error).message);
    }
  }

  /** @param {any} run */
  function show(run) {
    time.textContent = duration(run.time_ps, 4);
    time.title = `${run.time_ps} ps`;
    time.dataset.ps = String(run.time_ps);
    const ratio = run.time_ps / base.time_ps;
    compared.textContent = Math.abs(ratio - 1) < 5e-5 ? "as on the machine of the command line"
      : `${ratio < 1 ? `${(1 / ratio).toFixed(2)} times as fast as` : `${ratio.toFixed(2)} times as long as`} on the machine of the command line (${duration(base.time_ps, 4)})`;
    replace(note, run.deadlock && "The run ends in a deadlock; the numbers are of the part before it. ", `${count(run.calls)} calls and ${count(run.messages)} messages, simulated in ${Math.round(engine.client?.took.simulate ?? 0)} ms. `,
      ...(run.notes ?? []).map((/** @type {any} */ n) => `${count(n.count)} ${n.what}. `), run.unmatched_messages > 0 && `${count(run.unmatched_messages)} messages are never received.`);
    const sums = ["computation_s", "transfer_s", "waiting_s"].map((k) => run.streams.reduce((/** @type {number} */ a, /** @type {any} */ s) => a + s[k], 0));
    const whole = run.time_s * run.streams.length || 1;
    const bar = el("div", { class: "share-bar" });
    const names = ["computing", "transferring", "waiting"];
    const kinds = ["kind-compute", "kind-p2p", "kind-wait"];
    sums.forEach((t, k) => {
      const part = el("span", { class: kinds[k] });
      part.style.width = `${(100 * t) / whole}%`;
      bar.append(part);
    });
    replace(shares, bar, el("ul", { class: "legend" }, ...sums.map((t, k) => el("li", {}, el("i", { class: kinds[k] }), `${names[k]}: ${percent(t / whole)}`))));
    const rows = run.sites.map((/** @type {any} */ s, /** @type {number} */ i) => ({ ...s, call: run.calls_of_sites[i] })).filter((/** @type {any} */ s) => s.critical_path_s > 0);
    replace(path, table(["critical path", "share", "computing before", "latency", "waiting there"], rows.slice(0, 8).map((/** @type {any} */ s) => [
      el("a", { href: "#", onclick: (/** @type {Event} */ e) => { e.preventDefault(); update({ line: lineOf(s.call), view: "program" }); }, title: data.calls[s.call].path }, nameInFull(s.call)),
      percent(s.critical_path_s / run.time_s), duration(s.critical_path_computation_s * 1e12), duration(s.critical_path_latency_s * 1e12), duration(s.waiting_s * 1e12)])),
      el("p", { class: "note" }, `The critical path holds ${count(run.latencies)} latencies and ${bytes(run.bytes)}: a microsecond more latency costs ${duration(run.latencies * 1e6)}.`));
    showRanks(run);
  }

  /** Computation, transfer and waiting of each rank, as many as there are pixels for. @param {any} run */
  function showRanks(run) {
    const most = 64;
    const step = Math.ceil(run.streams.length / most);
    const box = el("div", { class: "rank-bars" });
    for (let i = 0; i < run.streams.length; i += step) {
      const s = run.streams[i];
      const row = el("div", { class: "rank-bar", title: `rank ${s.rank}: computes ${duration(s.computation_s * 1e12)}, waits ${duration(s.waiting_s * 1e12)}` });
      [[s.computation_s, "kind-compute"], [s.transfer_s, "kind-p2p"], [s.waiting_s, "kind-wait"]].forEach(([t, kind]) => {
        const part = el("span", { class: kind });
        part.style.height = `${(100 * t) / run.time_s}%`;
        row.append(part);
      });
      box.append(row);
    }
    replace(ranks, el("h3", {}, step > 1 ? `Ranks 0, ${step}, ${2 * step} …` : "Ranks"), box);
  }

  /** The time over the latency, all else as the sliders are. */
  async function showCurve() {
    const s = sliders[0];
    const points = [];
    const slope = [];
    for (let i = 0; i < curvePoints; ++i) {
      const latency = valueAt(s, (i * steps) / (curvePoints - 1));
      const settings = [...machineSettings().filter(([k]) => k !== s.key), [s.key, s.setting(latency)]];
      const run = await ask("simulate", [settings, 0], "curve").catch(() => null);
      if (!run) return;
      points.push({ x: latency, y: run.time_ps });
      slope.push(run.latencies);
    }
    const plot = lines([{ name: "simulated time", points }], { x: (v) => duration(v, 2), y: (v) => duration(v), xName: "latency", yName: "time", log: true, logY: points.every((p) => p.y > 0), width: 620, mark: Math.max(s.least, s.value(machine)) });
    const csv = () => downloadCsv("latency.csv", [["latency_ps", "time_ps", "latencies_on_critical_path"], ...points.map((p, i) => [p.x, p.y, slope[i]])]);
    replace(curve, plot, el("p", { class: "note" }, `Latencies on the critical path: ${count(slope[0])} at ${duration(points[0].x)}, ${count(slope[slope.length - 1])} at ${duration(points[points.length - 1].x)}. `,
      el("button", { type: "button", onclick: () => downloadSvg("latency.svg", plot) }, "SVG"), " ", el("button", { type: "button", onclick: csv }, "CSV")));
  }

  const isTooLong = data.info.calls > (engine.client?.about.most_calls ?? Infinity);
  const root = el("div", { class: "grid" },
    el("section", { class: "card" }, el("h2", {}, "The machine", el("span", { class: "buttons" }, el("button", { type: "button", onclick: () => { update({ settings: {} }); } }, "Reset"))),
      ...inputs.map((i) => i.row), el("h3", {}, "The same on the command line"), command),
    el("section", { class: "card" }, el("h2", {}, "Time", el("span", { class: "buttons" }, el("button", { type: "button", disabled: isTooLong, title: isTooLong ? "The run has too many calls to keep each of them." : "", onclick: () => update({ run: "simulated", from: 0, to: 0, rangeFrom: 0, rangeTo: 0, view: "timeline" }) }, "In the timeline"))), time, compared, shares, ranks, note),
    el("section", { class: "card" }, el("h2", {}, "Critical path"), path),
    el("section", { class: "card" }, el("h2", {}, "Time over latency"), curve));
  return { root, show: simulate, change: (/** @type {Set<string>} */ keys) => { if (keys.has("settings")) simulate(); } };
}
