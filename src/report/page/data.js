// @ts-check
// What the page knows without its engine: src/report/page_data.cpp writes it.

/**
 * @typedef {{ count: number, mean_ns: number, min_ns: number, max_ns: number, min_rank: number, max_rank: number,
 *   bins: number[][], from?: number, balance?: { mean_ns: number, most_ns: number, slowest: number } }} Times
 * @typedef {{ function: string, place: string, path: string, frames: number[], kind: number, calls: number, streams: number,
 *   bytes_sent: number, bytes_received: number, bytes_written: number, bytes_read: number,
 *   compute_ns?: number, mpi_ns?: number, compute?: Times[], mpi?: Times[] }} Call
 * @typedef {{ depth: number, words: string[][], place: string, calls: number[] }} Line
 * @typedef {{ id: string, title: string, where: string, ranks: string, number_of_ranks: number, same_as?: number, lines: string[], definition: string, cost: string, cost_s: number, is_bound: boolean, share: number, is_of_run: boolean, executions: string, whole_s?: number, call: number, in_main_loop: boolean, named?: { call: number, where: string } }} Finding
 * @typedef {{ files: { name: string, path: string, text: string }[], missing: { name: string, why: string }[] }} Sources
 * @typedef {[name: string, location: string, file: string, line: number]} Frame
 * @typedef {{ version: string, file: string, info: any, blocked: string, kinds: string[], frames: Frame[], calls: Call[], settings: string[][],
 *   findings?: Finding[], simulated?: any, scaling?: any, sources?: Sources, program: { ranks: string[], lines: Line[] } }} Data
 */

/** @type {Data} */
export const data = JSON.parse(/** @type {HTMLElement} */ (document.getElementById("data")).textContent ?? "{}");

export const streams = data.info.ranks * data.info.threads;
export const hasTimes = data.calls.some((c) => c.compute_ns !== undefined);

/** Time of a call with the computation before it, over all ranks [ns]. @param {Call} c */
export function timeOf(c) {
  return (c.compute_ns ?? 0) + (c.mpi_ns ?? 0);
}
export const allTime = data.calls.reduce((sum, c) => sum + timeOf(c), 0);

/** The calls of a line and of those below it. @param {number} line @returns {number[]} */
export function callsOf(line) {
  const { lines } = data.program;
  const out = new Set(lines[line].calls);
  for (let i = line + 1; i < lines.length && lines[i].depth > lines[line].depth; ++i)
    for (const c of lines[i].calls) out.add(c);
  return [...out].sort((a, b) => a - b);
}

/** The first line that makes a call by itself, and not by a procedure if there is one. @param {number} call */
export function lineOf(call) {
  const { lines } = data.program;
  let best = -1;
  lines.forEach((l, i) => {
    if (l.calls.includes(call) && (best < 0 || l.calls.length < lines[best].calls.length)) best = i;
  });
  return best;
}

/** "Send in exchange stencil2d.c:40". @param {number} call */
export function nameOf(call) {
  const { function: f, place } = data.calls[call];
  return place ? `${f.replace(/^MPI_/, "")} in ${place}` : f.replace(/^MPI_/, "");
}

/** The same, with the call path if another call has that name. @param {number} call */
export function nameInFull(call) {
  const { function: f, path } = data.calls[call];
  const isOnlyOne = data.calls.every((_, c) => c === call || nameOf(c) !== nameOf(call));
  return isOnlyOne || !path ? nameOf(call) : `${f.replace(/^MPI_/, "")} in ${path}`;
}

/** @param {number} line */
export function textOf(line) {
  return data.program.lines[line].words.map((w) => w.join("")).join(" ");
}

/** What the page is called: the trace's name without its end. */
export const title = data.file.replace(/\.reprise$/, "");
