// @ts-check
// What costs time, in words: what `reprise analyze` found, or, where it found nothing, where the time goes.
import { allTime, data, hasTimes, lineOf, nameOf } from "./data.js";
import { el } from "./dom.js";
import { count, duration, percent } from "./format.js";
import { engine } from "./run.js";
import { update } from "./state.js";

const mostShown = 3;
const fewIterations = 16; // of the main loop: all of them can be told apart in one picture
const leastShare = 0.03; // of all time; calls that take less are not worth a line

/** A link that selects the line of a call. @param {number} call @param {string} text @param {string} [view] */
export function linkTo(call, text, view = "program") {
  const line = call < data.calls.length ? lineOf(call) : -1;
  return line < 0 ? text : el("a", { href: "#", onclick: (/** @type {Event} */ e) => { e.preventDefault(); update({ line, view }); } }, text);
}

/** A link to two iterations in the middle of the run, which lies in the main loop, or to the whole run if that is no longer than a few; the simulated one, if all its calls can be kept. @param {import("./data.js").Finding} f @param {number} call @param {string} [text] */
function timelineOf(f, call, text) {
  const isKept = data.info.calls <= (engine.client?.about.most_calls ?? Infinity);
  const isPart = f.in_main_loop && data.simulated.iteration < 1 / fewIterations;
  const show = (/** @type {Event} */ e) => {
    e.preventDefault();
    const end = isKept ? data.simulated.time_ps : engine.client?.about.end_ps;
    const iteration = data.simulated.iteration * end;
    const times = isPart ? { from: Math.max(0, Math.floor(end / 2 - iteration)), to: Math.ceil(end / 2 + iteration) } : { from: 0, to: 0 };
    update({ view: "timeline", run: isKept ? "simulated" : "recorded", line: lineOf(call), settings: {}, ...times });
  };
  return el("a", { href: "#", onclick: show }, text ?? `Timeline of ${isPart ? "two iterations" : "the run"}${isKept ? "" : ", each call drawn at its mean"}`);
}

/** How all ranks together spent their time. */
function summary() {
  const ranks = `${count(data.info.ranks)} ${data.info.ranks === 1 ? "rank" : "ranks"}`;
  if (!hasTimes || allTime === 0) return `The trace has no times of its ${ranks}; times below are those of a simulated run.`;
  const kinds = data.kinds.map(() => 0);
  for (const c of data.calls) {
    kinds[0] += c.compute_ns ?? 0;
    kinds[c.kind] += c.mpi_ns ?? 0;
  }
  const computing = kinds[0] / allTime;
  const most = kinds.slice(1).reduce((best, t, k) => (t > kinds[best] ? k + 1 : best), 1);
  const ran = data.info.duration_us ? `ran for ${duration(data.info.duration_us * 1e6)}. They` : "";
  const inMpi = computing > 0.9995 ? "" : ` and ${percent(1 - computing)} in MPI, most of that in ${data.kinds[most]} calls (${percent(kinds[most] / allTime)})`;
  return `${ranks} ${ran} spent ${percent(computing)} of their time in computation${inMpi}.`;
}

const capital = (/** @type {string} */ text) => text.charAt(0).toUpperCase() + text.slice(1);
const cost = (/** @type {import("./data.js").Finding} */ f) => `${f.is_bound ? "at most " : ""}${duration(f.cost_s * 1e12)}`;

/** "ranks 0..4", or how many they are where that is shorter. @param {import("./data.js").Finding} f */
function ranksOf(f) {
  const all = f.number_of_ranks === data.info.ranks && data.info.ranks > 1;
  const text = all ? "all ranks" : f.ranks.length > 24 || f.ranks.includes("<") ? `${count(f.number_of_ranks)} of ${count(data.info.ranks)} ranks` : f.ranks;
  return el("span", { title: f.ranks }, text);
}

/** What varies is not in the simulated run. @param {import("./data.js").Finding} f */
function costs(f) {
  const share = percent(f.share);
  return f.whole_s ? `costs ${share} of ${duration(f.whole_s * 1e12)}, the time of a run in which ${f.is_of_run ? "all computation" : "this computation"} varies as recorded.` : `the simulated run would end ${f.is_bound ? "at most " : ""}${share} earlier without it.`;
}

const isOfComputation = (/** @type {import("./data.js").Finding} */ f) => ["imbalance", "long-executions", "serial-phase", "drift"].includes(f.id);

/** Where it is; what is of the whole run has its place among the lines below. @param {import("./data.js").Finding} f */
const place = (f) => (f.is_of_run ? [] : [isOfComputation(f) ? " before " : " in ", linkTo(f.call, f.where), " on ", ranksOf(f)]);

const inMicroseconds = (/** @type {string} */ text) => text.replace(/(\d) us\b/g, "$1 µs");
const sentence = (/** @type {string} */ line) => `${capital(inMicroseconds(line))}${/[.?!]$/.test(line) ? "" : "."}`;

/** The line with the call that it names, if it does, as a link. @param {import("./data.js").Finding} f @param {string} line */
function withLinks(f, line) {
  const at = f.named ? line.indexOf(f.named.where) : -1;
  if (!f.named || at < 0) return [line];
  const { call, where } = f.named;
  return [line.slice(0, at), f.is_of_run ? linkTo(call, where) : timelineOf(f, call, where), line.slice(at + where.length)];
}

