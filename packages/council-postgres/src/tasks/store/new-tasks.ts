import { randomBytes } from "node:crypto";
import type { IdempotencyKey, StepsProgress, TaskSpec } from "@mci-ts/council";
import type { Database, Queryable } from "../../database/database.ts";
import { taskNotFound } from "../task-error.ts";
import { hasSchedules } from "./schedule-query.ts";
import { type PlanCharges, TASK_WORKFLOW, WAITING_QUEUE } from "./task-records.ts";

export interface NewTask {
  readonly id: string;
  readonly spec: TaskSpec;
  readonly progress: StepsProgress | PlanCharges;
  readonly workflowVersion: number;
  readonly once?: IdempotencyKey;
  /** Takes over these steps of another task. */
  readonly forkedFrom?: {
    readonly id: string;
    readonly step: number;
    readonly steps: readonly number[] | "before";
  };
  /** The name of the schedule that starts it. */
  readonly schedule?: string;
  /** Whose it is. */
  readonly subject?: string | undefined;
  /** Asked first, in the same transaction. False: it is not stored. */
  readonly onlyIf?: (on: Queryable) => Promise<boolean>;
}

/** Short, because every recorded step repeats it; 80 bits of chance. */
export const newTaskId = (): string => randomBytes(10).toString("hex");

/** Whether any task is not over, or will be started. For instances that have not started the engine, whose tables may not exist. */
export async function hasPendingTasks(db: Queryable): Promise<boolean> {
  const unfinished = await db.query("SELECT 1 FROM council.tasks WHERE ended_at IS NULL LIMIT 1");
  return unfinished.length > 0 || hasSchedules(db);
}

/** How tasks come into being: stored and put on the queue of the engine. */
export function newTaskStatements(db: Database) {
  return { insert };

  /** Stores the task and puts it on the queue, in one transaction. False: another task has its idempotency key, or `onlyIf` is against it. */
  async function insert(task: NewTask): Promise<boolean> {
    const { id, spec, progress, workflowVersion, forkedFrom, once, schedule, subject, onlyIf } = task;
    return db.transaction(async (on) => {
      if (onlyIf && !(await onlyIf(on))) return false;
      const inserted = await on.query(
        `INSERT INTO council.tasks (id, kind, name, spec, progress, workflow_version, forked_from, fork_step, idempotency_key, fingerprint, step_limit_ms,
           webhook, schedule, subject, webhook_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, CASE WHEN $12::text IS NOT NULL THEN clock_timestamp() END)
         ON CONFLICT (idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING RETURNING id`,
        [
          ...[
            id,
            spec.kind,
            spec.name ?? null,
            JSON.stringify(spec),
            JSON.stringify(progress),
            workflowVersion,
          ],
          ...[forkedFrom?.id ?? null, forkedFrom?.step ?? null, once?.key ?? null, once?.fingerprint ?? null],
          ...[spec.config?.deadline_ms ?? null, spec.webhook ?? null, schedule ?? null, subject ?? null],
        ],
      );
      if (inserted.length === 0) return false;
      if (forkedFrom) await copySteps(on, id, forkedFrom);
      await enqueue(on, id);
      return true;
    });
  }
}

/** Repeating it changes nothing. */
export async function enqueue(on: Queryable, id: string): Promise<void> {
  await on.query(
    `SELECT dbos.enqueue_workflow(workflow_name => $1, queue_name => $2, positional_args => ARRAY[to_json($3::text)],
       workflow_id => $3, app_version => $4, application_name => $5,
       priority => coalesce((SELECT (spec ->> 'priority')::integer FROM council.tasks WHERE id = $3), ${DEFAULT_PRIORITY}))`,
    [TASK_WORKFLOW, WAITING_QUEUE, id, ENGINE_VERSION, ENGINE_NAME],
  );
}

/** Between what may wait and what is urgent. */
const DEFAULT_PRIORITY = 100;

/** What the engine calls this program. Which instances may run a task is decided by its `workflow_version`. */
export const ENGINE_NAME = "council";
export const ENGINE_VERSION = "2";

async function copySteps(
  on: Queryable,
  id: string,
  { id: from, step, steps }: NonNullable<NewTask["forkedFrom"]>,
): Promise<void> {
  // It may have been deleted since: the fork would begin at its first step, without a word.
  const origin = await on.query("SELECT FROM council.tasks WHERE id = $1 FOR KEY SHARE", [from]);
  if (origin.length === 0) throw taskNotFound(from);
  await on.query(
    `INSERT INTO council.task_steps (task_id, step, record, progress, decided_at)
     SELECT $1, step, record, progress, decided_at FROM council.task_steps
     WHERE task_id = $2 AND CASE WHEN $4::integer[] IS NULL THEN step < $3 ELSE step = ANY($4) END`,
    [id, from, step, steps === "before" ? null : steps],
  );
}
