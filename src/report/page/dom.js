// @ts-check
// Elements with text: what comes from a trace is never markup.

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag @param {Record<string, any>} [attributes]  `on...` are listeners @param {Child[]} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, attributes = {}, ...children) {
  const out = document.createElement(tag);
  set(out, attributes);
  append(out, children);
  return out;
}

/** @param {string} tag @param {Record<string, any>} [attributes] @param {Child[]} children */
export function svg(tag, attributes = {}, ...children) {
  const out = document.createElementNS("http://www.w3.org/2000/svg", tag);
  set(out, attributes);
  append(out, children);
  return out;
}

/** @param {Element} to @param {Record<string, any>} attributes */
function set(to, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) to.addEventListener(name.slice(2), value);
    else if (value === true) to.setAttribute(name, "");
    else if (value !== false && value !== undefined && value !== null) to.setAttribute(name, String(value));
  }
}

/** @param {Element} to @param {Child[]} children */
function append(to, children) {
  for (const c of children) {
    if (c !== null && c !== undefined && c !== false) to.append(c instanceof Node ? c : String(c));
  }
}

/** @param {Element} of @param {Child[]} children */
export function replace(of, ...children) {
  of.replaceChildren();
  append(of, children);
}

/**
 * A table; numbers stand at the right.
 * @param {string[]} head @param {Child[][]} rows @param {Set<number>} [texts]  columns that are texts
 */
export function table(head, rows, texts = new Set([0])) {
  const side = (/** @type {number} */ i) => (texts.has(i) ? "text" : "number");
  return el(
    "table",
    {},
    el("thead", {}, el("tr", {}, ...head.map((h, i) => el("th", { class: side(i), scope: "col" }, h)))),
    el("tbody", {}, ...rows.map((r) => el("tr", {}, ...r.map((c, i) => el("td", { class: side(i) }, c))))),
  );
}

const tooltip = () => /** @type {HTMLElement} */ (document.getElementById("tooltip"));

/** @param {MouseEvent} event @param {Child[]} lines */
export function showTooltip(event, ...lines) {
  const box = tooltip();
  replace(box, ...lines.filter(Boolean).map((l) => el("div", {}, l)));
  box.hidden = false;
  const { width, height } = box.getBoundingClientRect();
  const right = event.clientX + 14 + width > window.innerWidth;
  const below = event.clientY + 14 + height > window.innerHeight;
  box.style.left = `${right ? Math.max(4, event.clientX - width - 10) : event.clientX + 14}px`;
  box.style.top = `${below ? Math.max(4, event.clientY - height - 10) : event.clientY + 14}px`;
}

export function hideTooltip() {
  tooltip().hidden = true;
}

/** @param {string} name @param {Blob} content */
function download(name, content) {
  const url = URL.createObjectURL(content);
  el("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** @param {string} name @param {(string | number)[][]} rows */
export function downloadCsv(name, rows) {
  const cell = (/** @type {string | number} */ c) => (/[",\n]/.test(String(c)) ? `"${String(c).replaceAll('"', '""')}"` : c);
  download(name, new Blob([rows.map((r) => `${r.map(cell).join(",")}\n`).join("")], { type: "text/csv" }));
}

/** @param {string} name @param {HTMLCanvasElement} canvas */
export function downloadPng(name, canvas) {
  canvas.toBlob((blob) => blob && download(name, blob));
}

/** With the styles that it has on the page. @param {string} name @param {SVGElement} picture */
export function downloadSvg(name, picture) {
  const copy = /** @type {SVGElement} */ (picture.cloneNode(true));
  const from = [picture, ...picture.querySelectorAll("*")];
  const to = [copy, ...copy.querySelectorAll("*")];
  from.forEach((element, i) => {
    const style = getComputedStyle(element);
    for (const property of ["fill", "stroke", "stroke-width", "font-size", "font-family", "text-anchor", "opacity"])
      to[i].setAttribute(property, style.getPropertyValue(property));
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  download(name, new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" }));
}
