import type { Model, ModelReply } from "@mci-ts/council";

/** Steps 1 and 2 are free, 3 needs both, 4 needs 3. */
const steps = [[], [], [1, 2], [3]].map((dependencies, i) => ({
  id: i + 1,
  action: `Write part ${i + 1}`,
  dependencies,
}));

/** What a call is about: "decompose", "plan-1" and so on for the steps, or "synthesis". */
export function workOf(text: string, purpose: string): string {
  if (purpose === "decompose") return "decompose";
  const [, step] = /Do step (\d)/.exec(text) ?? [];
  return step === undefined ? "synthesis" : `plan-${step}`;
}

/** A simulated model that decomposes every task into the same four steps and solves them; no call fails. */
export const planModel: Model = {
  async complete({ purpose, messages }): Promise<ModelReply> {
    const work = workOf(messages.at(-1)!.content, purpose);
    return {
      text: "",
      object: answerTo(purpose, `the text of ${work}`),
      finishReason: "stop",
      usage: { inputTokens: 10, outputTokens: 5, costUsd: 0.001 },
      latencyMs: 1,
    };
  },
};

function answerTo(purpose: string, result: string): object {
  if (purpose === "decompose") return { task: "t", total_steps: 4, steps };
  if (purpose === "seat") return { proposal: result, answer: result };
  return { consensus: [], contradictions: [], gaps: [], dissent: [], decision: result, answer: result };
}
