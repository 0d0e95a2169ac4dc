import type { ModelUsage } from "@mci-ts/council";
import type { Methods } from "../methods/methods.ts";
import type { Question } from "../questions/questions.ts";

export interface Estimate {
  /** Calls when every vote is unanimous. */
  readonly minCalls: number;
  /** Calls when each reply is right with the chance below. */
  readonly calls: number;
  /** What those would cost; null where the price of a model is unknown. */
  readonly usd: { readonly min: number; readonly expected: number } | null;
}

/** What is assumed of a model before any reply: theory gives the number of calls, these give their size. */
const ASSUMED = {
  p: 0.8,
  instructionTokens: 300,
  voteTokens: 120,
  councilTokens: 600,
  secondsPerCall: 2,
};

/** Calls and dollars of an evaluation, before it starts. */
export function estimate(
  questions: readonly Question[],
  methods: Methods,
  models: readonly string[],
  price: (model: string, usage: ModelUsage) => number | undefined,
  runs = 1,
): Estimate {
  let minCalls = 0;
  let calls = 0;
  let usd: Estimate["usd"] = { min: 0, expected: 0 };
  for (const question of questions) {
    const { prompt, context, schema, rubric, answer, accept } = question;
    const inputTokens =
      ASSUMED.instructionTokens + Math.ceil(JSON.stringify({ prompt, context, schema }).length / 4);
    const grading = rubric !== undefined && answer === undefined && accept === undefined ? 1 : 0;
    for (const { minCalls: least, expectedCalls, request } of methods.values()) {
      const expected = expectedCalls(ASSUMED.p);
      const outputTokens = request?.intent === "decision" ? ASSUMED.councilTokens : ASSUMED.voteTokens;
      minCalls += (least + grading) * models.length * runs;
      calls += (expected + grading) * models.length * runs;
      for (const model of models) {
        const one = price(model, { inputTokens, outputTokens });
        usd =
          one === undefined || usd === null
            ? null
            : {
                min: usd.min + one * (least + grading) * runs,
                expected: usd.expected + one * (expected + grading) * runs,
              };
      }
    }
  }
  return { minCalls, calls: Math.round(calls), usd };
}

export function describeEstimate({ minCalls, calls, usd }: Estimate): string {
  const count = calls > minCalls ? `${minCalls} to about ${calls} model calls` : `${minCalls} model calls`;
  if (usd === null) return `${count}; cost unknown, because a model has no price (MCI_PRICES adds one)`;
  if (usd.expected === 0) return `${count}; cost $0`;
  return `${count}, about ${dollars(usd.min)} to ${dollars(usd.expected)} (assumed: ${100 * ASSUMED.p} % right, ${ASSUMED.voteTokens} tokens for a vote, ${ASSUMED.councilTokens} for a proposal)`;
}

/** How long it will take, from the time of a call so far or, before the first one, from an assumed one. */
export function describeTime(calls: number, concurrency: number, secondsPerCall?: number): string {
  const each = secondsPerCall ?? ASSUMED.secondsPerCall;
  const source = secondsPerCall === undefined ? "assumed" : "measured";
  return `about ${duration((calls * each) / concurrency)} (${source}: ${each.toPrecision(2)} s for a call, ${concurrency} at a time)`;
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

export const dollars = (usd: number) => `$${usd === 0 || usd >= 0.01 ? usd.toFixed(2) : usd.toPrecision(2)}`;