/** What is found, and what else has the same cause. @param {import("./data.js").Finding[]} same */
function finding(same) {
  const [f, ...others] = same;
  return el("li", {},
    el("span", { class: "cost" }, cost(f)),
    el("div", {},
      el("p", {}, el("strong", {}, capital(f.title)), ...place(f), `: ${costs(f)} `, ...(f.is_of_run || f.id === "long-executions" ? [] : [timelineOf(f, f.call)])),
      ...f.lines.map((line) => el("p", {}, ...withLinks(f, sentence(line)))),
      ...others.map((o) => el("p", {}, "Same cause: ", el("strong", {}, o.title), isOfComputation(o) ? " before " : " in ", linkTo(o.call, o.where), ` (${cost(o)})${o.executions && o.executions !== f.executions ? `; executions: ${inMicroseconds(o.executions)}` : ""}.`)),
      el("details", { class: "note" }, el("summary", {}, "What it means"), el("p", {}, f.definition), el("p", {}, `Cost: ${f.cost}`))));
}

/** Findings with those that have the same cause, the costliest first. */
function byCause() {
  /** @type {Map<number, import("./data.js").Finding[]>} */
  const groups = new Map();
  (data.findings ?? []).forEach((f, i) => {
    const root = f.same_as ?? i;
    groups.set(root, [...(groups.get(root) ?? []), f]);
  });
  return [...groups.values()];
}

/** What balance would save at most, the most first: the mean of what each rank spent is what would be left. */
function imbalances() {
  return data.calls
    .flatMap((c, call) => (c.compute ?? []).flatMap((t) => (t.balance ? [{ call, ...t.balance, excess: t.balance.most_ns - t.balance.mean_ns }] : [])))
    .sort((a, b) => b.excess - a.excess);
}

/** Where the time goes as it was recorded: uneven computation, and the calls that take most. */
function recorded() {
  const runTime = data.info.duration_us * 1000 || allTime / data.info.ranks;
  const out = [];
  for (const i of imbalances().slice(0, mostShown)) {
    if (i.excess < 0.01 * runTime) break;
    out.push(el("li", {}, el("span", { class: "cost" }, percent(i.excess / runTime)), el("div", {}, el("p", {}, el("strong", {}, "Uneven computation"), " before ", linkTo(i.call, nameOf(i.call))),
      el("p", {}, `Rank ${i.slowest} computes for ${duration(i.most_ns * 1000)} there, the mean rank for ${duration(i.mean_ns * 1000)}. Balanced, the run would end at most ${duration(i.excess * 1000)} earlier.`))));
  }
  const calls = data.calls.map((c, call) => ({ call, share: (c.mpi_ns ?? 0) / allTime })).sort((a, b) => b.share - a.share);
  for (const c of calls.slice(0, mostShown)) {
    if (!(c.share >= leastShare) || out.length >= mostShown) break;
    out.push(el("li", {}, el("span", { class: "cost" }, percent(c.share)), el("div", {}, el("p", {}, el("strong", {}, linkTo(c.call, nameOf(c.call)))),
      el("p", {}, `of the time of all ranks is spent in ${count(data.calls[c.call].calls)} executions of this call. `, linkTo(c.call, "Timeline", "timeline")))));
  }
  return out;
}

/** How the simulated run, which the findings are of, compares to the recorded one. */
function times() {
  const run = data.simulated;
  if (!run) return [];
  const varying = run.varying_time_s ? `, and ${duration(run.varying_time_s * 1e12)} with computation that varies as recorded` : "";
  const recordedTime = data.info.duration_us ? `; the recorded run took ${duration(data.info.duration_us * 1e6)}` : "";
  const rest = run.unexplained_s
    ? ` ${duration(run.unexplained_s * 1e12)} of the recorded time are not explained: the network may be slower than the simulated one (options --latency and --bandwidth of reprise report), and the time of the MPI library itself is not simulated.`
    : run.is_far_from_recorded ? " The simulated machine is slower than the recorded one: describe that with the options --latency, --bandwidth and --cpu-ratio of reprise report." : "";
  return [el("p", { class: rest ? "caveat" : "note" }, `The simulated run takes ${duration(run.time_s * 1e12)}${varying}${recordedTime}.${rest}`)];
}

/** What a newcomer reads first. */
export function findings() {
  const parts = /** @type {HTMLElement[]} */ ([el("p", { class: "summary" }, summary())]);
  const found = byCause();
  if (found.length > 0) {
    const overlap = found.length > 1 ? [el("p", { class: "note" }, "Costs overlap: removing one may also reduce another.")] : [];
    parts.push(el("h3", {}, "Findings, the costliest first"),
      ...times(), ...overlap, el("ol", { class: "findings" }, ...found.slice(0, mostShown).map(finding)));
    if (found.length > mostShown)
      parts.push(el("details", {}, el("summary", {}, `${count(found.length - mostShown)} more`), el("ol", { class: "findings" }, ...found.slice(mostShown).map(finding))));
    return parts;
  }
  if (data.findings)
    parts.push(el("p", { class: "note" }, "No wait state, imbalance or misuse of MPI found that costs 1 % of the simulated run or more: look at what bounds the run."));
  const rows = recorded();
  if (rows.length > 0) parts.push(el("h3", {}, "Where the recorded time goes"), el("ol", { class: "findings" }, ...rows));
  return parts;
}
