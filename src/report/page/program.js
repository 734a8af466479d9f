// @ts-check
// The pseudo-code of `reprise show`; what is selected here is selected in all views.
import { kindClass } from "./color.js";
import { allTime, callsOf, data, hasTimes, textOf, timeOf } from "./data.js";
import { downloadCsv, el, replace } from "./dom.js";
import { bytes, count, duration, percent } from "./format.js";
import { durations } from "./histograms.js";
import { sourceOf } from "./source.js";
import { state, update } from "./state.js";

const { lines } = data.program;
const mostHot = 6;
const mostRankLines = 3; // beyond, what names of ranks mean is folded

/** Whether lines stand below this one. @param {number} i */
function hasBody(i) {
  return i + 1 < lines.length && lines[i + 1].depth > lines[i].depth;
}

/** @param {number[]} calls */
function sumsOf(calls) {
  const sum = { time: 0, compute: 0, mpi: 0, calls: 0, bytes: 0 };
  for (const call of calls) {
    const c = data.calls[call];
    sum.time += timeOf(c);
    sum.compute += c.compute_ns ?? 0;
    sum.mpi += c.mpi_ns ?? 0;
    sum.calls += c.calls;
    sum.bytes += c.bytes_sent;
  }
  return sum;
}

/** A bar of what the calls compute and communicate. @param {number[]} calls */
function shareBar(calls) {
  const bar = el("span", { class: "mini-bar", "aria-hidden": "true" });
  const kinds = data.kinds.map(() => 0);
  for (const call of calls) {
    kinds[0] += data.calls[call].compute_ns ?? 0;
    kinds[data.calls[call].kind] += data.calls[call].mpi_ns ?? 0;
  }
  kinds.forEach((t, k) => {
    if (t <= 0) return;
    const part = el("span", { class: kindClass(k) });
    part.style.width = `${(100 * t) / allTime}%`;
    bar.append(part);
  });
  return bar;
}

/** What to look at while no line is selected. */
function overall() {
  const byTime = lines.map((l, i) => ({ i, time: l.calls.length > 0 && !hasBody(i) ? sumsOf(l.calls).time : 0 })).sort((a, b) => b.time - a.time);
  const most = byTime.slice(0, mostHot).filter((l) => l.time >= 0.01 * allTime);
  return [
    el("h3", {}, "No line is selected"),
    el("p", { class: "note" }, "Select a line: it is then selected in all views, and its call path, histograms and source are shown here."),
    hasTimes && most.length > 0 && el("h3", {}, "Lines with most time, with computation before them"),
    ...(hasTimes ? most.map(({ i, time }) => el("p", { class: "path" }, el("span", { class: "cost" }, percent(time / allTime)), " ", el("a", { href: "#", onclick: (/** @type {Event} */ e) => { e.preventDefault(); update({ line: i }); } }, textOf(i)), ` ${lines[i].place}`)) : []),
    ...(data.sources ? [el("h3", {}, "Source files"), el("p", { class: "note" }, `${count(data.sources.files.length)} on the page.`), ...data.sources.missing.map((m) => el("p", { class: "note" }, `${m.name}: ${m.why}.`))] : []),
  ];
}

/** @param {number} i */
function details(i) {
  if (i < 0) return overall();
  const calls = callsOf(i);
  const sums = sumsOf(calls);
  const few = calls.slice(0, 12);
  return [
    el("h2", {}, textOf(i)),
    el("dl", { class: "facts" },
      ...[["Calls", count(sums.calls)], ["Sent", bytes(sums.bytes)],
        ...(hasTimes ? [["Computation before", `${duration(sums.compute * 1000)}, ${percent(sums.compute / allTime)}`], ["In MPI", `${duration(sums.mpi * 1000)}, ${percent(sums.mpi / allTime)}`]] : []),
      ].flatMap(([a, b]) => [el("dt", {}, a), el("dd", {}, b)])),
    el("h3", {}, calls.length === 1 ? "Call path" : `${count(calls.length)} call sites`),
    ...few.map((c) => el("p", { class: "path" }, el("strong", {}, data.calls[c].function), data.calls[c].path && ` ${data.calls[c].path}`)),
    calls.length > few.length && el("p", { class: "note" }, `and ${count(calls.length - few.length)} more`),
    ...sourceOf(calls),
    ...(hasTimes ? durations(calls, { width: 420, height: 150 }) : []),
    el("p", { class: "buttons" },
      el("button", { type: "button", onclick: () => update({ view: "timeline" }) }, "In the timeline"),
      el("button", { type: "button", onclick: () => update({ view: "histograms" }) }, "Over the ranks"),
      el("button", { type: "button", onclick: () => update({ line: -1 }) }, "Deselect")),
  ];
}

