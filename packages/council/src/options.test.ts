import { expect, test } from "vitest";
import { runCouncil } from "./council.ts";
import type { CouncilOptions } from "./options.ts";
import { checkOptions } from "./options.ts";
import { route } from "./routing/router.ts";
import { simulatedModel } from "./simulated/model.ts";
import { kMin } from "./voting/statistics.ts";

const model = simulatedModel();
const models = { voter: "v" };

test.each<[unknown, string]>([
  [undefined, "options must be an object; it is missing"],
  [null, "options must be an object; it is null"],
  [5, "options must be an object; it is 5"],
  [{ models }, "options.model must be an object; it is missing"],
  [{ model: {}, models }, "options.model.complete must be a function; it is missing"],
  [{ model }, "options.models must be an object; it is missing"],
  [{ model, models: {} }, "options.models.voter must be text of at least 1 character; it is missing"],
  [
    { model, models: { ...models, seats: [] } },
    "options.models.seats must be a list of at least 1 item; it is an empty list",
  ],
  [{ model, models, onEvent: "log" }, 'options.onEvent must be a function; it is "log"'],
  [{ model, models, signal: {} }, "options.signal must be an AbortSignal; it is an object"],
  [{ model, models, clock: {} }, "options.clock.now must be a function; it is missing"],
  [
    { model, models, budget: { max_calls: -1 } },
    "options.budget.max_calls must be a whole number of at least 1; it is -1",
  ],
  [{ model, models, defaults: null }, "options.defaults must be an object; it is null"],
  [
    { model, models, defaults: { k: 0 } },
    'options.defaults.k must be a whole number from 1 to 25 or "auto"; it is 0',
  ],
  [
    { model, models, bugdet: {} },
    "options.bugdet is not a field (did you mean budget?); options takes model, models",
  ],
])("[Q-options] %o is refused with the place, before any call", async (options, message) => {
  const refused = runCouncil({ prompt: "x" }, options as CouncilOptions);
  await expect(refused).rejects.toThrow(TypeError);
  await expect(refused).rejects.toThrow(message);
});

test("[Q-options] methods may be inherited, and whatever else an object has is its own business", () => {
  class Mine {
    readonly url = "x";
    complete() {
      return model.complete({} as never, new AbortController().signal);
    }
  }
  expect(() => checkOptions({ model: new Mine(), models, equivalences: new Map() })).not.toThrow();
});

test.each<[string, () => unknown, string]>([
  ["simulatedModel(null)", () => simulatedModel(null as never), "options must be an object; it is null"],
  [
    "simulatedModel with a text as seed",
    () => simulatedModel({ seed: "x" as never }),
    'options.seed must be a number; it is "x"',
  ],
  ["kMin()", () => kMin(undefined as never), "options must be an object; it is missing"],
  ["kMin of a percentage", () => kMin({ p: 80 }), "options.p must be a number from 0 to 1; it is 80"],
  ["route(null)", () => route(null as never), "request must be an object; it is null"],
  ["route without a prompt", () => route({} as never), "request.prompt must be text; it is missing"],
  [
    "route with an unknown intent",
    () => route({ prompt: "x", intent: "y" as never }),
    "request.intent must be one of",
  ],
])("[Q-options] %s says what is wrong", (_, call, message) => {
  expect(call).toThrow(TypeError);
  expect(call).toThrow(message);
});
