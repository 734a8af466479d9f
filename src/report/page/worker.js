// @ts-check
// Runs the engine beside the page, so that the page answers while it works.
import { Engine, EngineError } from "./engine.js";

/** @type {Engine | null} */
let engine = null;
const stopped = "the engine has stopped (probably out of memory: it has at most 4 GiB); reload the page, or use `reprise simulate`";
let hasStopped = false;

/** @param {{ call: string, args: any[] }} request */
async function answer({ call, args }) {
  if (call === "open") {
    engine = await Engine.open(args[0], args[1]);
    return engine.about;
  }
  if (!engine) throw new Error("the engine has not been opened");
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
    // After a trap the engine's memory may be inconsistent.
    if (engine && !(error instanceof EngineError)) {
      engine = null;
      hasStopped = true;
    }
    self.postMessage({ error: hasStopped ? stopped : error instanceof Error ? error.message : String(error) });
  }
};
