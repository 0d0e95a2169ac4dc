import { DBOS } from "@dbos-inc/dbos-sdk";
import {
  addUsage,
  type PlannedOutcome,
  type PlanStepResult,
  type StepsEngine,
  type StepsProgress,
} from "@mci-ts/council";
import type { Queryable } from "../database/database.ts";
import { chunksFrom, recordsOf } from "./chunks.ts";
import { type PlanProgress, withAnswers, withResult } from "./plan-progress.ts";
import { TaskError } from "./task-error.ts";
import type { Progress, TaskRow } from "./task-rows.ts";
import { isPlan } from "./task-view.ts";

export type StepsOf = (id: string) => Promise<{ readonly engine: StepsEngine }>;

/** Where a task stands by its records, which are ahead of what a running one has reported. */
export async function recordedProgress(db: Queryable, row: TaskRow, stepsOf: StepsOf): Promise<Progress> {
  return isPlan(row.progress) ? recordedPlan(row, row.progress) : progressBefore(db, row, undefined, stepsOf);
}

/** Where a task of steps stood before a step; undefined: after all that are recorded. Replayed from the start of the chunk. */
export async function progressBefore(
  db: Queryable,
  { id, step: decided }: TaskRow,
  step: number | undefined,
  stepsOf: StepsOf,
): Promise<StepsProgress> {
  const { engine } = await stepsOf(id);
  if (step === 1) return engine.start();
  const from = step === undefined ? Math.max(1, decided) : step - 1;
  const chunks = await chunksFrom(db, id, from, step === undefined ? 1000 : 1);
  const chunk = chunks.at(-1);
  if (!chunk) return engine.start();
  const count = step === undefined ? Number.MAX_SAFE_INTEGER : step - chunk.first_step;
  const records = await recordsOf(chunk, chunk.first_step, Math.min(count, MAX_RECORDS));
  const progress = records.reduce((at, record) => engine.apply(at, record), chunk.progress);
  if (step === undefined || progress.step === step - 1) return progress;
  const last = Math.max(decided, progress.step);
  throw new TaskError("invalid_request", `step must be from 1 to ${last + 1}; it is ${step}`, "query.step");
}

/** More than a chunk has. */
const MAX_RECORDS = 100_000;

/** The plan is a step of the segment's workflow; each step of the plan is a workflow of its own. */
async function recordedPlan(
  { id, segment, answers }: TaskRow,
  reported: PlanProgress,
): Promise<PlanProgress> {
  const workflow = `${id}.${segment}`;
  const recorded = (await DBOS.listWorkflowSteps(workflow)) ?? [];
  const planned = recorded.find(({ name }) => name === "decompose")?.output as PlannedOutcome | undefined;
  let progress = reported;
  if (progress.plan === null && planned && "plan" in planned)
    progress = {
      ...progress,
      plan: planned.plan,
      planning: planned.spent,
      spent: addUsage(progress.spent, planned.spent),
    };
  if (progress.plan === null) return progress;
  const prefix = `${workflow}-`;
  const solved = await DBOS.listWorkflows({
    workflow_id_prefix: prefix,
    status: "SUCCESS",
    loadInput: false,
  });
  for (const { workflowID, output } of solved) {
    const step = Number(workflowID.slice(prefix.length));
    if (output && !progress.results[step]) progress = withResult(progress, step, output as PlanStepResult);
  }
  return withAnswers(progress, answers);
}
