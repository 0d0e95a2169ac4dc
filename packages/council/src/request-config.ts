import { z } from "zod";
import { actConfigSchema } from "./actions/act-config.ts";
import { compileAnswerSchema } from "./answer-schema/compile.ts";
import type { ReasoningEffort } from "./model.ts";
import { PROMPT_SETS } from "./prompts/prompt-set.ts";

/** The most a run may spend. Whatever is left out is unlimited. */
const budgetFields = {
  max_calls: z
    .int()
    .min(1)
    .optional()
    .describe(
      "Model calls of every kind; retries after transport errors are not counted. Calls already started may finish.",
    ),
  max_tokens: z
    .int()
    .min(1)
    .optional()
    .describe(
      "Input and output tokens together. A call whose tokens the provider does not report stops the run: the limit could not be enforced.",
    ),
  max_usd: z
    .number()
    .positive()
    .optional()
    .describe("US dollars. A call of unknown cost stops the run: the limit could not be enforced."),
  deadline_ms: z.int().min(1).optional().describe("Milliseconds from the start of the run."),
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
  num_voters: z.int().min(1).max(25).optional().describe("Seats of the council. Default 3."),
  k: z
    .union([z.int().min(1).max(25), z.literal("auto")], 'must be a whole number from 1 to 25, or "auto"')
    .optional()
    .describe(
      "Votes the winner must be ahead by; `auto` computes it from `target` and the model's track record. Default 3.",
    ),
  model: modelName
    .optional()
    .describe("The model for every call of this run. Default: the settings' models."),
  models: z
    .array(modelName)
    .min(1)
    .max(25)
    .optional()
    .describe(
      "The panel: seats and votes take these models in turn. A panel of several has one seat each, unless num_voters says otherwise. Default: the settings' models.",
    ),
  judge_model: modelName
    .optional()
    .describe("The model of the judge. Default: `model`, or the settings' judge."),
  criteria: z
    .array(z.string().trim().min(1).max(500))
    .min(1)
    .max(20)
    .optional()
    .describe(
      "What to decide by, the most important first. Part of the prompts of seats, judge, rankers and voters. Default: none.",
    ),
  peer_ranking: z
    .boolean()
    .optional()
    .describe(
      "Seats of a council also rank each other's anonymous proposals, one call each; a Borda count stands beside the judge's decision. Default false.",
    ),
  preset: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe(
      "Settings under one name: `quick`, `balanced`, `thorough`, and those of the operator. Other fields take precedence. Default: none.",
    ),
  target: z
    .number()
    .gt(0.5)
    .lt(1)
    .optional()
    .describe('With `k: "auto"`: the chance of being right to aim for. Default 0.99.'),
  steps: z
    .int()
    .min(1)
    .max(1_000_000_000)
    .optional()
    .describe('With `k: "auto"`: how many voted steps must all be right. Default 1.'),
  max_samples: z
    .int()
    .min(1)
    .max(1000)
    .optional()
    .describe("Replies a vote may collect before it is undecided, at least k. Default 8 k + 8."),
  hedge: z
    .boolean()
    .optional()
    .describe("One extra call when one is older than 2.5 times the median. Default false."),
  speculation: z
    .int()
    .min(0)
    .max(25)
    .optional()
    .describe("Extra calls in flight beyond those needed. Default 0."),
  escalate: z
    .array(z.enum(ESCALATIONS))
    .max(3)
    .optional()
    .describe(
      "What to try, in this order, when a vote stays undecided. Default: the council, where the prompt chose the vote and no two answers agree; else nothing.",
    ),
  max_output_tokens: z
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .describe(
      "Tokens one reply may have, reasoning included. Default 8192; raised where reasoning uses it up.",
    ),
  reasoning_effort: z
    .enum(REASONING_EFFORTS)
    .optional()
    .describe("How much a reasoning model may think. Default: the provider's."),
  prompts: z
    .enum(PROMPT_SETS)
    .optional()
    .describe(
      "Compact: for small models. Default by the number of parameters in the model's name, or its context window.",
    ),
  allow_unknown: z
    .boolean()
    .optional()
    .describe('Offers "unknown" as an answer. Weak models take it too often. Default false.'),
  vary: z
    .array(z.enum(VARIETIES))
    .max(VARIETIES.length)
    .optional()
    .describe(
      "What the samples of a vote differ in. `wording`: other words around the prompt; `options`: the order of the choices; `role`: who answers; none: one prompt is sampled again and again. Default wording and options.",
    ),
  cheap_first: z
    .boolean()
    .optional()
    .describe(
      "Ends a vote as soon as its first two wordings agree. Only where they differ, it goes on to k, then to a second model and the council, unless `escalate` says otherwise. Default false.",
    ),
  answer_schema: z
    .record(z.string(), z.unknown())
    .superRefine((schema, context) => {
      const problem = schemaProblem(schema);
      if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
    })
    .optional()
    .describe(
      "JSON Schema of the answer, an object: `metadata.answer` is one. Fields marked `x-vote: false` are left out of the vote.",
    ),
  act: actConfigSchema
    .optional()
    .describe("How the actions of an agent are decided, for the models `act…`. Default: the service's."),
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
  code: z.string().optional().describe("Relevant source code."),
  history: z.array(z.unknown()).optional().describe("Past interactions, oldest first. Quoted as material."),
  conversation: z
    .array(z.strictObject({ role: z.enum(["user", "assistant"]), content: z.string() }))
    .optional()
    .describe("The turns before the prompt, oldest first. Sent to the models as their conversation."),
  filePath: z.string().optional().describe("The path of the file being analysed."),
  instructions: z
    .string()
    .optional()
    .describe(
      "How to answer: language, length, audience. Followed; everything else in the context is only considered.",
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
