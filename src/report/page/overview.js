// @ts-check
// What a stranger asks first: what the trace is of, where its time went, and what costs most.
import { kindClass } from "./color.js";
import { allTime, data, hasTimes, lineOf, nameOf, timeOf } from "./data.js";
import { downloadCsv, el, hideTooltip, replace, showTooltip, table } from "./dom.js";
import { bytes, count, duration, percent, short } from "./format.js";
import { ask, engine } from "./run.js";
import { machineSettings, update } from "./state.js";

const mostRows = 10;

function facts() {
  const i = data.info;
  const rows = [
    ["Program", i.program || "not known"],
    ["Ranks", count(i.ranks) + (i.threads > 1 ? `, ${i.threads} threads each` : "")],
    ["MPI", i.mpi || "not known"],
    ["Duration", i.duration_us ? duration(i.duration_us * 1e6) : "not known"],
    ["Calls", count(i.calls)],
    ["Sent", bytes(i.bytes_sent)],
    ["Call sites", `${count(i.call_sites)} of ${count(i.functions)} functions`],
    ["Trace", `${data.file}, ${bytes(i.file_bytes)}`],
  ];
  if (i.date) rows.splice(3, 0, ["Date", `${new Date(i.date * 1000).toISOString().replace("T", " ").slice(0, 19)} UTC`]);
  return el("dl", { class: "facts" }, ...rows.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));
}

/** What does not let the numbers be taken as they are. */
function caveats() {
  const i = data.info;
  const out = [];
  for (const [what, n] of Object.entries(i.lost)) out.push(`Not in the trace: ${count(/** @type {number} */ (n))} ${what}.`);
  const cut = i.cut_short.length + i.without_calls.length;
  if (cut > 0) out.push(`The trace is cut short on ${count(cut)} of ${count(i.ranks)} ranks.`);
  const wait = i.core_wait_ns / 1000 / (i.duration_us * i.ranks || 1);
  if (wait >= 0.05) out.push(`Ranks waited for a core during ${percent(wait)} of the run: computation may have taken longer than on a quiet machine.`);
  if (!hasTimes) out.push("The trace has no times (it was recorded with --time none).");
  return out.map((text) => el("p", { class: "caveat" }, text));
}

/** Time of all ranks by kind, as one bar. */
function kinds() {
  const sums = data.kinds.map(() => 0);
  for (const c of data.calls) {
    sums[0] += c.compute_ns ?? 0;
    sums[c.kind] += c.mpi_ns ?? 0;
  }
  const bar = el("div", { class: "share-bar" });
  const legend = el("ul", { class: "legend" });
  sums.forEach((sum, k) => {
    if (sum === 0) return;
    const text = `${data.kinds[k]}: ${percent(sum / allTime)}`;
    const part = el("span", { class: kindClass(k), onmousemove: (/** @type {MouseEvent} */ e) => showTooltip(e, text, duration(sum * 1000)), onmouseleave: hideTooltip });
    part.style.flexGrow = String(sum / allTime);
    bar.append(part);
    legend.append(el("li", {}, el("i", { class: kindClass(k) }), text));
  });
  return [bar, legend];
}

/** @param {number} call @param {string} text */
function link(call, text) {
  const line = lineOf(call);
  return line < 0 ? text : el("a", { href: "#", onclick: (/** @type {Event} */ e) => { e.preventDefault(); update({ line, view: "program" }); } }, text);
}

/** What balance would save at most, the most first: the mean of what each rank spent is what would be left. */
function imbalances() {
  const out = [];
  data.calls.forEach((c, call) => {
    for (const [what, rows] of /** @type {const} */ ([["computation before", c.compute], ["time in", c.mpi]])) {
      for (const t of rows ?? []) {
        if (t.balance) out.push({ call, what, ...t.balance, excess: t.balance.most_ns - t.balance.mean_ns });
      }
    }
  });
  return out.sort((a, b) => b.excess - a.excess);
}

function findings() {
  if (data.findings?.length) {
    return data.findings.map((f) =>
      el("li", {}, el("strong", {}, link(f.call, f.title)),
        `: ${f.is_bound ? "at most " : ""}${duration(f.cost_s * 1e12)} (${percent(f.share)} of the simulated run)`,
        ...f.lines.map((line) => el("p", {}, line))),
    );
  }
  const runTime = data.info.duration_us * 1000 || allTime / data.info.ranks;
  const out = [];
  for (const i of imbalances().filter((i) => i.what === "computation before").slice(0, 3)) {
    if (i.excess < 0.01 * runTime) break;
    out.push(
      el("li", {}, el("strong", {}, "Uneven computation before ", link(i.call, nameOf(i.call))),
        el("p", {}, `Rank ${i.slowest} computes ${duration(i.most_ns * 1000)} there, a rank in the mean ${duration(i.mean_ns * 1000)}. If it were even, the run could end up to ${duration(i.excess * 1000)} earlier (${percent(i.excess / runTime)}).`)),
    );
  }
  const waits = data.calls
    .map((c, call) => ({ call, share: (c.mpi_ns ?? 0) / allTime, kind: c.kind }))
    .sort((a, b) => b.share - a.share);
  for (const w of waits.slice(0, 3)) {
    if (w.share < 0.03 || out.length >= 3) break;
    out.push(
      el("li", {}, el("strong", {}, "Much time in ", link(w.call, nameOf(w.call))),
        el("p", {}, `All ranks together spend ${percent(w.share)} of their time in this call.`)),
    );
  }
  return out.length ? out : [el("li", {}, "No call site takes much more on one rank than on the others, and none takes much of the time.")];
}

