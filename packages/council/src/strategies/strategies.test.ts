import { expect, test } from "vitest";
import { route } from "../routing/router.ts";
import { INTENTS, type Intent, STRATEGIES } from "./strategies.ts";

test("[R-strategies] every strategy is reached by each of its intents", () => {
  for (const { tool, intents } of STRATEGIES)
    for (const intent of Object.keys(intents) as Intent[])
      expect(route({ prompt: "x", intent })).toEqual({ tool, by: "intent", rule: intent });
});

test("[R-strategies] no two strategies share a name, a tool or an intent", () => {
  const names = STRATEGIES.flatMap(({ name, tool }) => [name, tool]);
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(INTENTS).size).toBe(INTENTS.length);
});
