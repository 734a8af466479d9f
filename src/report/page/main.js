// @ts-check
// The page: its views, what is selected in all of them, and the address.
import { Client } from "./client.js";
import { data, textOf, title } from "./data.js";
import { el, replace } from "./dom.js";
import { count, duration } from "./format.js";
import { flame } from "./flame.js";
import { histograms } from "./histograms.js";
import { matrix } from "./matrix.js";
import { overview } from "./overview.js";
import { program } from "./program.js";
import { ask, engine } from "./run.js";
import { scaling } from "./scaling.js";
import { onChange, readAddress, state, update } from "./state.js";
import { timeline } from "./timeline.js";
import { whatif } from "./whatif.js";

/** @typedef {{ root: Element, show: () => void, hide?: () => void, change: (keys: Set<string>) => void, redraw?: () => void }} View */

/** @type {[string, string, () => View][]} */
const views = [
  ["overview", "Overview", overview],
  ["program", "Program", program],
  ["timeline", "Timeline", timeline],
  ["paths", "Call paths", flame],
  ["matrix", "Matrix", matrix],
  ["histograms", "Histograms", histograms],
  ["whatif", "What if", whatif],
  ...(data.scaling ? [/** @type {[string, string, () => View]} */ (["scaling", "Scaling", scaling])] : []),
];
/** @type {Map<string, View>} */
const made = new Map();
let shown = "";

const $ = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));

function showView() {
  if (shown === state.view) return;
  made.get(shown)?.hide?.();
  shown = state.view;
  let view = made.get(shown);
  if (!view) {
    view = /** @type {any} */ (views.find(([name]) => name === shown))[2]();
    made.set(shown, /** @type {View} */ (view));
  }
  replace($("main"), /** @type {View} */ (view).root);
  for (const tab of $("tabs").children) tab.setAttribute("aria-selected", String(/** @type {HTMLElement} */ (tab).dataset.view === shown));
  /** @type {View} */ (view).show();
}

function showSelection() {
  const box = $("selection");
  const parts = [];
  if (state.line >= 0) parts.push(el("span", {}, "Selected: ", el("b", {}, textOf(state.line)), el("button", { type: "button", title: "Deselect", onclick: () => update({ line: -1 }) }, "×")));
  if (state.rangeTo > state.rangeFrom) parts.push(el("span", {}, `Time: ${duration(state.rangeFrom)} to ${duration(state.rangeTo)}`, el("button", { type: "button", title: "Deselect", onclick: () => update({ rangeFrom: 0, rangeTo: 0 }) }, "×")));
  box.hidden = parts.length === 0;
  replace(box, ...parts);
}

/** @param {string} [theme] */
function setTheme(theme) {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = theme ?? (dark ? "dark" : "light");
  for (const view of made.values()) if (view.root.isConnected) view.redraw?.();
  if (shown === "matrix") made.get("matrix")?.change(new Set());
}

function help() {
  const keys = [[`1 … ${views.length}`, "the views"], ["W S", "timeline: zoom in and out (the wheel does, too)"], ["A D, ← →", "timeline: earlier, later (Shift and the wheel; dragging)"],
    ["↑ ↓", "timeline: other ranks; program: another line"], ["+ −", "timeline: fewer, more ranks (Alt and the wheel); matrix: zoom"], ["Shift and drag", "timeline: select a time"],
    ["F", "timeline: show the selected time"], ["0", "timeline, call paths, matrix: everything"], ["Tab", "the next link, button or picture"], ["Enter", "program, call paths: select"], ["← →", "program: fold, unfold"], ["Arrows", "call paths: callers, what they call, their neighbors"], ["Space", "call paths: fold, unfold"], ["Esc", "select nothing"], ["/", "search in the timeline"], ["?", "this"]];
  const dialog = /** @type {HTMLDialogElement} */ ($("help"));
  replace(dialog, el("h2", {}, "Keyboard and mouse"), el("dl", { class: "facts" }, ...keys.flatMap(([k, what]) => [el("dt", {}, k), el("dd", {}, what)])),
    el("p", { class: "note" }, `The address says what is seen: copy it to show it to others. Made by reprise ${data.version}.`), el("button", { type: "button", onclick: () => dialog.close() }, "Close"));
  dialog.showModal();
}

/** @param {KeyboardEvent} e */
function key(e) {
  const isTyping = e.target instanceof HTMLInputElement || e.target instanceof HTMLSelectElement;
  if (isTyping || e.ctrlKey || e.metaKey || e.altKey) return;
  const at = Number(e.key) - 1;
  if (e.key === "?") help();
  else if (e.key === "/" && shown === "timeline") {
    e.preventDefault();
    /** @type {HTMLElement | null} */ (document.querySelector("input[type=search]"))?.focus();
  } else if (views[at]) update({ view: views[at][0] });
  else if (e.key === "Escape") update({ line: -1, rangeFrom: 0, rangeTo: 0 });
  else if (shown === "timeline" && document.activeElement === document.body) {
    const canvas = document.querySelector(".timeline canvas");
    canvas?.dispatchEvent(new KeyboardEvent("keydown", { key: e.key }));
  }
}

async function start() {
  document.title = `${title} – Reprise`;
  $("program").textContent = title;
  $("program").title = data.info.program;
  $("subtitle").textContent = `${count(data.info.ranks)} ranks`;
  $("tabs").addEventListener("keydown", (e) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
    const at = views.findIndex(([name]) => name === shown) + (step ?? 0);
    if (!step || !views[at]) return;
    e.preventDefault();
    update({ view: views[at][0] });
    /** @type {HTMLElement} */ ($("tabs").children[at]).focus();
  });
  replace($("tabs"), ...views.map(([name, title]) => el("button", { type: "button", role: "tab", "data-view": name, onclick: () => update({ view: name }) }, title)));
  setTheme();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => setTheme());
  // Paper is white.
  let onScreen = "";
  window.addEventListener("beforeprint", () => { onScreen = document.documentElement.dataset.theme ?? ""; setTheme("light"); });
  window.addEventListener("afterprint", () => setTheme(onScreen));
  $("theme").addEventListener("click", () => setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
  $("help-button").addEventListener("click", help);
  document.addEventListener("keydown", key);
  window.addEventListener("popstate", () => readAddress(location.hash));
  window.addEventListener("hashchange", () => readAddress(location.hash));
  const opened = await Client.open();
  if (typeof opened === "string") {
    engine.why = opened;
    $("notice").textContent = opened;
    $("notice").hidden = false;
  } else {
    engine.client = opened;
  }
  readAddress(location.hash);
  if (state.run === "recorded" && engine.client && !engine.client.about.has_times) update({ run: "simulated" }, { keep: true });
  showView();
  showSelection();
  onChange((changed) => {
    if (changed.has("view")) showView();
    else made.get(shown)?.change(changed);
    if (changed.has("line") || changed.has("rangeFrom") || changed.has("rangeTo")) showSelection();
  });
  // For scripts and tests: the engine's answers, and when they can be had.
  Object.assign(window, { repriseAsk: ask, repriseAbout: () => engine.client?.about });
  document.documentElement.dataset.ready = "true";
}

start();
