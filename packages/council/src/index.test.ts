import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as council from "./index.ts";

test("the public surface is exactly this", () => {
  expect(Object.keys(council).toSorted()).toMatchInlineSnapshot(`
    [
      "ACT",
      "BULK_ACTIONS",
      "COUNCIL_ERROR_CODES",
      "CouncilError",
      "INTENTS",
      "MIN_OUTCOMES",
      "ModelError",
      "NO_USAGE",
      "PRESETS",
      "PROMPT_SETS",
      "SIMULATED_MODEL",
      "SIMULATED_NOTE",
      "STRATEGIES",
      "SchemaError",
      "TASK_STATUSES",
      "TOOLS",
      "VARIETIES",
      "actConfigSchema",
      "addUsage",
      "allotBudget",
      "blockedSteps",
      "budgetSchema",
      "canonical",
      "chanceLeaderRight",
      "chanceOfMajority",
      "chanceRight",
      "checkArgument",
      "compileAnswerSchema",
      "compileTools",
      "contextSchema",
      "councilRequestSchema",
      "createCalibration",
      "createSpeeds",
      "createTaskEngine",
      "effectiveVotes",
      "expectedVotes",
      "inOrder",
      "isContested",
      "isFinal",
      "isSingleStep",
      "isSolved",
      "kMin",
      "lowerBound",
      "measureDependence",
      "nextOrder",
      "nextStatus",
      "optionalField",
      "outcomeBasisSchema",
      "outcomeSchema",
      "planTaskSchema",
      "problemsOf",
      "readReply",
      "readySteps",
      "realClock",
      "refusal",
      "remainingBudget",
      "requestConfigSchema",
      "resolveConfig",
      "route",
      "runAction",
      "runCouncil",
      "scheduleNameSchema",
      "shorten",
      "simulatedModel",
      "spendingOf",
      "stepsTaskSchema",
      "taskScheduleSchema",
      "taskSpecSchema",
      "undecidedSteps",
      "whyVotesCannotHelp",
    ]
  `);
});

test("[P-edges] the engine reaches nothing but zod, re2js, primitives, its own files and the clock's timer", () => {
  const folder = new URL(".", import.meta.url);
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !/\.(?:test|fuzz)\.ts$/.test(name),
  );
  expect(sources.length).toBeGreaterThan(30);
  for (const name of sources) {
    const text = readFileSync(new URL(name, folder), "utf8");
    const outside = [...text.matchAll(/from "([^.][^"]*)"/g)].map((match) => match[1]);
    expect(
      outside.filter(
        (module) => !["zod", "re2js"].includes(module!) && !module?.startsWith("@mci-ts/primitives/"),
      ),
      name,
    ).toEqual(name === "clock.ts" ? ["node:timers/promises"] : []);
    const beside = name === "clock.ts" ? text.replace("= setTimeout(", "") : text;
    expect(beside, name).not.toMatch(
      /process\.|console\.|setTimeout\(|setInterval\(|Date\.now\(\)(?!,)|Math\.random/,
    );
  }
});