/** What names of ranks and values mean. */
function rankLines() {
  const all = data.program.ranks.map((r) => el("p", { class: "ranks" }, r));
  return all.length <= mostRankLines ? all : [all[0], el("details", {}, el("summary", {}, `${count(all.length - 1)} more names of ranks and values`), ...all.slice(1))];
}

export function program() {
  /** @type {Set<number>} */
  const folded = new Set();
  const pane = el("aside", { class: "details" });
  const rows = lines.map((line, i) => {
    const calls = callsOf(i);
    const sums = sumsOf(calls);
    const fold = hasBody(i) && el("button", { class: "fold", type: "button", tabindex: "-1", title: "Fold (Left, Right)", onclick: (/** @type {Event} */ e) => { e.stopPropagation(); toggle(i); } }, "▾");
    const words = line.words.flatMap(([strong, rest], k) => [k > 0 && " ", strong && el("b", {}, strong), rest]);
    const code = el("td", { class: "code" }, fold || el("span", { class: "fold" }), ...words);
    code.style.paddingLeft = `${line.depth * 1.4 + 0.4}em`;
    return el("tr", { tabindex: i === 0 ? "0" : "-1", "data-line": i, onclick: () => select(i) },
      code, el("td", { class: "place" }, line.place),
      el("td", { class: "number" }, hasTimes ? percent(sums.time / allTime) : ""), el("td", { class: "bar" }, hasTimes && shareBar(calls)),
      el("td", { class: "number" }, sums.calls ? count(sums.calls) : ""), el("td", { class: "number" }, sums.bytes ? bytes(sums.bytes) : ""));
  });

  function refold() {
    let hiddenBelow = Infinity;
    rows.forEach((row, i) => {
      const { depth } = lines[i];
      if (depth <= hiddenBelow) hiddenBelow = Infinity;
      row.hidden = depth > hiddenBelow;
      if (!row.hidden && folded.has(i)) hiddenBelow = depth;
      const fold = row.querySelector("button.fold");
      if (fold) fold.textContent = folded.has(i) ? "▸" : "▾";
    });
  }
  /** @param {number} i @param {boolean} [on] */
  function toggle(i, on = !folded.has(i)) {
    if (on) folded.add(i);
    else folded.delete(i);
    refold();
  }
  /** @param {number} i */
  function select(i) {
    update({ line: state.line === i ? -1 : i });
    focus(i);
  }
  /** @param {number} i */
  function focus(i) {
    for (const row of rows) row.tabIndex = -1;
    rows[i].tabIndex = 0;
    rows[i].focus();
  }
  /** @param {KeyboardEvent} event */
  function key(event) {
    const at = rows.indexOf(/** @type {any} */ (document.activeElement));
    if (at < 0) return;
    const visible = (/** @type {number} */ step) => {
      let i = at + step;
      while (rows[i]?.hidden) i += step;
      if (rows[i]) focus(i);
    };
    const action = { ArrowDown: () => visible(1), ArrowUp: () => visible(-1), ArrowLeft: () => hasBody(at) && toggle(at, true),
      ArrowRight: () => toggle(at, false), Enter: () => select(at), " ": () => select(at) }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }
  function change() {
    rows.forEach((row, i) => row.classList.toggle("selected", i === state.line));
    replace(pane, ...details(state.line));
  }
  const csv = () => downloadCsv(`${data.file}.program.csv`, [["line", "place", "computation_before_ns", "mpi_ns", "calls", "bytes_sent"],
    ...lines.map((l, i) => { const s = sumsOf(callsOf(i)); return ["  ".repeat(l.depth) + l.words.map((w) => w.join("")).join(" "), l.place, s.compute, s.mpi, s.calls, s.bytes]; })]);
  const root = el("div", { class: "split" },
    el("section", { class: "card wide" },
      el("h2", {}, "Program", el("span", { class: "buttons" },
        el("button", { type: "button", onclick: () => { lines.forEach((_, i) => hasBody(i) && folded.add(i)); refold(); } }, "Fold all"),
        el("button", { type: "button", onclick: () => { folded.clear(); refold(); } }, "Unfold all"),
        el("button", { type: "button", onclick: csv }, "CSV"))),
      ...rankLines(),
      el("div", { class: "scroll" }, el("table", { class: "program", onkeydown: key },
        el("thead", {}, el("tr", {}, ...["line", "place", "time", "", "calls", "sent"].map((h, i) => el("th", { class: i === 2 || i > 3 ? "number" : "text", scope: "col" }, h)))),
        el("tbody", {}, ...rows)))),
    pane);
  return { root, show: () => { change(); if (state.line >= 0) rows[state.line].scrollIntoView({ block: "nearest" }); }, change };
}
