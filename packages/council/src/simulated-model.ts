import type { Model } from "./model.ts";

/** The name under which the simulated model is known. */
export const SIMULATED_MODEL = "simulated";

/** A model that needs no provider: the same request and seed give the same answer, and every answer says that it is simulated. */
export function simulatedModel(options: { seed?: number } = {}): Model {
  throw new Error(`under construction: ${options.seed}`);
}
