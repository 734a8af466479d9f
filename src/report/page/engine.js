// @ts-check
// The engine: WebAssembly of src/report/engine, whose exports.cpp is the other side.

/**
 * What wasi-libc asks for: all of it fails, since the engine reads and writes nothing.
 * @param {WebAssembly.Module} code
 */
function imports(code) {
  const notSupported = () => 52;
  /** @type {Record<string, Function>} */
  const wasi = {};
  for (const { module, name } of WebAssembly.Module.imports(code)) {
    if (module !== "wasi_snapshot_preview1") throw new Error(`the engine wants ${module}.${name}`);
    wasi[name] = notSupported;
  }
  wasi.proc_exit = (/** @type {number} */ status) => {
    throw new Error(`the engine has stopped (status ${status})`);
  };
  return /** @type {any} */ ({ wasi_snapshot_preview1: wasi });
}

/** @param {Uint8Array} packed  gzip @returns {Promise<ArrayBuffer>} */
async function unpacked(packed) {
  // Browsers have it since 2023, TypeScript's library later.
  const { DecompressionStream } = /** @type {any} */ (globalThis);
  const stream = new Blob([packed]).stream();
  return new Response(stream.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

/** What the engine answers to a request that it cannot fulfill. Any other error leaves it unusable. */
export class EngineError extends Error {}

export class Engine {
  /** @param {Uint8Array} packed  the engine, by gzip @param {Uint8Array} trace */
  static async open(packed, trace) {
    const code = await WebAssembly.compile(await unpacked(packed));
    const instance = await WebAssembly.instantiate(code, imports(code));
    const engine = new Engine(/** @type {any} */ (instance.exports));
    engine.about = engine.with(trace, (at, size) => engine.json(engine.exports.open(at, size)));
    return engine;
  }

  /** @param {any} exports */
  constructor(exports) {
    this.exports = exports;
    this.about = /** @type {any} */ (null);
    exports._initialize();
  }

  /**
   * Calls with a copy of the bytes in the engine's memory.
   * @template T
   * @param {Uint8Array} bytes
   * @param {(at: number, size: number) => T} call
   */
  with(bytes, call) {
    const at = this.exports.allocate(Math.max(1, bytes.length));
    if (!at) throw new Error("the engine is out of memory");
    new Uint8Array(this.exports.memory.buffer, at, bytes.length).set(bytes);
    const result = call(at, bytes.length);
    this.exports.release(at);
    return result;
  }

  text() {
    const { text, text_size, memory } = this.exports;
    return new TextDecoder().decode(new Uint8Array(memory.buffer, text(), text_size()).slice());
  }

  /** @param {number} ok  what an export returned */
  check(ok) {
    if (!ok) throw new EngineError(JSON.parse(this.text()).error);
  }

  /** @param {number} ok */
  json(ok) {
    this.check(ok);
    return JSON.parse(this.text());
  }

  /** @param {number} ok */
  doubles(ok) {
    this.check(ok);
    const { doubles, doubles_size, memory } = this.exports;
    return new Float64Array(memory.buffer, doubles(), doubles_size()).slice();
  }

  /** @param {number[]} calls */
  select(calls) {
    const numbers = new Uint8Array(new Uint32Array(calls).buffer);
    return this.with(numbers, (at) => this.exports.select(at, calls.length));
  }

  /** Lines: [first, step, count] streams. Times are in ps. @param {number} simulated @param {number[]} lines */
  tile(simulated, lines, from, to, columns) {
    this.check(this.exports.tile(simulated, ...lines, from, to, columns));
    const { floats, floats_size, memory } = this.exports;
    return new Float32Array(memory.buffer, floats(), floats_size()).slice();
  }

  spans(simulated, lines, from, to, most) {
    return this.doubles(this.exports.spans(simulated, ...lines, from, to, most));
  }

  statistics(simulated, lines, from, to) {
    return this.doubles(this.exports.statistics(simulated, ...lines, from, to));
  }

  byLine(simulated, lines, from, to) {
    return this.doubles(this.exports.by_line(simulated, ...lines, from, to));
  }

  moment(simulated, stream, t) {
    return this.json(this.exports.moment(simulated, stream, t));
  }

  /** @param {string[][]} settings @param {number} detail  as in report::Detail: 0 times, 1 and the critical path, 2 and efficiency, 3 everything */
  simulate(settings, detail) {
    const text = new TextEncoder().encode(JSON.stringify(settings));
    return this.json(this.with(text, (at, size) => this.exports.simulate(at, size, detail)));
  }

  matrix(first, ranks, block) {
    return this.doubles(this.exports.matrix(first, ranks, block));
  }

  flights(lines, from, to, most) {
    return this.doubles(this.exports.flights(...lines, from, to, most));
  }

  criticalPath(from, to, columns) {
    return this.doubles(this.exports.critical_path(from, to, columns));
  }

  memory() {
    return this.exports.memory.buffer.byteLength;
  }
}
