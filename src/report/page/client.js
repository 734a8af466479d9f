// @ts-check
// The page's side of the worker: one request at a time, and of those with the same key only the latest.

/** @typedef {{ call: string, args: any[], key: string, done: (r: any) => void, fail: (e: Error) => void }} Request */

/** @param {string} id */
function bytesOf(id) {
  const text = document.getElementById(id)?.textContent ?? "";
  return Uint8Array.from(atob(text.trim()), (c) => c.charCodeAt(0));
}

export class Client {
  /** @returns {Promise<Client | string>}  or why there is none */
  static async open() {
    const code = document.getElementById("worker")?.textContent;
    if (!code) return "This page was made without an engine, so it has no timeline and no simulation.";
    if (typeof WebAssembly !== "object")
      return "This browser has no WebAssembly, so there is no timeline and no simulation.";
    try {
      const client = new Client(new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" }))));
      client.about = await client.ask("open", [bytesOf("engine"), bytesOf("trace")]);
      return client;
    } catch (error) {
      return `The engine of this page does not run here (${/** @type {Error} */ (error).message}).`;
    }
  }

  /** @param {Worker} worker */
  constructor(worker) {
    this.worker = worker;
    /** @type {any} */
    this.about = null;
    /** @type {Request[]} */
    this.queue = [];
    /** @type {Request | null} */
    this.running = null;
    /** Milliseconds of the last call of each name. @type {Record<string, number>} */
    this.took = {};
    worker.onmessage = (event) => this.finish(event.data);
    worker.onerror = (event) => this.finish({ error: event.message || "the worker cannot start" });
  }

  /**
   * The engine's answer; null if a later request with the same key came before this one's turn.
   * @param {string} call @param {any[]} args @param {string} [key] @returns {Promise<any>}
   */
  ask(call, args, key = "") {
    return new Promise((done, fail) => {
      if (key) {
        for (const old of this.queue.filter((r) => r.key === key)) old.done(null);
        this.queue = this.queue.filter((r) => r.key !== key);
      }
      this.queue.push({ call, args, key, done, fail });
      this.next();
    });
  }

  next() {
    if (this.running) return;
    this.running = this.queue.shift() ?? null;
    if (this.running) this.worker.postMessage({ call: this.running.call, args: this.running.args });
  }

  /** @param {{ result?: any, error?: string, ms?: number }} answer */
  finish({ result, error, ms }) {
    const request = this.running;
    this.running = null;
    if (request) {
      this.took[request.call] = ms ?? 0;
      if (error !== undefined) request.fail(new Error(error));
      else request.done(result);
    }
    this.next();
  }
}