/** @param {"function" | "path"} by */
function costs(by) {
  /** @type {Map<string, { time: number, mpi: number, calls: number, sent: number, call: number }>} */
  const rows = new Map();
  data.calls.forEach((c, call) => {
    const name = by === "function" ? short(c.function) : [short(c.function), ...c.path.split(" > ").reverse()].filter(Boolean).join(" ← ");
    const row = rows.get(name) ?? { time: 0, mpi: 0, calls: 0, sent: 0, call };
    row.time += timeOf(c);
    row.mpi += c.mpi_ns ?? 0;
    row.calls += c.calls;
    row.sent += c.bytes_sent;
    rows.set(name, row);
  });
  const order = [...rows].sort(([, a], [, b]) => b.mpi - a.mpi || b.calls - a.calls);
  const csv = () => downloadCsv(`${data.file}.${by}.csv`, [["name", "calls", "mpi_ns", "computation_before_ns", "bytes_sent"],
    ...order.map(([name, r]) => [name, r.calls, r.mpi, r.time - r.mpi, r.sent])]);
  const shown = order.slice(0, mostRows).map(([name, r]) => [
    by === "path" ? link(r.call, name) : name, count(r.calls), hasTimes ? percent(r.mpi / allTime) : "–", hasTimes ? percent((r.time - r.mpi) / allTime) : "–", r.sent ? bytes(r.sent) : "–",
  ]);
  return el("section", { class: "card" },
    el("h2", {}, by === "function" ? "By function" : "By call path", el("button", { type: "button", onclick: csv }, "CSV")),
    table([by === "function" ? "function" : "call, innermost first", "calls", "in MPI", "computing before", "sent"], shown),
    order.length > mostRows && el("p", { class: "note" }, `${count(order.length - mostRows)} more in the CSV. Shares are of the time of all ranks.`),
  );
}

/** @param {Element} box */
async function showEfficiency(box) {
  try {
    const run = await ask("simulate", [machineSettings(), 1], "efficiency");
    if (!run) return;
    const e = run.efficiency;
    if (!e) return replace(box, el("p", {}, "The simulated run comes to a deadlock: ranks wait for messages that nobody sends."));
    const rows = [
      ["Parallel efficiency", e.parallel, "computation over the time of all ranks"],
      ["Load balance", e.load_balance, "mean over greatest computation of a rank"],
      ["Communication efficiency", e.communication, "greatest computation over the time"],
      ["Serialization", e.serialisation, "what is left on an ideal network"],
      ["Transfer", e.transfer, "what the network itself leaves"],
    ];
    replace(box, ...rows.map(([name, value, what], i) => {
      const fill = el("span", { class: value < 0.6 ? "bad" : value < 0.85 ? "fair" : "good" });
      fill.style.width = `${100 * Number(value)}%`;
      return el("div", { class: `gauge level-${i === 0 ? 0 : i < 3 ? 1 : 2}` }, el("span", { title: what }, name), el("span", { class: "meter" }, fill), el("span", { class: "number" }, percent(Number(value))));
    }), el("p", { class: "note" }, `As the POP project defines them, of the run simulated on the machine of What if: ${duration(run.time_ps)}.`));
  } catch (error) {
    replace(box, el("p", { class: "note" }, /** @type {Error} */ (error).message));
  }
}

export function overview() {
  const efficiency = el("div", {}, el("p", { class: "note" }, engine.client ? "Being simulated …" : engine.why));
  const root = el("div", { class: "grid" },
    el("section", { class: "card" }, el("h2", {}, "The run"), facts(), ...caveats()),
    el("section", { class: "card" }, el("h2", {}, "What costs most"), el("ol", { class: "findings" }, ...findings())),
    hasTimes && el("section", { class: "card" }, el("h2", {}, "Time of all ranks"), ...kinds()),
    el("section", { class: "card" }, el("h2", {}, "Efficiency"), efficiency),
    costs("function"),
    costs("path"),
  );
  return { root, show: () => { if (engine.client) showEfficiency(efficiency); }, change: () => {} };
}
