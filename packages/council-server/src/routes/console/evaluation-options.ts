import { PRESETS } from "@mci-ts/council";
import { z } from "zod";
import { EvaluationOptions } from "../../api/evaluation-schemas.ts";
import { defineRoute, success } from "../../http/route.ts";
import type { Models } from "../../providers/models.ts";
import { RunConfig } from "../../runs/run-config.ts";

const MILLION = 1_000_000;

/** What the screen of evaluations offers: models with their prices, presets and settings. */
export const evaluationOptions = defineRoute({
  method: "get",
  path: "/api/evaluation",
  summary: "Models, prices and settings that an evaluation may compare",
  responses: {
    200: success("What can be compared.", EvaluationOptions),
  },
  handle(_, { config, models }) {
    const { max_calls, max_tokens, max_usd } = config.dailyBudget;
    return Response.json({
      models: namesOf(models).map((name) => ({ name, usd_per_million: priceOf(models, name) })),
      presets: [...new Set([...Object.keys(PRESETS), ...Object.keys(config.presets)])],
      settings: settingsSchema(),
      simulated: models.simulated,
      max_concurrent: config.http.maxConcurrent,
      daily: {
        ...(max_calls === undefined ? {} : { max_calls }),
        ...(max_tokens === undefined ? {} : { max_tokens }),
        ...(max_usd === undefined ? {} : { max_usd }),
      },
    } satisfies EvaluationOptions);
  },
});

/** Without what the page has fields of its own for, what belongs to a question, and what makes no difference to an answer. */
function settingsSchema(): Record<string, unknown> {
  const compared = RunConfig.omit({
    ...{ model: true, k: true, num_voters: true, answer_schema: true, act: true },
    ...{ webhook: true, cache: true, cache_max_age_seconds: true },
  } as const);
  return z.toJSONSchema(compared, { io: "input", unrepresentable: "any" });
}

function namesOf({ names }: Models): readonly string[] {
  const { voter, seats = [], judge, helper, fallbacks = [] } = names;
  return [...new Set([voter, ...seats, judge, helper, ...fallbacks].filter((name) => name !== undefined))];
}

function priceOf({ price }: Models, name: string): { input: number; output: number } | null {
  const input = price(name, { inputTokens: MILLION, outputTokens: 0 });
  const output = price(name, { inputTokens: 0, outputTokens: MILLION });
  return input === undefined || output === undefined ? null : { input, output };
}
