import { expect, test } from "vitest";
import { runCouncil } from "../council.ts";
import type { CouncilRequest } from "../request.ts";
import { simulatedModel } from "./model.ts";
import { SIMULATED_MODEL } from "./request.ts";

const simulate = (request: CouncilRequest, seed = 1) =>
  runCouncil(request, { model: simulatedModel({ seed }), models: { voter: SIMULATED_MODEL } });

test("[S-seed] an architectural decision becomes a council report that says it is simulated", async () => {
  const { result, metadata } = await simulate({
    prompt:
      "What is the best approach to implement authentication in a Node.js/Express API: JWT or sessions?",
    context: { code: "const app = express(); // ... base API code" },
    intent: "decision",
    config: { num_voters: 5 },
  });
  expect(result).toMatch(/^# MAKER-Council Report\n\n## Judge's Final Decision\n\n_Simulated:/);
  expect(metadata).toMatchObject({
    tool_used: "consult_council",
    model: "simulated",
    status: "complete",
    usage: { calls: 6, cost_usd: 0 },
  });
});

test("[S-seed] a task becomes a decomposition that says it is simulated", async () => {
  const { result } = await simulate({
    prompt: "Decompose the task: 'Create a user login system'",
    intent: "decomposition",
  });
  expect(result).toMatchObject({ task: "Create a user login system", total_steps: 7 });
  expect(JSON.stringify(result)).toContain("user login system must do");
  expect(JSON.stringify(result)).toContain("Simulated");
});

test("[S-seed] a choice becomes a vote for one of its options that says it is simulated", async () => {
  const { result, metadata } = await simulate({
    prompt:
      "For date manipulation in JS, is it better to use 'moment.js' or 'date-fns' in a new project in 2025?",
  });
  expect(result).toMatch(
    /^# First-to-ahead-by-3 Voting Result\n\n## Winning Answer\n\n(?:moment\.js|date-fns)\n\nSimulated:/,
  );
  expect(metadata).toMatchObject({ tool_used: "solve_with_voting", voting: { converged: true, k: 3 } });
});

test("[S-seed] whatever model is asked for, the metadata say simulated", async () => {
  const { metadata } = await simulate({ prompt: "Use A or B?", config: { model: "some-great-model" } });
  expect(metadata.model).toBe("simulated");
});

test("[S-seed] the same seed gives the same answer; seeds differ", async () => {
  const winner = async (seed: number) =>
    Object.keys((await simulate({ prompt: "Use A or B?" }, seed)).metadata.voting!.votes)[0];
  expect(await winner(3)).toBe(await winner(3));
  const winners = await Promise.all(Array.from({ length: 20 }, (_, seed) => winner(seed)));
  expect(new Set(winners)).toEqual(new Set(["A", "B"]));
});

test.each([
  "Create a plan for migrating our blog",
  "Break down: fix the flaky login test",
  "Divide into steps: learn to juggle",
  "Plan the migration from MySQL to Postgres",
  "Decompose",
])("[S-seed] %j is decomposed too", async (prompt) => {
  const { result } = await simulate({ prompt, intent: "decomposition" });
  expect(result).toHaveProperty("steps");
});

test("free questions and reviews are answered in shape", async () => {
  expect((await simulate({ prompt: "What is the capital of Chile?" })).result).toContain("simulated answer");
  expect(
    (await simulate({ prompt: "x", intent: "code_review", context: { code: "y" } })).metadata.tool_used,
  ).toBe("consult_council");
});

test("[S-seed] a bare call of an evaluation gets a text with an answer that says it is simulated", async () => {
  const request = { model: SIMULATED_MODEL, purpose: "baseline", temperature: 0.7, maxOutputTokens: 99 };
  const content = "What is the capital of France?";
  const signal = new AbortController().signal;
  const { text } = await simulatedModel().complete(
    { ...request, messages: [{ role: "user", content }] },
    signal,
  );
  expect(text).toMatch(/^Simulated: .*\nAnswer: simulated answer to/);
});
