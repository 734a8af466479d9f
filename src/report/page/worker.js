// @ts-check
// Runs the engine beside the page, so that the page answers while it works.
import { Engine } from "./engine.js";

/** @type {Engine | null} */
let engine = null;
const stopped = "the engine has stopped, most likely since it needs more memory than a page can have (4 GB); reload the page, or run reprise simulate";
let hasStopped = false;

/** @param {{ call: string, args: any[] }} request */
async function answer({ call, args }) {
  if (call === "open") {
    engine = await Engine.open(args[0], args[1]);
    return engine.about;
  }
  if (!engine) throw new Error(hasStopped ? stopped : "the engine has not been opened");
  return /** @type {any} */ (engine)[call](...args);
}

self.onmessage = async (event) => {
  const began = performance.now();
  try {
    const result = await answer(event.data);
    // Numbers are handed over rather than copied.
    const transfer = ArrayBuffer.isView(result) ? [result.buffer] : [];
    self.postMessage({ result, ms: performance.now() - began }, { transfer });
  } catch (error) {
    // What a trap leaves behind is not to be used again.
    if (error instanceof WebAssembly.RuntimeError) {
      engine = null;
      hasStopped = true;
    }
    self.postMessage({ error: hasStopped ? stopped : error instanceof Error ? error.message : String(error) });
  }
};
