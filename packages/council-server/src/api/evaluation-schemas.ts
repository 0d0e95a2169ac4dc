import { z } from "zod";
import type { ApiType } from "./api-type.ts";

const Price = z.strictObject({ input: z.number(), output: z.number() });

/** What an evaluation may compare here. */
export const EvaluationOptions = z
  .strictObject({
    models: z
      .array(
        z.strictObject({
          name: z.string(),
          usd_per_million: Price.nullable().describe(
            "US dollars for a million tokens; null: this model has no price (MCI_PRICES adds one).",
          ),
          refused: z.string().optional().describe("Why it cannot be used here. Absent where it can."),
        }),
      )
      .describe(
        "Those that the settings name, the one of votes first. Any other name that the provider serves works, too.",
      ),
    presets: z.array(z.string()),
    settings: z
      .record(z.string(), z.unknown())
      .describe("JSON Schema of the further settings a configuration may have, as in `config` of a request."),
    simulated: z.boolean(),
    max_concurrent: z.int().describe("Runs that this instance executes at the same time."),
    daily: z
      .strictObject({
        max_calls: z.number().optional(),
        max_tokens: z.number().optional(),
        max_usd: z.number().optional(),
      })
      .describe("Limits of the whole service for a day (UTC). Empty: none."),
  })
  .meta({ id: "EvaluationOptions" });
export type EvaluationOptions = ApiType<typeof EvaluationOptions>;
