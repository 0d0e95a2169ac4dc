import { addUsage, type Decomposition, NO_USAGE, type PlanResults, type TaskUsage } from "@mci-ts/council";
import type { Queryable } from "../../database/database.ts";

/*
 * Tasks that a version before 2 has stored: their steps are steps of the engine, in workflows that `task_chunks` lists, and their
 * status is a column. Once no such instance lives, they are given the form of today; until then their steps are copied to be read.
 */

/** Copies the steps of a task of kind `steps`. Numbers are the stored ones; what stands after a gap is left out. Returns how many were left out. */
export async function copyLegacySteps(on: Queryable, id: string): Promise<number> {
  const [row] = await on.query<{ lost: number }>(
    `WITH found AS (
       SELECT c.first_step + o.function_id AS step, o.output, o.completed_at_epoch_ms AS at
       FROM council.task_chunks c JOIN dbos.operation_outputs o ON o.workflow_uuid = c.workflow_id
       WHERE c.task_id = $1 AND o.function_name = 'step' AND o.output NOT LIKE '{"end":%'
         AND (c.last_step IS NULL OR c.first_step + o.function_id <= c.last_step)),
     numbered AS (SELECT *, row_number() OVER (ORDER BY step) AS place FROM found),
     copied AS (INSERT INTO council.task_steps (task_id, step, record, decided_at)
       SELECT $1, step, output::json, to_timestamp(at / 1000.0) FROM numbered WHERE step = place ON CONFLICT DO NOTHING)
     SELECT count(*) AS lost FROM numbered WHERE step <> place`,
    [id],
  );
  return row!.lost;
}

interface LegacyTask {
  readonly kind: "steps" | "plan";
  readonly status: string;
  readonly segment: number;
  readonly step: number;
  readonly progress: {
    readonly plan?: Decomposition | null;
    readonly planning?: TaskUsage;
    readonly results?: PlanResults;
    readonly spent: TaskUsage;
  };
  readonly answers: PlanResults | null;
  readonly given: unknown;
}

/** Gives a task of an earlier version the form of this one. An open one is put on the queue; its old workflows are cancelled. */
export async function adoptLegacyTask(
  on: Queryable,
  id: string,
  enqueue: () => Promise<void>,
): Promise<{ step: number; lost: number }> {
  const [task] = await on.query<LegacyTask>(
    "SELECT * FROM council.tasks WHERE id = $1 AND status IS NOT NULL FOR UPDATE",
    [id],
  );
  if (!task) return { step: 0, lost: 0 };
  await on.query(
    `UPDATE dbos.workflow_status SET status = 'CANCELLED', owner_xid = NULL, queue_name = NULL
     WHERE starts_with(workflow_uuid, $1) AND status IN ('PENDING', 'ENQUEUED')`,
    [`${id}.`],
  );
  const lost = task.kind === "plan" ? await copyPlan(on, id, task) : await copyLegacySteps(on, id);
  const [last] = await on.query<{ step: number }>(
    "SELECT coalesce(max(step), 0) AS step FROM council.task_steps WHERE task_id = $1",
    [id],
  );
  if (task.kind === "steps") await keepProgress(on, id, task, last!.step);
  await on.query(
    `UPDATE council.tasks SET error = CASE WHEN status <> 'cancelled' THEN error END, status = NULL, runner = 'before' WHERE id = $1`,
    [id],
  );
  if (task.status === "queued" || task.status === "running") await enqueue();
  return { step: last!.step, lost };
}

/** The stored progress of a task that rests is exact; that of one that ran is where its last chunk began, and the start before that. */
async function keepProgress(on: Queryable, id: string, task: LegacyTask, last: number): Promise<void> {
  await on.query(
    `UPDATE council.task_steps s SET progress = c.progress FROM council.task_chunks c
     WHERE c.task_id = $1 AND s.task_id = $1 AND s.step = c.first_step - 1`,
    [id],
  );
  if (task.step === last && last > 0)
    await on.query("UPDATE council.task_steps SET progress = $3 WHERE task_id = $1 AND step = $2", [
      ...[id, last, JSON.stringify(task.progress)],
    ]);
  else if (last > 0)
    await on.query(
      `UPDATE council.tasks SET progress = c.progress FROM council.task_chunks c
       WHERE c.task_id = $1 AND id = $1 AND c.first_step = 1`,
      [id],
    );
  if (task.given !== null && task.step === last)
    await on.query(
      `INSERT INTO council.task_steps (task_id, step, record) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
      [id, last + 1, JSON.stringify(task.given)],
    );
}

/** The plan was a step of the segment's workflow, each of its steps a workflow of its own. */
async function copyPlan(on: Queryable, id: string, task: LegacyTask): Promise<number> {
  const workflow = `${id}.${task.segment}`;
  const { progress } = task;
  const [planned] = await on.query<{ output: string }>(
    "SELECT output FROM dbos.operation_outputs WHERE workflow_uuid = $1 AND function_name = 'decompose'",
    [workflow],
  );
  const decided = progress.plan
    ? { plan: progress.plan, spent: progress.planning ?? NO_USAGE }
    : planned && (JSON.parse(planned.output) as { plan?: Decomposition; spent: TaskUsage });
  if (!decided?.plan) return 0;
  const solved = await on.query<{ step: number; output: string | null }>(
    `SELECT substr(w.workflow_uuid, length($1) + 2)::integer AS step, coalesce(o.output, w.output) AS output
     FROM dbos.workflow_status w LEFT JOIN dbos.workflow_output o USING (workflow_uuid)
     WHERE starts_with(w.workflow_uuid, $1 || '-') AND w.status = 'SUCCESS'`,
    [workflow],
  );
  const found = solved.flatMap(({ step, output }) => (output ? [[step, JSON.parse(output)]] : []));
  const results: PlanResults = { ...Object.fromEntries(found), ...progress.results, ...task.answers };
  const records = Object.entries(results).filter(([, result]) => result !== null);
  for (const [step, record] of [["0", decided] as const, ...records])
    await on.query(
      "INSERT INTO council.task_steps (task_id, step, record) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
      [id, Number(step), JSON.stringify(record)],
    );
  const recorded = Object.values(progress.results ?? {}).reduce(
    (sum, { spent }) => addUsage(sum, spent),
    progress.planning ?? NO_USAGE,
  );
  const charged = subtract(progress.spent, recorded);
  await on.query("UPDATE council.tasks SET progress = $2 WHERE id = $1", [id, JSON.stringify({ charged })]);
  return 0;
}

function subtract(a: TaskUsage, b: TaskUsage): TaskUsage {
  return {
    calls: a.calls - b.calls,
    input_tokens: a.input_tokens - b.input_tokens,
    output_tokens: a.output_tokens - b.output_tokens,
    cost_usd: a.cost_usd === null || b.cost_usd === null ? null : a.cost_usd - b.cost_usd,
  };
}
