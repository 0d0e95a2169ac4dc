import { runCouncil } from "../src/council.ts";
import type { CouncilEvent } from "../src/events.ts";
import type { Model, Purpose } from "../src/model.ts";
import type { CouncilOptions } from "../src/options.ts";
import type { CouncilRequest } from "../src/request.ts";
import type { CouncilResult } from "../src/result.ts";
import { type Script, type ScriptedModel, scriptedModel } from "./scripted-model.ts";
import { seededRandom } from "./seeded-random.ts";
import { type VirtualClock, virtualClock } from "./virtual-clock.ts";

export interface AskedRun {
  readonly result: Promise<CouncilResult>;
  readonly model: ScriptedModel;
  readonly clock: VirtualClock;
  readonly events: CouncilEvent[];
}

/** A whole run against a scripted model, on a clock that never waits. */
export function ask(
  request: CouncilRequest,
  script: Partial<Record<Purpose, Script>>,
  options: Partial<CouncilOptions> & { clock?: VirtualClock } = {},
  port: Partial<Model> = {},
): AskedRun {
  const clock = options.clock ?? virtualClock();
  const model = scriptedModel(clock, script);
  const events: CouncilEvent[] = [];
  const result = clock.run(
    runCouncil(request, {
      model: { ...model, ...port },
      models: { voter: "voter-model", judge: "judge-model", helper: "helper-model" },
      random: seededRandom(7),
      // Equivalence has tests of its own.
      selfTests: { get: () => true, set: () => {} },
      onEvent: (event) => events.push(event),
      ...options,
      clock,
    }),
  );
  return { result, model, clock, events };
}

export const typesOf = (events: readonly CouncilEvent[]) => events.map(({ type }) => type);
