import { PRESETS } from "@mci-ts/council";
import { z } from "zod";
import { EvaluationOptions } from "../../api/evaluation-schemas.ts";
import { parse } from "../../http/parse.ts";
import { defineRoute, failure, success } from "../../http/route.ts";
import type { Models } from "../../providers/models.ts";
import { RunConfig } from "../../runs/run-config.ts";

const MILLION = 1_000_000;

const query = z.object({
  model: z
    .array(z.string().trim().min(1).max(200))
    .max(50)
    .default([])
    .describe("Names of further models, each its own parameter: their prices, and why one cannot be used."),
});

/** What the screen of evaluations offers: models with their prices, presets and settings. */
export const evaluationOptions = defineRoute({
  method: "get",
  path: "/api/evaluation",
  summary: "Models, prices and settings that an evaluation may compare",
  query,
  responses: {
    200: success("What can be compared.", EvaluationOptions),
    400: failure("The query is invalid."),
  },
  handle(c, { config, models }) {
    const { model: further } = parse(query, { model: c.req.queries("model") }, "query");
    const { max_calls, max_tokens, max_usd } = config.dailyBudget;
    return Response.json({
      models: [...new Set([...namesOf(models), ...further])].map((name) => {
        const refused = models.refuse(name);
        const price = { usd_per_million: priceOf(models, name) };
        return { name, ...price, ...(refused === undefined ? {} : { refused }) };
      }),
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
