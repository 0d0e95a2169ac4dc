import { z } from "zod";
import { checkArgument } from "./argument.ts";
import type { CouncilOptions } from "./options.ts";
import { budgetSchema } from "./request.ts";

/** Unknown options are refused too: a misspelt budget must not be no budget. */
export function checkOptions(options: CouncilOptions): void {
  checkArgument("options", options, councilOptions);
}

const call = z.custom((value) => typeof value === "function", "must be a function");
const name = z.string().min(1);
const atLeastOne = z.int().min(1);
const milliseconds = z.number().min(0);

const councilOptions = z.strictObject({
  model: z.looseObject({ complete: call }),
  models: z.strictObject({
    voter: name,
    seats: z.array(name).min(1).optional(),
    judge: name.optional(),
    helper: name.optional(),
    fallbacks: z.array(name).optional(),
  }),
  signal: z.custom((value) => value instanceof AbortSignal, "must be an AbortSignal").optional(),
  onEvent: call.optional(),
  clock: z.looseObject({ now: call, elapsed: call, sleep: call }).optional(),
  random: call.optional(),
  budget: budgetSchema.optional(),
  defaults: z
    .strictObject({
      k: z.union([z.int().min(1).max(25), z.literal("auto")]).optional(),
      numVoters: z.int().min(1).max(25).optional(),
      maxSamples: atLeastOne.optional(),
      maxOutputTokens: atLeastOne.optional(),
    })
    .optional(),
  retry: z
    .strictObject({ attempts: atLeastOne, total: atLeastOne, baseMs: milliseconds, maxMs: milliseconds })
    .partial()
    .optional(),
  price: call.optional(),
  record: call.optional(),
  equivalences: z.looseObject({ get: call, set: call }).optional(),
  redFlag: call.optional(),
  assistedRouting: z.boolean().optional(),
}) satisfies z.ZodType<{ [Name in keyof CouncilOptions]: unknown }>;
