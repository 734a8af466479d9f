// @ts-check
// Time by call path, as a flame graph: callers above what they call, as wide as their share of the time of all ranks.
import { kindClass } from "./color.js";
import { callsOf, data, hasTimes } from "./data.js";
import { downloadCsv, downloadSvg, el, hideTooltip, replace, showTooltip, svg } from "./dom.js";
import { count, duration, percent, short } from "./format.js";
import { state, update } from "./state.js";

const rowHeight = 22;
const leastWidth = 0.4; // narrower frames are not drawn, but counted

/**
 * @typedef {{ name: string, place: string, depth: number, parent: Frame | null, children: Map<string, Frame>, calls: number[], compute: number, mpi: number, count: number }} Frame
 */

/** @param {string} name @param {string} place @param {Frame | null} parent @returns {Frame} */
function frame(name, place, parent) {
  return { name, place, depth: parent ? parent.depth + 1 : 0, parent, children: new Map(), calls: [], compute: 0, mpi: 0, count: 0 };
}

/** Functions under those that call them; a call of MPI is a leaf at its place. */
function tree() {
  const root = frame("all ranks", "", null);
  data.calls.forEach((c, call) => {
    let at = root;
    const add = (/** @type {string} */ name, /** @type {string} */ place, /** @type {string} */ key) => {
      const known = at.children.get(key) ?? frame(name, place, at);
      at.children.set(key, known);
      at = known;
    };
    for (const f of c.frames) add(data.frames[f][0], "", data.frames[f][0]);
    const place = c.frames.length > 0 ? data.frames[c.frames[c.frames.length - 1]][1] : "";
    add(short(c.function), place, `${c.function} ${place}`);
    for (let /** @type {Frame | null} */ f = at; f; f = f.parent) {
      f.calls.push(call);
      f.compute += c.compute_ns ?? 0;
      f.mpi += c.mpi_ns ?? 0;
      f.count += c.calls;
    }
  });
  return root;
}

const timeOf = (/** @type {Frame} */ f) => (hasTimes ? f.compute + f.mpi : f.count);
const byTime = (/** @type {Frame} */ f) => [...f.children.values()].sort((a, b) => timeOf(b) - timeOf(a));
const isLeaf = (/** @type {Frame} */ f) => f.children.size === 0;
const text = (/** @type {Frame} */ f) => (f.place ? `${f.name} ${f.place}` : f.name);

/** The line that makes just these calls, or else the smallest that makes them all. @param {number[]} calls */
function lineFor(calls) {
  let best = -1;
  let least = Infinity;
  data.program.lines.forEach((_, i) => {
    const own = new Set(callsOf(i));
    if (own.size < least && calls.every((c) => own.has(c))) [best, least] = [i, own.size];
  });
  return best;
}

