import { TASK_STATUSES, taskSpecSchema } from "@mci-ts/council";
import { z } from "zod";

/** Schemas of tasks; `/openapi.json` is generated from them. */

/** Described here, checked with the languages it is written in by the engine. The description is made once it is asked for. */
export const TaskSpec = z
  .lazy(() => {
    const { $schema: _, ...described } = z.toJSONSchema(taskSpecSchema, {
      io: "input",
      unrepresentable: "any",
    });
    return z.record(z.string(), z.unknown()).meta(described);
  })
  .meta({ id: "TaskSpec" });

const TaskUsage = z.looseObject({
  calls: z.int(),
  input_tokens: z.int(),
  output_tokens: z.int(),
  cost_usd: z.number().nullable().describe("null when the cost of at least one call is unknown."),
});

export const Task = z
  .looseObject({
    id: z.string(),
    kind: z.enum(["steps", "plan"]),
    name: z.string().nullable(),
    status: z.enum(TASK_STATUSES),
    step: z.int().describe("Decided steps."),
    steps: z
      .int()
      .nullable()
      .describe("Steps there may be (`steps`), or there are (`plan`, once it is decomposed)."),
    state: z.unknown().describe("Of `steps` the present state; of `plan` its steps with their status."),
    result: z
      .unknown()
      .optional()
      .describe("Once complete: of `steps` the last state, of `plan` the synthesis."),
    rate: z.number().describe("Steps per second over the last ten seconds; 0 while it rests."),
    time_left_ms: z
      .number()
      .nullable()
      .describe(
        "At this rate until all `steps` are done: of a task of steps the most it can take. null: not known.",
      ),
    contested: z.int().describe("Steps whose votes differed, or of which a reply was flagged."),
    usage: TaskUsage,
    error: z
      .looseObject({ code: z.string(), message: z.string() })
      .optional()
      .describe("Why it is paused or failed."),
    answer_schema: z
      .unknown()
      .optional()
      .describe("JSON Schema of what a person answers an undecided step with. Lists leave it out."),
    forked_from: z.looseObject({ id: z.string(), step: z.int() }).optional(),
    created_at: z.iso.datetime(),
    started_at: z.iso.datetime().nullable(),
    ended_at: z.iso.datetime().nullable(),
  })
  .meta({ id: "Task" });

export const AcceptedTask = z
  .strictObject({
    id: z.string(),
    kind: z.enum(["steps", "plan"]),
    name: z.string().nullable(),
    status: z.enum(TASK_STATUSES),
  })
  .meta({ id: "AcceptedTask" });

export const TaskPage = z
  .strictObject({ tasks: z.array(Task), next_cursor: z.string().nullable() })
  .meta({ id: "TaskPage" });

export const TaskStep = z
  .looseObject({
    step: z.int(),
    answer: z.unknown(),
    votes: z.record(z.string(), z.int()).describe("Valid votes by answer."),
    calls: z.int(),
    cost_usd: z.number().nullable(),
    red_flagged: z.int(),
    k: z.int().optional().describe('With k: "auto": the lead that was needed.'),
    samples: z.string().optional().describe("Every reply, where they differed or were flagged."),
    by: z.literal("person").optional(),
    order: z.int().optional().describe("Of a plan: counts its steps as they were decided."),
  })
  .meta({ id: "TaskStep" });

export const TaskStepPage = z
  .strictObject({ steps: z.array(TaskStep), next: z.int().nullable().describe("`from` of the next page.") })
  .meta({ id: "TaskStepPage" });

export const TaskEvent = z
  .looseObject({
    v: z.literal(1),
    task_id: z.string(),
    ts: z.iso.datetime(),
    type: z.enum(["step.decided", "task.status", "task.progress", "task.end"]),
  })
  .meta({ id: "TaskEvent" });
