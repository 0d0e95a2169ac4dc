import { z } from "zod";
import { compileAnswerSchema } from "../answer-schema/compile.ts";
import { contextSchema, requestConfigSchema } from "../request-config.ts";

const MAX_STATE_CHARS = 100_000;
const MAX_PROMPT_CHARS = 100_000;
const expression = z.string().trim().min(1).max(10_000);

/** JSON that stays small enough to be handed from step to step. */
const stateSchema = z
  .record(z.string(), z.unknown())
  .refine(isSmall, `must be at most ${MAX_STATE_CHARS} characters of JSON`);

const checkSchema = z.union([
  expression,
  z.strictObject({
    tool: z.string().min(1).max(200).describe("A read-only tool of the file that MCI_TOOLS names."),
    input: expression
      .optional()
      .describe("JMESPath over `{ state, answer, step }` for the tool's input. Default: the answer."),
    holds: expression
      .optional()
      .describe(
        "JMESPath over `{ state, answer, step, result }` that must be true. Default: the tool reports no error.",
      ),
  }),
]);
export type TaskCheck = z.infer<typeof checkSchema>;

/** As in a request, without what a task sets itself and what only a council has. */
const planConfig = requestConfigSchema.omit({ answer_schema: true, steps: true });
const stepsConfig = planConfig.omit({
  num_voters: true,
  judge_model: true,
  peer_ranking: true,
  escalate: true,
});
const ABOUT_CONFIG =
  "As in a request. `max_calls`, `max_tokens` and `max_usd` hold for the whole task, `deadline_ms` for each step.";

const name = z.string().trim().min(1).max(200).optional().describe("For people. Default: none.");

const webhook = z
  // In one spelling: deliveries take turns by host.
  .url({ protocol: /^https?$/, normalize: true })
  .max(2000)
  .optional()
  .describe("Gets the task by POST when it ends. Its host must be allowed by the service. Default: none.");

const priority = z
  .int()
  .min(0)
  .max(1000)
  .optional()
  .describe("Of the tasks that wait, those with a lower number begin first. Default 100.");

export const stepsTaskSchema = z.strictObject({
  kind: z.literal("steps"),
  name,
  webhook,
  priority,
  config: stepsConfig.optional().describe(ABOUT_CONFIG),
  state: stateSchema.describe("Where the task starts."),
  step: z.strictObject({
    prompt: z
      .string()
      .max(MAX_PROMPT_CHARS)
      .refine((text) => text.trim() !== "", "must not be empty")
      .describe("An MCI template over `state` and `step`, the number of the step from 1."),
    answer: z
      .record(z.string(), z.unknown())
      .superRefine(addSchemaProblem)
      .describe("JSON Schema of the answer, an object."),
    next: expression.describe("JMESPath over `{ state, answer, step }` that gives the new state, an object."),
  }),
  until: expression.describe(
    "JMESPath over `{ state, answer, step }`; the task is complete when it is true.",
  ),
  max_steps: z
    .int()
    .min(1)
    .max(100_000_000)
    .default(10_000)
    .describe("Steps after which the task fails if `until` has not become true. Default 10000."),
  checks: z
    .array(checkSchema)
    .max(20)
    .optional()
    .describe("JMESPath conditions, or read-only tools, that an answer must pass; else it is red-flagged."),
});
export type StepsTaskSpec = z.infer<typeof stepsTaskSchema>;

export const planTaskSchema = z.strictObject({
  kind: z.literal("plan"),
  name,
  webhook,
  priority,
  config: planConfig.optional().describe(ABOUT_CONFIG),
  prompt: z
    .string()
    .max(MAX_PROMPT_CHARS)
    .refine((text) => text.trim() !== "", "must not be empty")
    .describe("The task that is planned, solved step by step and put together."),
  context: contextSchema.optional().describe("As in a request; every step gets it."),
});
export type PlanTaskSpec = z.infer<typeof planTaskSchema>;

/** A task is data: what it says is checked before anything is spent. */
export const taskSpecSchema = z.discriminatedUnion("kind", [stepsTaskSchema, planTaskSchema]);
export type TaskSpec = z.infer<typeof taskSpecSchema>;

export function isSmall(state: unknown): boolean {
  return (JSON.stringify(state) ?? "").length <= MAX_STATE_CHARS;
}

function addSchemaProblem(schema: unknown, context: z.RefinementCtx): void {
  try {
    compileAnswerSchema(schema);
  } catch (error) {
    const message = `must be a JSON Schema that can be used here, but it ${(error as Error).message}`;
    context.addIssue({ code: "custom", message });
  }
}
