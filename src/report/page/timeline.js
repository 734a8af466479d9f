// @ts-check
// Ranks over time: what each did at each moment, of the recorded or of a simulated run, drawn by the engine.
import { color, kindClass, kindColor } from "./color.js";
import { callsOf, data, lineOf, nameOf, streams, textOf } from "./data.js";
import { downloadCsv, downloadPng, el, hideTooltip, replace, showTooltip, table } from "./dom.js";
import { count, duration, moment, percent, short, ticks } from "./format.js";
import { paint } from "./paint.js";
import { ask, endOfRun, engine, isSimulated, isSimulatedNow, simulateAll, syncSelection } from "./run.js";
import { state, update } from "./state.js";

const gutter = 76;
const head = 26;
const foot = 4;
const mostSpans = 6000; // that are drawn one by one; beyond, pixels are sums
const mostFlights = 1500;
const leastLine = 2; // [pixels]; where ranks are more, every n-th is drawn
const mostCells = 300_000; // of a picture in full
const coarseCells = 30_000; // of the one before it
const immediate = 15; // [ms]; a picture that takes less has no coarse one before it: with what the browser does it is there in 50
const leastStack = 5; // [pixels]; shares are stacked in lines of so much
const mostStack = 32;
const mostCounted = 4096; // ranks whose calls are added up below the picture

/**
 * @typedef {{ from: number, to: number, first: number, step: number, rows: number }} Window
 * @typedef {{ window: Window, run: string, spans?: Float64Array, tile?: Float32Array, columns?: number, flights?: Float64Array,
 *   path?: Float64Array, painted?: { how: string, canvas: HTMLCanvasElement } }} Picture
 */