export function flame() {
  const root = tree();
  let top = root;
  let current = root;
  let drawnWidth = 0;
  /** @type {Set<Frame>} */
  const folded = new Set();
  /** @type {Map<Frame, SVGElement>} */
  let boxes = new Map();
  const holder = el("div", { class: "flame" });
  const note = el("p", { class: "note", "aria-live": "polite" });

  /** What is said of a frame. @param {Frame} f */
  function words(f) {
    const share = hasTimes ? `${percent(timeOf(f) / timeOf(root))} of the time of all ranks` : `${percent(f.count / root.count)} of the calls`;
    return [text(f), share, hasTimes && `computation ${duration(f.compute * 1000)}, MPI ${duration(f.mpi * 1000)}`, `${count(f.count)} calls, ${count(f.calls.length)} call ${f.calls.length === 1 ? "site" : "sites"}`];
  }
  function describe() {
    replace(note, words(current).filter(Boolean).join("; "), folded.has(current) ? "; folded." : ".");
  }

  function draw() {
    const width = Math.max(300, holder.clientWidth);
    drawnWidth = holder.clientWidth;
    boxes = new Map();
    const shapes = /** @type {Element[]} */ ([]);
    const chosen = state.line >= 0 ? new Set(callsOf(state.line)) : null;
    let deepest = 0;
    let tooNarrow = 0;
    /** @param {Frame} f @param {number} x @param {number} w @param {number} row */
    const add = (f, x, w, row) => {
      if (w < leastWidth) return void ++tooNarrow;
      deepest = Math.max(deepest, row);
      const y = row * rowHeight;
      const dims = chosen !== null && !f.calls.some((c) => chosen.has(c));
      const box = svg("g", { class: `frame${dims ? " dim" : ""}`, tabindex: f === current ? 0 : -1, role: "treeitem", "aria-label": words(f).filter(Boolean).join(", "),
        onclick: () => choose(f), ondblclick: () => zoom(f), onmousemove: (/** @type {MouseEvent} */ e) => showTooltip(e, ...words(f)), onmouseleave: hideTooltip });
      if (isLeaf(f)) {
        const part = hasTimes && timeOf(f) > 0 ? (w * f.compute) / timeOf(f) : 0;
        box.append(svg("rect", { class: kindClass(0), x, y, width: part, height: rowHeight - 1 }),
          svg("rect", { class: kindClass(data.calls[f.calls[0]].kind), x: x + part, y, width: w - part, height: rowHeight - 1 }));
      } else {
        box.append(svg("rect", { class: "caller", x, y, width: w, height: rowHeight - 1 }));
      }
      box.append(svg("rect", { class: "edge", x, y, width: w, height: rowHeight - 1 }));
      const room = Math.floor((w - 8) / 6.6);
      const label = folded.has(f) ? `${text(f)} …` : text(f);
      if (room >= 3) box.append(svg("text", { class: isLeaf(f) ? "on-kind" : "", x: x + 4, y: y + 15 }, label.length > room ? `${label.slice(0, room - 1)}…` : label));
      boxes.set(f, box);
      shapes.push(box);
      if (folded.has(f)) return;
      let at = x;
      for (const child of byTime(f)) {
        const part = timeOf(f) > 0 ? (w * timeOf(child)) / timeOf(f) : 0;
        add(child, at, part, row + 1);
        at += part;
      }
    };
    const above = [];
    for (let /** @type {Frame | null} */ f = top.parent; f; f = f.parent) above.unshift(f);
    above.forEach((f, row) => {
      const box = svg("g", { class: "frame above", tabindex: -1, role: "treeitem", "aria-label": text(f), onclick: () => zoom(f) },
        svg("rect", { class: "caller", x: 0, y: row * rowHeight, width, height: rowHeight - 1 }), svg("text", { x: 4, y: row * rowHeight + 15 }, text(f)));
      boxes.set(f, box);
      shapes.push(box);
    });
    add(top, 0, width, above.length);
    const height = (deepest + 1) * rowHeight;
    replace(holder, svg("svg", { class: "plot flame-graph", viewBox: `0 0 ${width} ${height}`, width, height, role: "tree", "aria-label": "Time by call path", onkeydown: key }, ...shapes));
    describe();
    if (tooNarrow > 0) note.append(` ${count(tooNarrow)} ${tooNarrow === 1 ? "frame is" : "frames are"} too narrow to be drawn.`);
  }

  /** @param {Frame} f */
  function focus(f) {
    boxes.get(current)?.setAttribute("tabindex", "-1");
    current = f;
    boxes.get(f)?.setAttribute("tabindex", "0");
    boxes.get(f)?.focus();
    describe();
  }
  /** @param {Frame} f */
  function choose(f) {
    const line = f === root ? -1 : lineFor(f.calls);
    current = f;
    update({ line: state.line === line ? -1 : line });
    focus(f);
    if (line < 0 && f !== root) note.append(" No single line of the program makes all of these calls.");
  }
  /** @param {Frame} f */
  function zoom(f) {
    top = f;
    current = f;
    folded.delete(f);
    draw();
    focus(f);
  }
  /** @param {Frame} f */
  function fold(f) {
    if (isLeaf(f)) return;
    if (!folded.delete(f)) folded.add(f);
    draw();
    focus(f);
  }

  /** @param {KeyboardEvent} event */
  function key(event) {
    const sideways = (/** @type {number} */ step) => {
      const all = current.parent && current !== top ? byTime(current.parent).filter((f) => boxes.has(f)) : [];
      const next = all[all.indexOf(current) + step];
      if (next) focus(next);
    };
    const below = byTime(current).find((f) => boxes.has(f));
    const action = {
      ArrowDown: () => below && focus(below), ArrowUp: () => current.parent && boxes.has(current.parent) && focus(current.parent),
      ArrowLeft: () => sideways(-1), ArrowRight: () => sideways(1), Enter: () => choose(current), " ": () => fold(current),
      "+": () => zoom(current), "-": () => zoom(top.parent ?? root), "0": () => zoom(root),
    }[event.key];
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  }

  const csv = () => downloadCsv("call_paths.csv", [["call_path", "function", "calls", "computation_before_ns", "mpi_ns"],
    ...data.calls.map((c) => [c.path, c.function, c.calls, c.compute_ns ?? 0, c.mpi_ns ?? 0])]);
  const picture = () => /** @type {SVGElement} */ (holder.querySelector("svg"));
  const legend = el("ul", { class: "legend" }, ...data.kinds.map((k, i) => ({ k, i })).filter(({ i }) => i === 0 || data.calls.some((c) => c.kind === i))
    .map(({ k, i }) => el("li", {}, el("i", { class: kindClass(i) }), i === 0 ? "computation before the call" : k)));
  const view = el("section", { class: "card" },
    el("h2", {}, "Time by call path", el("span", { class: "buttons" },
      el("button", { type: "button", title: "Only this frame (+, double click)", onclick: () => zoom(current) }, "Zoom in"), el("button", { type: "button", title: "Everything (0)", onclick: () => zoom(root) }, "All"),
      el("button", { type: "button", title: "Fold or unfold (Space)", onclick: () => fold(current) }, "Fold"),
      el("button", { type: "button", onclick: () => downloadSvg("call_paths.svg", picture()) }, "SVG"), el("button", { type: "button", onclick: csv }, "CSV"))),
    legend, holder, note,
    el("p", { class: "note" }, hasTimes ? "Callers stand above what they call; widths are shares of the time of all ranks. Computation belongs to the call that it comes before." : "The trace has no times: widths are numbers of calls.",
      " A click selects the line in all views."));
  new ResizeObserver(() => holder.isConnected && holder.clientWidth !== drawnWidth && draw()).observe(holder);
  return { root: view, show: draw, change: (/** @type {Set<string>} */ keys) => { if (keys.has("line")) draw(); } };
}
