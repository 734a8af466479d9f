// @ts-check
// What a newcomer asks first: what costs time, where the time went, and what the trace is of.
import { kindClass } from "./color.js";
import { allTime, data, hasTimes, timeOf } from "./data.js";
import { downloadCsv, el, hideTooltip, showTooltip, table } from "./dom.js";
import { showEfficiency } from "./efficiency.js";
import { findings, linkTo } from "./findings.js";
import { bytes, count, duration, percent, short } from "./format.js";

const mostRows = 10;

function facts() {
  const i = data.info;
  const rows = [
    ["Command", i.program || "not known"],
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
    linkTo(r.call, name), count(r.calls), hasTimes ? percent(r.mpi / allTime) : "–", hasTimes ? percent((r.time - r.mpi) / allTime) : "–", r.sent ? bytes(r.sent) : "–",
  ]);
  return el("section", { class: "card" },
    el("h2", {}, by === "function" ? "By function" : "By call path", el("button", { type: "button", onclick: csv }, "CSV")),
    table([by === "function" ? "function" : "call, innermost first", "calls", "in MPI", "computing before", "sent"], shown),
    order.length > mostRows && el("p", { class: "note" }, `${count(order.length - mostRows)} more in the CSV. Shares are of the time of all ranks.`),
  );
}

export function overview() {
  const efficiency = el("div", {}, el("p", { class: "note" }, "…"));
  const root = el("div", { class: "grid" },
    data.blocked && el("section", { class: "card full" }, el("h2", {}, "Where the run stopped"), el("pre", {}, data.blocked)),
    el("section", { class: "card full" }, el("h2", {}, "What costs time"), ...findings()),
    el("section", { class: "card" }, el("h2", {}, "What bounds the run"), efficiency),
    el("div", { class: "stack" },
      hasTimes && el("section", { class: "card" }, el("h2", {}, "Time of all ranks"), ...kinds()),
      el("section", { class: "card" }, el("h2", {}, "The run"), facts(), ...caveats())),
    costs("function"),
    costs("path"),
  );
  return { root, show: () => showEfficiency(efficiency), change: (/** @type {Set<string>} */ keys) => { if (keys.has("settings")) showEfficiency(efficiency); } };
}
