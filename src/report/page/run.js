// @ts-check
// The engine for all views, and what it has simulated last.
import { machineSettings, selectedCalls, state } from "./state.js";

/** @type {{ client: import("./client.js").Client | null, why: string }} */
export const engine = { client: null, why: "" };

let simulatedWith = "";
/** @type {any} */
let simulated = null;
let selectedWith = "[]";

/** @param {string} call @param {any[]} args @param {string} [key] @returns {Promise<any>} */
export function ask(call, args, key) {
  if (!engine.client) return Promise.reject(new Error(engine.why));
  return engine.client.ask(call, args, key);
}

/** Simulates the machine of the sliders with every call, unless that was the last one. @returns {Promise<any>} */
export async function simulateAll() {
  const settings = machineSettings();
  const text = JSON.stringify(settings);
  if (text !== simulatedWith) {
    const result = await ask("simulate", [settings, 3]);
    simulated = result;
    simulatedWith = text;
  }
  return simulated;
}

/** Whether the run that is simulated is that of the sliders. */
export const isSimulatedNow = () => JSON.stringify(machineSettings()) === simulatedWith;

/** Tells the engine what is selected. */
export async function syncSelection() {
  const calls = selectedCalls();
  const text = JSON.stringify(calls);
  if (text === selectedWith) return;
  selectedWith = text;
  await ask("select", [calls]);
}

/** The end of the run that the timeline shows [ps]. */
export async function endOfRun() {
  if (state.run === "recorded") return engine.client?.about.end_ps ?? 0;
  const run = await simulateAll();
  return run.time_ps;
}

export const isSimulated = () => (state.run === "simulated" ? 1 : 0);
