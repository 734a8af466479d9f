// @ts-check
// Who sends to whom: messages and bytes between ranks, or between blocks of them.
import { heat } from "./color.js";
import { data } from "./data.js";
import { downloadCsv, downloadPng, el, hideTooltip, replace, showTooltip } from "./dom.js";
import { bytes, count } from "./format.js";
import { ask, engine, simulateAll } from "./run.js";
import { state, update } from "./state.js";

const mostBlocks = 256;
const margin = 56;

export function matrix() {
  const canvas = el("canvas", { width: 720, height: 720, tabindex: "0", "aria-label": "Messages between ranks" });
  const note = el("p", { class: "note" }, engine.client ? "Being simulated …" : engine.why);
  /** @type {{ n: number, block: number, first: number, values: Float64Array } | null} */
  let shown = null;

  /** @param {number} i */
  const name = (i) => {
    if (!shown) return "";
    const from = shown.first + i * shown.block;
    const to = Math.min(state.matrixLast, from + shown.block - 1);
    return from === to ? `rank ${from}` : `ranks ${from}–${to}`;
  };

  async function load() {
    if (!engine.client) return;
    try {
      await simulateAll();
      const first = state.matrixFirst;
      const ranks = state.matrixLast - first + 1;
      const block = Math.ceil(ranks / mostBlocks);
      const values = await ask("matrix", [first, ranks, block], "matrix");
      if (!values) return;
      shown = { n: Math.ceil(ranks / block), block, first, values };
      draw();
    } catch (error) {
      replace(note, /** @type {Error} */ (error).message);
    }
  }

  function draw() {
    if (!shown) return;
    const { n, values, block } = shown;
    const at = state.unit === "bytes" ? n * n : 0;
    let most = 0;
    let sum = 0;
    for (let i = 0; i < n * n; ++i) {
      most = Math.max(most, values[at + i]);
      sum += values[at + i];
    }
    const g = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    const style = getComputedStyle(canvas);
    g.clearRect(0, 0, canvas.width, canvas.height);
    const cell = (canvas.width - margin - 8) / n;
    for (let i = 0; i < n; ++i) {
      for (let k = 0; k < n; ++k) {
        const v = values[at + i * n + k];
        if (v === 0) continue;
        const [r, gr, b] = heat(Math.log1p(v) / Math.log1p(most));
        g.fillStyle = `rgb(${r},${gr},${b})`;
        g.fillRect(margin + k * cell, margin + i * cell, Math.max(1, cell - (cell > 6 ? 1 : 0)), Math.max(1, cell - (cell > 6 ? 1 : 0)));
      }
    }
    g.strokeStyle = style.getPropertyValue("--line");
    g.strokeRect(margin - 0.5, margin - 0.5, cell * n + 1, cell * n + 1);
    g.fillStyle = style.color;
    g.font = "12px system-ui, sans-serif";
    const every = Math.ceil(n / 16);
    for (let i = 0; i < n; i += every) {
      const label = String(shown.first + i * block);
      g.textAlign = "right";
      g.fillText(label, margin - 6, margin + i * cell + Math.min(cell, 14));
      g.textAlign = "left";
      g.fillText(label, margin + i * cell + 1, margin - 6);
    }
    g.textAlign = "left";
    g.fillText("receiver →", margin, 14);
    g.save();
    g.translate(12, margin + 70);
    g.rotate(-Math.PI / 2);
    g.fillText("← sender", 0, 0);
    g.restore();
    replace(note, `${state.unit === "bytes" ? bytes(sum) : `${count(sum)} messages`} in the simulated run, with the messages that collectives are made of there; the most in one cell: ${state.unit === "bytes" ? bytes(most) : count(most)}. Colors are logarithmic.`,
      block > 1 ? ` Each cell is ${block} x ${block} ranks; drag to zoom in.` : "");
  }

  /** @param {MouseEvent} e @returns {[number, number] | null}  [sender, receiver] */
  function cellAt(e) {
    if (!shown) return null;
    const box = canvas.getBoundingClientRect();
    const scale = canvas.width / box.width;
    const cell = (canvas.width - margin - 8) / shown.n;
    const at = [(e.clientY - box.top) * scale, (e.clientX - box.left) * scale].map((p) => Math.floor((p - margin) / cell));
    return at.every((i) => i >= 0 && i < /** @type {any} */ (shown).n) ? [at[0], at[1]] : null;
  }
  /** @type {[number, number] | null} */
  let pressed = null;
  canvas.addEventListener("mousemove", (e) => {
    const at = cellAt(e);
    if (!at || !shown) return hideTooltip();
    const [i, k] = at;
    const { n, values } = shown;
    showTooltip(e, `${name(i)} → ${name(k)}`, `${count(values[i * n + k])} messages, ${bytes(values[n * n + i * n + k])}`);
  });
  canvas.addEventListener("mouseleave", hideTooltip);
  canvas.addEventListener("mousedown", (e) => { pressed = cellAt(e); });
  canvas.addEventListener("mouseup", (e) => {
    const at = cellAt(e);
    if (!pressed || !at || !shown) return;
    const low = Math.min(...pressed, ...at);
    const high = Math.max(...pressed, ...at);
    const isDrag = pressed[0] !== at[0] || pressed[1] !== at[1];
    pressed = null;
    if (isDrag) zoom(shown.first + low * shown.block, shown.first + (high + 1) * shown.block - 1);
  });
  /** @param {number} first @param {number} last */
  function zoom(first, last) {
    const end = data.info.ranks - 1;
    update({ matrixFirst: Math.max(0, Math.floor(first)), matrixLast: Math.min(end, Math.floor(last)) });
  }
  /** @param {number} factor */
  function scale(factor) {
    const middle = (state.matrixFirst + state.matrixLast) / 2;
    const half = Math.max(1, ((state.matrixLast - state.matrixFirst + 1) / 2) * factor);
    zoom(Math.ceil(middle - half), middle + half);
  }
  canvas.addEventListener("wheel", (e) => { e.preventDefault(); scale(e.deltaY > 0 ? 1.25 : 0.8); }, { passive: false });
  canvas.addEventListener("keydown", (e) => {
    const size = Math.max(1, Math.floor((state.matrixLast - state.matrixFirst + 1) / 8));
    const action = { "+": () => scale(0.7), "-": () => scale(1.4), "0": () => zoom(0, data.info.ranks - 1),
      ArrowDown: () => zoom(state.matrixFirst + size, state.matrixLast + size), ArrowUp: () => zoom(state.matrixFirst - size, state.matrixLast - size) }[e.key];
    if (!action) return;
    e.preventDefault();
    action();
  });
  const unit = el("select", { "aria-label": "What is counted", onchange: (/** @type {any} */ e) => update({ unit: e.target.value }) }, el("option", { value: "bytes" }, "bytes"), el("option", { value: "messages" }, "messages"));
  const csv = () => {
    if (!shown) return;
    const { n, values } = shown;
    const rows = [];
    for (let i = 0; i < n; ++i) for (let k = 0; k < n; ++k) if (values[i * n + k]) rows.push([name(i), name(k), values[i * n + k], values[n * n + i * n + k]]);
    downloadCsv("matrix.csv", [["sender", "receiver", "messages", "bytes"], ...rows]);
  };
  const root = el("section", { class: "card" },
    el("h2", {}, "Messages between ranks", el("span", { class: "buttons" }, unit, el("button", { type: "button", onclick: () => zoom(0, data.info.ranks - 1) }, "All ranks"),
      el("button", { type: "button", onclick: () => downloadPng("matrix.png", canvas) }, "PNG"), el("button", { type: "button", onclick: csv }, "CSV"))),
    el("div", { class: "matrix" }, canvas), note);
  return { root, show: () => { unit.value = state.unit; load(); }, change: (/** @type {Set<string>} */ keys) => {
    unit.value = state.unit;
    if (keys.has("matrixFirst") || keys.has("matrixLast") || keys.has("settings")) load();
    else draw();
  } };
}
