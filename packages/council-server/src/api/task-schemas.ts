import { BULK_ACTIONS, optionalField, TASK_STATUSES, taskSpecSchema } from "@mci-ts/council";
import { z } from "zod";
import { Step } from "./api-schemas.ts";
import type { ApiType } from "./api-type.ts";

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
    title: z.string().describe("Its name; without one the first words of what it asks."),
    status: z.enum(TASK_STATUSES),
    step: z.int().describe("Decided steps."),
    steps: z
      .int()
      .nullable()
      .describe("Steps there may be (`steps`), or there are (`plan`, once it is decomposed)."),
    state: z.unknown().describe("Of `steps` the present state; of `plan` its steps with their status."),
    result: optionalField("Once complete: of `steps` the last state, of `plan` the synthesis.", z.unknown()),
    rate: z.number().describe("Steps per second over its last 50 steps; 0 while it rests, and of a plan."),
    time_left_ms: z
      .number()
      .nullable()
      .describe(
        "At this rate until all `steps` are done: of a task of steps the most it can take. null: not known.",
      ),
    contested: z.int().describe("Steps whose votes differed, or of which a reply was flagged."),
    instance: optionalField("While it runs: the instance that has it.", z.string()),
    running_since: optionalField(
      "With `instance`: since when that instance has it; null before its first step begins.",
      z.iso.datetime().nullable(),
    ),
    stalled_ms: optionalField(
      "It runs, but has recorded nothing for so long: longer than one of its steps may take.",
      z.number(),
    ),
    usage: TaskUsage,
    error: optionalField(
      "Why it is paused or failed.",
      z.looseObject({ code: z.string(), message: z.string() }),
    ),
    retry_at: optionalField(
      "Paused because the provider could not be reached: when the task resumes by itself.",
      z.iso.datetime(),
    ),
    retries: optionalField("With `retry_at`: how often it has done so since its last step.", z.int()),
    answer_schema: optionalField(
      "JSON Schema of what a person answers an undecided step with. Lists leave it out.",
      z.unknown(),
    ),
    undecided: optionalField(
      "The steps that wait for a person. Lists leave it out.",
      z.array(
        z.looseObject({
          step: z.int(),
          prompt: z.string().describe("What the models were asked."),
          k: z.int().nullable().describe("The lead that was needed; null where it was not voted on."),
          votes: z.record(z.string(), z.int()).describe("Valid votes by answer, most first."),
          samples: z.string().describe("Every reply, with what became of it."),
        }),
      ),
    ),
    forked_from: z.looseObject({ id: z.string(), step: z.int() }).optional(),
    schedule: optionalField("The name of the schedule that started it.", z.string()),
    subject: optionalField("Whose task it is, behind an issuer.", z.string()),
    created_at: z.iso.datetime(),
    started_at: z.iso.datetime().nullable(),
    ended_at: z.iso.datetime().nullable(),
  })
  .meta({ id: "Task" });
export type Task = ApiType<typeof Task>;

/** The state of a plan, once it is decomposed. */
const PlanState = z.looseObject({
  task: z.string(),
  steps: z.array(
    Step.extend({
      status: z.enum(["open", "solved", "undecided"]),
      reason: optionalField("Why it is undecided.", z.string()),
    }),
  ),
});
export type PlanState = ApiType<typeof PlanState>;

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
export type TaskPage = ApiType<typeof TaskPage>;

export const TaskFilter = z.strictObject({
  status: optionalField("Only tasks with this status.", z.enum(TASK_STATUSES)),
  name: optionalField(
    "Only tasks whose name has all of these words, each as the beginning of one.",
    z.string().trim().min(1).max(200),
  ),
});

export const BulkRequest = z
  .strictObject({
    action: z.enum(BULK_ACTIONS),
    ids: optionalField("Of these tasks.", z.array(z.string().min(1).max(100)).min(1).max(1000)),
    filter: optionalField(
      "Of the tasks it names, newest first, instead of `ids`. {} names all.",
      TaskFilter.extend({
        cursor: z.string().max(100).optional().describe("`next_cursor` of the response before."),
      }),
    ),
    limit: z.int().min(1).max(1000).default(1000).describe("Tasks per request with a filter. Default 1000."),
    dry_run: z.boolean().default(false).describe("Only count the tasks. Default false."),
  })
  .refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), "needs either ids or filter")
  .meta({ id: "BulkRequest" });

export const BulkResponse = z
  .union([
    z.strictObject({ action: z.enum(BULK_ACTIONS), matched: z.int() }),
    z.strictObject({
      action: z.enum(BULK_ACTIONS),
      done: z.int().describe("Tasks that took the action. A running task pauses after its open step."),
      refused: z
        .array(z.strictObject({ id: z.string(), message: z.string() }))
        .describe("Tasks whose status does not allow it."),
      more: z
        .boolean()
        .describe("The filter names more tasks: send it again, with `next_cursor` if it has one."),
      next_cursor: z.string().nullable(),
    }),
  ])
  .meta({ id: "BulkResponse" });

export const DeletedTask = z
  .strictObject({ id: z.string(), status: z.literal("deleted") })
  .meta({ id: "DeletedTask" });

export const TaskStep = z
  .looseObject({
    step: z.int(),
    answer: z.unknown(),
    votes: z.record(z.string(), z.int()).describe("Valid votes by answer."),
    calls: z.int(),
    cost_usd: z.number().nullable(),
    red_flagged: z.int(),
    k: optionalField('With k: "auto": the lead that was needed.', z.int()),
    samples: optionalField("Every reply, where they differed or were flagged.", z.string()),
    by: z.literal("person").optional(),
    order: optionalField("Of a plan: counts its steps as they were decided.", z.int()),
  })
  .meta({ id: "TaskStep" });
export type TaskStep = ApiType<typeof TaskStep>;

export const TaskStepPage = z
  .strictObject({ steps: z.array(TaskStep), next: z.int().nullable().describe("`from` of the next page.") })
  .meta({ id: "TaskStepPage" });
export type TaskStepPage = ApiType<typeof TaskStepPage>;

/** The whole of a task of steps, in parts of equal length. */
export const TaskStrip = z
  .strictObject({
    from: z.int(),
    to: z.int(),
    size: z.int().describe("Steps of one part; the last may have fewer."),
    parts: z.array(
      z.strictObject({
        from: z.int(),
        to: z.int(),
        contested: z.int().describe("Steps whose votes differed, or of which a reply was flagged."),
        decided_at: z.iso.datetime().nullable().describe("When its first step was decided."),
      }),
    ),
  })
  .meta({ id: "TaskStrip" });
export type TaskStrip = ApiType<typeof TaskStrip>;

const eventFields = { v: z.literal(1), task_id: z.string(), ts: z.iso.datetime() };

export const TaskEvent = z
  .discriminatedUnion("type", [
    TaskStep.extend({ ...eventFields, type: z.literal("step.decided") }),
    z.looseObject({
      ...eventFields,
      type: z
        .enum(["task.status", "task.progress", "task.end"])
        .describe("Another status, a report of the rate and the cost, or the end of the stream."),
      task: Task,
    }),
  ])
  .meta({ id: "TaskEvent" });
export type TaskEvent = ApiType<typeof TaskEvent>;
