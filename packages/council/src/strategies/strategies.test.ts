import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { route } from "../routing/router.ts";
import { INTENTS, STRATEGIES } from "./strategies.ts";

test("[R-strategies] every strategy is reached by each of its intents", () => {
  for (const { tool, intents } of STRATEGIES)
    for (const intent of intents)
      expect(route({ prompt: "x", intent })).toEqual({ tool, by: "intent", rule: intent });
});

test("[R-strategies] no two strategies share a name, a tool or an intent", () => {
  const names = STRATEGIES.flatMap(({ name, tool }) => [name, tool]);
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(INTENTS).size).toBe(INTENTS.length);
});

test("[R-strategies] the table of the README is the list of strategies", () => {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const rows = STRATEGIES.map(({ name, tool, intents, description }) => {
    const selected = intents.map((intent) => `\`${intent}\``).join(", ");
    return `| \`${name}\` | \`${tool}\` | ${selected} | ${description} |`;
  });
  expect(readme).toContain(`|---|---|---|---|\n${rows.join("\n")}\n\n`);
});
