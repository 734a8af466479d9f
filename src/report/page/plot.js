// @ts-check
// Plots as SVG, of our own: bars and curves with axes.
import { hideTooltip, showTooltip, svg } from "./dom.js";
import { ticks } from "./format.js";

/**
 * @typedef {{ width?: number, height?: number, x: (v: number) => string, y: (v: number) => string, xName: string,
 *   yName: string, log?: boolean, logY?: boolean, atPoints?: boolean, most?: number, least?: number, mark?: number }} Axes
 *   atPoints: ticks of x at the points; least, most: the ends of y
 */

const left = 72;
const bottom = 38;
const top = 10;
const right = 24;

/** 1, 2 and 5 times each power of ten from `least` to `most`. @param {number} least @param {number} most */
function logTicks(least, most) {
  const out = [];
  for (let power = 10 ** Math.floor(Math.log10(least)); power <= most; power *= 10)
    out.push(...[1, 2, 5].map((v) => v * power).filter((v) => v >= least && v <= most));
  if (out.length < 2) return ticks(least, most, 4).filter((v) => v >= least);
  const whole = out.filter((v) => Math.log10(v) % 1 === 0);
  return out.length > 6 && whole.length > 1 ? whole : out;
}

/** @param {Axes} axes @param {number[]} xs  [from, to] @param {number} most @param {number[]} [marks]  of the x axis */
function frame(axes, xs, most, marks) {
  const { width = 620, height = 220, log = false } = axes;
  const scale = log ? Math.log10 : (/** @type {number} */ v) => v;
  const from = scale(xs[0]);
  const to = scale(xs[1]);
  const x = (/** @type {number} */ v) => left + ((scale(v) - from) / (to - from || 1)) * (width - left - right);
  const scaleY = axes.logY ? Math.log10 : (/** @type {number} */ v) => v;
  const low = axes.logY ? scaleY(axes.least ?? 1) : 0;
  const y = (/** @type {number} */ v) => height - bottom - ((scaleY(v) - low) / (scaleY(most) - low || 1)) * (height - bottom - top);
  const base = height - bottom;
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "plot", role: "img", "aria-label": `${axes.yName} over ${axes.xName}` });
  for (const t of axes.logY ? logTicks(axes.least ?? 1, most) : ticks(0, most, 4)) {
    picture.append(
      svg("line", { class: "grid", x1: left, x2: width - right, y1: y(t), y2: y(t) }),
      svg("text", { class: "tick", x: left - 6, y: y(t) + 4, "text-anchor": "end" }, axes.y(t)),
    );
  }
  const at = marks ?? (log
    ? Array.from({ length: Math.floor(to) - Math.ceil(from) + 1 }, (_, i) => 10 ** (Math.ceil(from) + i))
    : ticks(xs[0], xs[1], Math.max(2, Math.floor((width - left) / 110))));
  for (const t of at) {
    picture.append(svg("text", { class: "tick", x: x(t), y: height - bottom + 16, "text-anchor": "middle" }, axes.x(t)));
  }
  picture.append(
    svg("line", { class: "axis", x1: left, x2: width - right, y1: base, y2: base }),
    svg("text", { class: "name", x: width - right, y: height - 4, "text-anchor": "end" }, axes.xName),
  );
  return { picture, x, y, base };
}

/**
 * @param {{ from: number, to: number, value: number, text: string, kind?: string }[]} bars
 * @param {Axes & { onpick?: (index: number) => void }} axes
 */
export function bars(bars, axes) {
  const most = bars.reduce((m, b) => Math.max(m, b.value), 0);
  const { picture, x, y } = frame(axes, [bars[0].from, bars[bars.length - 1].to], most);
  bars.forEach((b, i) => {
    const width = Math.max(0.5, x(b.to) - x(b.from) - (x(b.to) - x(b.from) > 4 ? 1 : 0));
    picture.append(
      svg("rect", {
        class: `bar ${b.kind ?? ""}`, x: x(b.from), y: y(b.value), width, height: Math.max(0, y(0) - y(b.value)),
        onmousemove: (/** @type {MouseEvent} */ e) => showTooltip(e, b.text), onmouseleave: hideTooltip,
        onclick: () => axes.onpick?.(i),
      }),
    );
  });
  return picture;
}

/**
 * @param {{ name: string, points: { x: number, y: number }[] }[]} curves  of positive x if the axis is logarithmic
 * @param {Axes} axes
 */
export function lines(curves, axes) {
  const all = curves.flatMap((c) => c.points);
  const xs = all.map((p) => p.x);
  const ys = all.map((p) => p.y);
  const most = axes.most ?? Math.max(...ys) * 1.05;
  const { picture, x, y, base } = frame({ least: Math.min(...ys) * 0.95, ...axes }, [Math.min(...xs), Math.max(...xs)], most, axes.atPoints ? [...new Set(xs)] : undefined);
  curves.forEach((c, i) => {
    picture.append(svg("polyline", { class: `curve curve-${i}`, points: c.points.map((p) => `${x(p.x)},${y(p.y)}`).join(" ") }));
    for (const p of c.points) {
      picture.append(
        svg("circle", {
          class: `point curve-${i}`, cx: x(p.x), cy: y(p.y), r: 3,
          onmousemove: (/** @type {MouseEvent} */ e) => showTooltip(e, `${axes.x(p.x)}: ${axes.y(p.y)}`, c.name), onmouseleave: hideTooltip,
        }),
      );
    }
  });
  if (axes.mark !== undefined)
    picture.append(svg("line", { class: "mark", x1: x(axes.mark), x2: x(axes.mark), y1: 4, y2: base }));
  return picture;
}
