import { z } from "zod";
import { actConfigSchema } from "./actions/act-config.ts";
import { compileAnswerSchema } from "./answer-schema/compile.ts";
import type { ReasoningEffort } from "./model.ts";
import { optionalField } from "./optional-field.ts";
import { PROMPT_SETS } from "./prompts/prompt-set.ts";

/** The most a run may spend. Whatever is left out is unlimited. */
const budgetFields = {
  max_calls: optionalField(
    "Model calls of every kind; retries after transport errors are not counted. Calls already started may finish.",
    z.int().min(1),
  ),
  max_tokens: optionalField(
    "Input and output tokens together. A call whose tokens the provider does not report stops the run: the limit could not be enforced.",
    z.int().min(1),
  ),
  max_usd: optionalField(
    "US dollars. A call of unknown cost stops the run: the limit could not be enforced.",
    z.number().positive(),
  ),
  deadline_ms: optionalField("Milliseconds from the start of the run.", z.int().min(1)),
};

export const budgetSchema = z.strictObject(budgetFields);
export type Budget = z.infer<typeof budgetSchema>;

const REASONING_EFFORTS = [
  "none",
  "minimal",
  "low",
  "medium",
  "high",
] as const satisfies readonly ReasoningEffort[];

const ESCALATIONS = ["paraphrase", "second_model", "council"] as const;
export type Escalation = (typeof ESCALATIONS)[number];

/** What the samples of a vote may differ in. */
export const VARIETIES = ["wording", "options", "role"] as const;
export type Variety = (typeof VARIETIES)[number];

const modelName = z.string().trim().min(1).max(200);

export const requestConfigSchema = z.strictObject({
  num_voters: optionalField("Seats of the council. Default 3.", z.int().min(1).max(25)),
  k: optionalField(
    "Votes the winner must be ahead by; `auto` computes it from `target` and the model's track record. Default 3.",
    z.union([z.int().min(1).max(25), z.literal("auto")], 'must be a whole number from 1 to 25, or "auto"'),
  ),
  model: optionalField("The model for every call of this run. Default: the settings' models.", modelName),
  models: optionalField(
    "The panel: seats and votes take these models in turn. A panel of several has one seat each, unless num_voters says otherwise. Default: the settings' models.",
    z.array(modelName).min(1).max(25),
  ),
  judge_model: optionalField("The model of the judge. Default: `model`, or the settings' judge.", modelName),
  criteria: optionalField(
    "What to decide by, the most important first. Part of the prompts of seats, judge, rankers and voters. Default: none.",
    z.array(z.string().trim().min(1).max(500)).min(1).max(20),
  ),
  peer_ranking: optionalField(
    "Seats of a council also rank each other's anonymous proposals, one call each; a Borda count stands beside the judge's decision. Default false.",
    z.boolean(),
  ),
  preset: optionalField(
    "Settings under one name: `quick`, `balanced`, `thorough`, and those of the operator. Other fields take precedence. Default: none.",
    z.string().min(1).max(100),
  ),
  target: optionalField(
    'With `k: "auto"`: the chance of being right to aim for. Default 0.99.',
    z.number().gt(0.5).lt(1),
  ),
  steps: optionalField(
    'With `k: "auto"`: how many voted steps must all be right. Default 1.',
    z.int().min(1).max(1_000_000_000),
  ),
  max_samples: optionalField(
    "Replies a vote may collect before it is undecided, at least k. Default 8 k + 8.",
    z.int().min(1).max(1000),
  ),
  hedge: optionalField(
    "One extra call when one is older than 2.5 times the median. Default false.",
    z.boolean(),
  ),
  speculation: optionalField("Extra calls in flight beyond those needed. Default 0.", z.int().min(0).max(25)),
  escalate: optionalField(
    "What to try, in this order, when a vote stays undecided. Default: the council, where the prompt chose the vote and no two answers agree; else nothing.",
    z
      .array(z.enum(ESCALATIONS))
      .max(3)
      .refine((steps) => new Set(steps).size === steps.length, "must not name a step twice"),
  ),
  max_output_tokens: optionalField(
    "Tokens one reply may have, reasoning included. Default 8192; raised where reasoning uses it up.",
    z.int().min(1).max(1_000_000),
  ),
  reasoning_effort: optionalField(
    "How much a reasoning model may think. Default: the provider's.",
    z.enum(REASONING_EFFORTS),
  ),
  prompts: optionalField(
    "Compact: for small models. Default by the number of parameters in the model's name, or its context window.",
    z.enum(PROMPT_SETS),
  ),
  allow_unknown: optionalField(
    'Offers "unknown" as an answer. Weak models take it too often. Default false.',
    z.boolean(),
  ),
  vary: optionalField(
    "What the samples of a vote differ in. `wording`: other words around the prompt; `options`: the order of the choices; `role`: who answers; none: one prompt is sampled again and again. Default wording and options.",
    z.array(z.enum(VARIETIES)).max(VARIETIES.length),
  ),
  cheap_first: optionalField(
    "Ends a vote as soon as its first two wordings agree. Only where they differ, it goes on to k, then to a second model and the council, unless `escalate` says otherwise. Default false.",
    z.boolean(),
  ),
  answer_schema: optionalField(
    "JSON Schema of the answer, an object: `metadata.answer` is one. Fields marked `x-vote: false` are left out of the vote.",
    z.record(z.string(), z.unknown()).superRefine((schema, context) => {
      const problem = schemaProblem(schema);
      if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
    }),
  ),
  act: optionalField(
    "How the actions of an agent are decided, for the models `act…`. Default: the service's.",
    actConfigSchema,
  ),
  ...budgetFields,
});
export type RequestConfig = z.infer<typeof requestConfigSchema>;

function schemaProblem(schema: unknown): string | undefined {
  try {
    compileAnswerSchema(schema);
    return undefined;
  } catch (error) {
    return `must be a JSON Schema that can be used here, but it ${(error as Error).message}`;
  }
}

export const contextSchema = z.looseObject({
  code: optionalField("Relevant source code.", z.string()),
  history: optionalField("Past interactions, oldest first. Quoted as material.", z.array(z.unknown())),
  conversation: optionalField(
    "The turns before the prompt, oldest first. Sent to the models as their conversation.",
    z.array(z.strictObject({ role: z.enum(["user", "assistant"]), content: z.string() })),
  ),
  filePath: optionalField("The path of the file being analysed.", z.string()),
  instructions: optionalField(
    "How to answer: language, length, audience. Followed; everything else in the context is only considered.",
    z.string(),
  ),
});
export type RequestContext = z.infer<typeof contextSchema>;

/** The part of a request that a run needs, whichever strategy answers it. */
export interface RunRequest {
  readonly prompt: string;
  readonly intent?: string | undefined;
  readonly context?: RequestContext | undefined;
  readonly config?: RequestConfig | undefined;
}