export function timeline() {
  const canvas = el("canvas", { tabindex: "0", "aria-label": "Ranks over time" });
  const holder = el("div", { class: "timeline" }, canvas);
  const note = el("p", { class: "note" }, engine.client ? "…" : engine.why);
  const statistics = el("div", {});
  const search = el("input", { type: "search", placeholder: "Function or line …", "aria-label": "Search" });
  let end = 0;
  /** @type {Picture | null} */
  let picture = null;
  let isVisible = false;
  let settle = 0;
  let cellTook = Infinity; // [ms], of the last picture

  const to = () => (state.to > state.from ? state.to : end);
  const height = () => canvas.clientHeight;
  const width = () => canvas.clientWidth;

  /** What is to be drawn. @returns {Window} */
  function wanted() {
    const all = Math.max(1, state.last - state.first + 1);
    const room = Math.max(1, Math.floor((height() - head - foot) / leastLine));
    const step = Math.ceil(all / room);
    return { from: state.from, to: to(), first: state.first, step, rows: Math.floor((all - 1) / step) + 1 };
  }

  /** Asks the engine for the picture: single calls if they are few, else pixels, first coarse and then fine where that takes longer. */
  async function load() {
    if (!engine.client || !isVisible) return;
    try {
      await syncSelection();
      if (state.run === "simulated" && !isSimulatedNow()) replace(note, `Being simulated: ${count(data.info.calls)} calls …`);
      end = await endOfRun();
      if (end <= 0) return replace(note, "The trace has no times; choose the simulated run.");
      const w = wanted();
      const run = state.run;
      const lines = [w.first, w.step, w.rows];
      const pixels = Math.max(50, Math.floor(width() - gutter));
      const path = run === "simulated" && state.path === "shown" ? await ask("criticalPath", [w.from, w.to, pixels]) : undefined;
      const perRank = w.step === 1 ? await ask("spans", [isSimulated(), lines, w.from, w.to, mostSpans], "picture").catch(() => undefined) : undefined;
      if (perRank === null) return;
      if (perRank) {
        picture = { window: w, run, spans: perRank, path };
        if (run === "simulated" && w.rows <= 256) picture.flights = await ask("flights", [lines, w.from, w.to, mostFlights]);
        draw();
      } else {
        const fine = Math.min(pixels, Math.ceil(mostCells / w.rows));
        const coarse = Math.min(fine, Math.max(20, Math.ceil(coarseCells / w.rows)));
        const isFast = fine * w.rows * cellTook < immediate;
        for (const columns of new Set(isFast ? [fine] : [coarse, fine])) {
          const tile = await ask("tile", [isSimulated(), lines, w.from, w.to, columns], "picture");
          if (!tile) return;
          cellTook = engine.client.took.tile / (columns * w.rows);
          picture = { window: w, run, tile, columns, path };
          draw();
        }
      }
      clearTimeout(settle);
      settle = setTimeout(showStatistics, 150);
    } catch (error) {
      replace(note, /** @type {Error} */ (error).message);
    }
  }

  // Where things are.
  const lineHeight = () => (height() - head - foot) / wanted().rows;
  const xOf = (/** @type {number} */ t) => gutter + ((t - state.from) / (to() - state.from)) * (width() - gutter);
  const timeAt = (/** @type {number} */ x) => state.from + ((x - gutter) / (width() - gutter)) * (to() - state.from);
  const streamAt = (/** @type {number} */ y) => {
    const w = wanted();
    const row = Math.floor((y - head) / lineHeight());
    return row < 0 || row >= w.rows ? -1 : w.first + row * w.step;
  };
  const rankName = (/** @type {number} */ stream) => {
    const { threads } = data.info;
    return threads > 1 ? `${Math.floor(stream / threads)}.${stream % threads}` : String(stream);
  };

  function draw() {
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(width() * ratio);
    canvas.height = Math.round(height() * ratio);
    const g = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    g.scale(ratio, ratio);
    g.font = "11px system-ui, sans-serif";
    g.fillStyle = color("idle");
    g.fillRect(gutter, head, width() - gutter, height() - head - foot);
    g.save();
    g.beginPath();
    g.rect(gutter, head, width() - gutter, height() - head - foot);
    g.clip();
    if (picture?.spans) drawSpans(g, picture.window, picture.spans);
    else if (picture?.tile) drawTile(g, picture);
    if (picture?.flights) drawFlights(g, picture.window, picture.flights);
    if (picture?.path) drawPath(g, picture.path);
    drawRange(g);
    g.restore();
    drawAxes(g);
    describe();
    // For scripts: what is drawn, and how finely.
    if (picture) canvas.dataset.drawn = `${picture.window.from} ${picture.window.to} ${picture.columns ?? "calls"}`;
  }

  /** @param {CanvasRenderingContext2D} g @param {Window} w @param {Float64Array} spans */
  function drawSpans(g, w, spans) {
    const h = lineHeight();
    const colors = data.kinds.map((_, k) => kindColor(k));
    const chosen = state.line >= 0 ? new Set(callsOf(state.line)) : null;
    const inks = data.kinds.map((_, k) => color(k === 2 ? "on-wait" : "on-kind"));
    for (let i = 0; i < spans.length; i += 5) {
      const [line, call, begin, compute, communicate] = spans.subarray(i, i + 5);
      // The window may have moved since: a rank's place is told by the stream.
      const stream = w.first + line * w.step;
      const y = head + ((stream - state.first) / wanted().step) * h;
      const gap = h > 6 ? 1 : 0;
      g.globalAlpha = chosen && !chosen.has(call) ? 0.22 : 1;
      const a = xOf(begin);
      const b = xOf(begin + compute);
      const c = xOf(begin + compute + communicate);
      g.fillStyle = colors[0];
      if (compute > 0) g.fillRect(a, y, Math.max(0.3, b - a), h - gap);
      g.fillStyle = colors[data.calls[call].kind];
      if (communicate > 0) g.fillRect(b, y, Math.max(0.6, c - b), h - gap);
      const text = short(data.calls[call].function);
      if (h >= 12 && c - b > text.length * 6.5 + 6) {
        g.fillStyle = inks[data.calls[call].kind];
        g.fillText(text, Math.max(b, gutter) + 3, y + h / 2 + 4);
      }
    }
    g.globalAlpha = 1;
  }

  /** @param {CanvasRenderingContext2D} g @param {Picture} p */
  function drawTile(g, p) {
    const { window: w, tile, columns } = /** @type {Required<Picture>} */ (p);
    const h = lineHeight();
    const steps = h >= leastStack ? Math.min(mostStack, Math.round(h * (window.devicePixelRatio || 1))) : 1;
    // While a picture is moved until the next one is there, only its place changes.
    const how = `${steps} ${state.line} ${document.documentElement.dataset.theme}`;
    if (p.painted?.how !== how) p.painted = { how, canvas: paint(tile, columns, w.rows, steps) };
    g.imageSmoothingEnabled = false;
    const scale = wanted().step / w.step;
    g.drawImage(p.painted.canvas, xOf(w.from), head + ((w.first - state.first) / wanted().step) * h, xOf(w.to) - xOf(w.from), (h * w.rows) / scale);
    if (h > 6) {
      g.fillStyle = color("card");
      for (let row = 1; row < wanted().rows; ++row) g.fillRect(gutter, head + row * h - 1, width(), 1);
    }
  }

  /** @param {CanvasRenderingContext2D} g @param {Window} w @param {Float64Array} flights */
  function drawFlights(g, w, flights) {
    const h = lineHeight();
    const { threads } = data.info;
    const y = (/** @type {number} */ rank) => head + ((rank * threads - state.first) / w.step + 0.5) * h;
    g.strokeStyle = color("message");
    g.lineWidth = 1;
    g.globalAlpha = 0.75;
    g.beginPath();
    for (let i = 0; i < flights.length; i += 5) {
      g.moveTo(xOf(flights[i + 1]), y(flights[i]));
      g.lineTo(xOf(flights[i + 3]), y(flights[i + 2]));
    }
    g.stroke();
    g.globalAlpha = 1;
  }

  /**
   * The critical path: along ranks, and up and down with messages; in a pixel in which it goes to several ranks, a thin
   * line over them and a thick one on that on which it stays longest.
   * @param {CanvasRenderingContext2D} g @param {Float64Array} path
   */
  function drawPath(g, path) {
    const h = lineHeight();
    const { step } = wanted();
    const thick = Math.max(1, Math.min(3, h / 4));
    // At the lower edge of a line, so that what the rank does remains to be seen.
    const y = (/** @type {number} */ stream) => head + (Math.floor((stream - state.first) / step) + 1) * h - thick / 2 - 0.5;
    const shapes = [new Path2D(), new Path2D()];
    const [along, between] = shapes;
    for (let i = 0; i < path.length; i += 5) {
      const [from, to, stream, first, last] = path.subarray(i, i + 5);
      along.moveTo(xOf(from), y(stream));
      along.lineTo(Math.max(xOf(from) + 1, xOf(to)), y(stream));
      if (first !== last) {
        between.moveTo(xOf((from + to) / 2), y(first));
        between.lineTo(xOf((from + to) / 2), y(last));
      } else if (i + 5 < path.length) {
        between.moveTo(xOf(to), y(stream));
        between.lineTo(xOf(to), y(path[i + 7]));
      }
    }
    for (const [shape, size] of /** @type {[Path2D, number][]} */ ([[between, 1.2], [along, thick]])) {
      g.strokeStyle = color("card");
      g.lineWidth = size + 1;
      g.stroke(shape);
      g.strokeStyle = color("critical");
      g.lineWidth = size;
      g.stroke(shape);
    }
  }

  /** @param {CanvasRenderingContext2D} g */
  function drawRange(g) {
    if (state.rangeTo <= state.rangeFrom) return;
    g.fillStyle = color("accent");
    g.globalAlpha = 0.12;
    g.fillRect(xOf(state.rangeFrom), head, xOf(state.rangeTo) - xOf(state.rangeFrom), height());
    g.globalAlpha = 1;
    for (const t of [state.rangeFrom, state.rangeTo]) g.fillRect(xOf(t) - 0.5, head, 1, height());
  }

  /** @param {CanvasRenderingContext2D} g */
  function drawAxes(g) {
    g.fillStyle = getComputedStyle(canvas).color;
    const times = ticks(state.from, to(), width() / 120);
    const step = times.length > 1 ? times[1] - times[0] : 1;
    g.textAlign = "center";
    for (const t of times) {
      const x = xOf(t);
      if (x < gutter + 20 || x > width() - 30) continue;
      g.fillText(moment(t, step), x, 14);
      g.fillRect(x, 18, 1, 6);
    }
    const w = wanted();
    const h = lineHeight();
    const every = Math.max(1, Math.ceil(14 / h));
    g.textAlign = "right";
    for (let row = 0; row < w.rows; row += every) g.fillText(rankName(w.first + row * w.step), gutter - 6, head + row * h + Math.min(h / 2 + 4, h > 14 ? h / 2 + 4 : 11));
    g.textAlign = "left";
    g.fillText(data.info.threads > 1 ? "rank.thread" : "rank", 4, 14);
  }

  function describe() {
    const w = picture?.window;
    if (!w) return;
    const all = state.last - state.first + 1;
    replace(note,
      state.run === "recorded" ? "Recorded run, by the mean times of each rank and path: single moments are those of an average run. " : "Simulated run, on the machine of What if. ",
      picture?.spans ? `${count(picture.spans.length / 5)} calls, one by one` : "Colors are stacked by their exact shares where calls are too short to be told apart",
      w.step > 1 ? `; every ${count(w.step)}th of ${count(all)} ranks has a line.` : ".",
      picture?.flights?.length ? ` Lines are ${count(picture.flights.length / 5)} messages.` : "",
      state.run === "simulated" && state.path === "shown" ? (picture?.path?.length ? " The thick line is the critical path: the run gets shorter only if what is on it does." : " The critical path is too long to be kept.") : "");
  }

  async function showStatistics() {
    const from = state.rangeTo > state.rangeFrom ? state.rangeFrom : state.from;
    const until = state.rangeTo > state.rangeFrom ? state.rangeTo : to();
    const all = state.last - state.first + 1;
    const step = Math.ceil(all / mostCounted);
    const n = Math.floor((all - 1) / step) + 1;
    try {
      const times = await ask("statistics", [isSimulated(), [state.first, step, n], from, until], "statistics");
      if (!times) return;
      const whole = (until - from) * n;
      const rows = data.calls.map((_, c) => ({ c, calls: times[3 * c], compute: times[3 * c + 1], mpi: times[3 * c + 2] })).filter((r) => r.calls > 0 || r.compute > 0);
      rows.sort((a, b) => b.compute + b.mpi - a.compute - a.mpi);
      const csv = () => downloadCsv("timeline.csv", [["function", "place", "calls", "computation_before_ps", "mpi_ps"], ...rows.map((r) => [data.calls[r.c].function, data.calls[r.c].place, r.calls, r.compute, r.mpi])]);
      replace(statistics,
        el("h2", {}, state.rangeTo > state.rangeFrom ? `From ${duration(from)} to ${duration(until)}` : "In view", el("span", { class: "note" }, ` ${duration(until - from)}, ${count(n)} ${n === 1 ? "rank" : "ranks"}${step > 1 ? ` (every ${count(step)}th)` : ""}`), el("button", { type: "button", onclick: csv }, "CSV")),
        table(["call", "calls", "computation before", "", "in MPI", ""], rows.slice(0, 12).map((r) => {
          const line = lineOf(r.c);
          return [el("a", { href: "#", onclick: (/** @type {Event} */ e) => { e.preventDefault(); update({ line }); } }, nameOf(r.c)), count(r.calls), duration(r.compute), percent(r.compute / whole), duration(r.mpi), percent(r.mpi / whole)];
        })));
    } catch (error) {
      replace(statistics, el("p", { class: "note" }, /** @type {Error} */ (error).message));
    }
  }

  /** @param {number} from @param {number} until */
  function show(from, until) {
    const length = Math.max(1000, Math.min(end, until - from));
    const begin = Math.max(0, Math.min(end - length, from));
    const isWhole = begin <= 0 && length >= end;
    update({ from: isWhole ? 0 : Math.round(begin), to: isWhole ? 0 : Math.round(begin + length) });
  }
  /** @param {number} factor @param {number} at  a moment that stays where it is */
  function zoom(factor, at) {
    show(at - (at - state.from) * factor, at + (to() - at) * factor);
  }
  /** @param {number} share  of what is seen */
  function pan(share) {
    const by = (to() - state.from) * share;
    show(state.from + by, to() + by);
  }
  /** @param {number} first @param {number} last */
  function showRanks(first, last) {
    const n = Math.max(1, Math.min(streams, Math.round(last - first + 1)));
    const begin = Math.max(0, Math.min(streams - n, Math.round(first)));
    update({ first: begin, last: begin + n - 1 });
  }
  /** @param {number} factor @param {number} at */
  function zoomRanks(factor, at) {
    showRanks(at - (at - state.first) * factor, at + (state.last - at) * factor);
  }
  const reset = () => update({ from: 0, to: 0, first: 0, last: streams - 1, rangeFrom: 0, rangeTo: 0 });
  const fit = () => state.rangeTo > state.rangeFrom && show(state.rangeFrom, state.rangeTo);

  canvas.addEventListener("wheel", (e) => {
    e.preventDefault();
    const box = canvas.getBoundingClientRect();
    const factor = e.deltaY + e.deltaX > 0 ? 1.25 : 0.8;
    if (e.shiftKey) pan(e.deltaY + e.deltaX > 0 ? 0.15 : -0.15);
    else if (e.altKey || e.clientX - box.left < gutter) zoomRanks(factor, Math.max(state.first, streamAt(e.clientY - box.top)));
    else zoom(factor, timeAt(e.clientX - box.left));
  }, { passive: false });

  /** @type {{ x: number, y: number, moved: boolean, from: number, to: number, first: number, last: number, selects: boolean } | null} */
  let press = null;
  canvas.addEventListener("mousedown", (e) => {
    const box = canvas.getBoundingClientRect();
    press = { x: e.clientX - box.left, y: e.clientY - box.top, moved: false, from: state.from, to: to(), first: state.first, last: state.last, selects: e.shiftKey || e.clientY - box.top < head };
  });
  window.addEventListener("mousemove", (e) => {
    if (!press) return;
    const box = canvas.getBoundingClientRect();
    const x = e.clientX - box.left;
    const y = e.clientY - box.top;
    if (!press.moved && Math.hypot(x - press.x, y - press.y) < 4) return;
    press.moved = true;
    hideTooltip();
    if (press.selects) {
      const ends = [press.x, x].map((p) => Math.max(0, Math.min(end, Math.round(timeAt(p)))));
      update({ rangeFrom: Math.min(...ends), rangeTo: Math.max(...ends) });
      return;
    }
    const time = ((x - press.x) / (width() - gutter)) * (press.to - press.from);
    show(press.from - time, press.to - time);
    const ranks = Math.round((y - press.y) / lineHeight()) * wanted().step;
    if (press.last - press.first + 1 < streams) showRanks(press.first - ranks, press.last - ranks);
  });
  window.addEventListener("mouseup", async (e) => {
    const was = press;
    press = null;
    if (!was || was.moved || was.selects) return;
    const stream = streamAt(was.y);
    if (stream < 0 || was.x < gutter) return;
    const m = await ask("moment", [isSimulated(), stream, timeAt(was.x)]);
    if (m.call !== undefined) update({ line: lineOf(m.call) });
    else update({ line: -1 });
    void e;
  });
  let hovered = 0;
  canvas.addEventListener("mousemove", async (e) => {
    if (press?.moved || !engine.client) return;
    const box = canvas.getBoundingClientRect();
    const stream = streamAt(e.clientY - box.top);
    const t = timeAt(e.clientX - box.left);
    if (stream < 0 || t < state.from) return hideTooltip();
    const mine = ++hovered;
    const m = await ask("moment", [isSimulated(), stream, t], "moment").catch(() => null);
    if (!m || mine !== hovered) return;
    const where = `rank ${rankName(stream)}, ${duration(t, 5)}`;
    if (m.call === undefined) return showTooltip(e, where, "nothing");
    const what = m.in_mpi ? `in ${nameOf(m.call)}: ${duration(m.communicate_ps)}` : `computing ${duration(m.compute_ps)} before ${nameOf(m.call)}`;
    const loops = (m.iterations ?? []).map((/** @type {any} */ i) => `iteration ${count(i.iteration + 1)} of ${count(i.trips)}`).join(", ");
    showTooltip(e, where, what, loops);
  });
  canvas.addEventListener("mouseleave", () => { ++hovered; hideTooltip(); });
  canvas.addEventListener("dblclick", (e) => zoom(0.25, timeAt(e.clientX - canvas.getBoundingClientRect().left)));
  canvas.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey) return;
    const middle = (state.from + to()) / 2;
    const rank = (state.first + state.last) / 2;
    const size = Math.max(1, Math.round((state.last - state.first + 1) / 4));
    const action = {
      w: () => zoom(0.7, middle), s: () => zoom(1.4, middle), a: () => pan(-0.2), d: () => pan(0.2),
      ArrowLeft: () => pan(-0.2), ArrowRight: () => pan(0.2), ArrowUp: () => showRanks(state.first - size, state.last - size), ArrowDown: () => showRanks(state.first + size, state.last + size),
      "+": () => zoomRanks(0.5, rank), "-": () => zoomRanks(2, rank), f: fit, "0": reset, Home: reset, Escape: () => update({ rangeFrom: 0, rangeTo: 0, line: -1 }),
    }[e.key.length === 1 ? e.key.toLowerCase() : e.key];
    if (!action) return;
    e.preventDefault();
    action();
  });

  const isTooLong = () => data.info.calls > (engine.client?.about.most_calls ?? Infinity);
  const run = el("select", { "aria-label": "Which run", onchange: async (/** @type {any} */ e) => { update({ run: e.target.value, from: 0, to: 0, rangeFrom: 0, rangeTo: 0 }); } },
    el("option", { value: "recorded" }, "recorded run"), el("option", { value: "simulated", disabled: isTooLong() }, isTooLong() ? "simulated run (too many calls)" : "simulated run"));
  const path = el("input", { type: "checkbox", onchange: () => update({ path: path.checked ? "shown" : "hidden" }) });
  const pathLabel = el("label", { class: "check" }, path, "critical path");
  let found = -1;
  search.addEventListener("keydown", (e) => {
    if (e.key !== "Enter") return;
    const text = search.value.toLowerCase();
    const hits = data.program.lines.flatMap((l, i) => (`${textOf(i)} ${l.place}`.toLowerCase().includes(text) ? [i] : []));
    if (!text || hits.length === 0) return update({ line: -1 });
    found = hits.find((i) => i > found) ?? hits[0];
    update({ line: found });
  });
  const legend = el("ul", { class: "legend" }, ...data.kinds.map((k, i) => ({ k, i })).filter(({ i }) => i === 0 || data.calls.some((c) => c.kind === i))
    .map(({ k, i }) => el("li", {}, el("i", { class: kindClass(i) }), k)), el("li", {}, el("i", { class: "idle" }), "nothing"));
  const root = el("div", {},
    el("section", { class: "card" },
      el("h2", {}, "Timeline", el("span", { class: "buttons" }, run, pathLabel, search,
        el("button", { type: "button", onclick: () => zoom(0.5, (state.from + to()) / 2), title: "Zoom in (W)" }, "+"), el("button", { type: "button", onclick: () => zoom(2, (state.from + to()) / 2), title: "Zoom out (S)" }, "−"),
        el("button", { type: "button", onclick: fit, title: "Show the selected time (F)" }, "Fit"), el("button", { type: "button", onclick: reset, title: "Everything (0)" }, "All"),
        el("button", { type: "button", onclick: () => downloadPng("timeline.png", canvas) }, "PNG"))),
      legend, holder, note),
    el("section", { class: "card" }, statistics));
  new ResizeObserver(() => isVisible && load()).observe(holder);

  function showControls() {
    run.value = state.run;
    path.checked = state.path === "shown";
    pathLabel.hidden = state.run !== "simulated";
  }
  /** @param {Set<string>} keys */
  function change(keys) {
    showControls();
    if (keys.has("run")) {
      picture = null;
    }
    if (keys.has("settings") && state.run === "simulated") simulateAll().then(load);
    else {
      draw();
      load();
    }
  }
  return { root, show: () => { isVisible = true; showControls(); load(); }, hide: () => { isVisible = false; }, change, redraw: draw };
}
