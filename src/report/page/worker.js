// @ts-check
// Runs the engine beside the page, so that the page answers while it works.
import { Engine } from "./engine.js";

/** @type {Engine | null} */
let engine = null;

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
    self.postMessage({ error: error instanceof Error ? error.message : String(error) });
  }
};
