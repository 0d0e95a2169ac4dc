import type {
  IdempotencyKey,
  StepRecord,
  StepsProgress,
  StripRange,
  TaskCounts,
  TaskFilter,
  TaskQuery,
  TaskStatus,
  TaskStrip,
} from "@mci-ts/council";
import type { Database, Queryable } from "../../database/database.ts";
import { TaskError, taskNotFound } from "../task-error.ts";
import { findsNothing, searchTasks } from "./search-query.ts";
import { readStrip } from "./strip-query.ts";
import { COUNT_TASKS, COUNT_WEBHOOKS, MARK_TASKS, SELECT_TASK } from "./task-query.ts";
import type { PlanCharges, StoredStep, TaskRow } from "./task-records.ts";

interface CountedTasks {
  readonly status: TaskStatus;
  readonly count: number;
  readonly stalled: number;
  readonly idleSeconds: number;
  readonly queuedSeconds: number;
}

/** What is known of tasks. */
export function taskReads(db: Database) {
  return {
    find: (id: string) => findTask(db, id),
    findByKey,
    list,
    ids,
    count,
    counts,
    strip,
    marks,
    snapshot,
    steps: readSteps,
  };

  /** The task that an earlier request with the key created; throws where that was another request. */
  async function findByKey({ key, fingerprint }: IdempotencyKey): Promise<TaskRow> {
    const [row] = await db.query<TaskRow>(
      `${SELECT_TASK} WHERE t.idempotency_key = $1 AND t.fingerprint = $2`,
      [key, fingerprint],
    );
    if (row) return row;
    throw new TaskError(
      "idempotency_mismatch",
      "This Idempotency-Key was used with another task; use a new key",
    );
  }

  /** Newest first. */
  async function list(filter: TaskFilter): Promise<TaskRow[]> {
    await requireCursor(filter);
    if (findsNothing(filter)) return [];
    const { sql, values } = searchTasks(filter);
    return db.query<TaskRow>(
      `${SELECT_TASK} WHERE t.id IN (SELECT id FROM (${sql}) page) ORDER BY t.created_at DESC, t.id DESC`,
      [...values],
    );
  }

  /** The ids of the tasks that `list` returns. */
  async function ids(filter: TaskFilter): Promise<string[]> {
    await requireCursor(filter);
    if (findsNothing(filter)) return [];
    const { sql, values } = searchTasks(filter);
    return (await db.query<{ id: string }>(sql, [...values])).map(({ id }) => id);
  }

  async function requireCursor({ after }: TaskFilter): Promise<void> {
    if (after === undefined) return;
    const found = await db.query("SELECT 1 FROM council.tasks WHERE id = $1", [after]);
    if (found.length > 0) return;
    throw new TaskError(
      "invalid_request",
      "query.cursor must be a next_cursor returned by this service, of a task that was not deleted since",
      "query.cursor",
    );
  }

  async function count(query: TaskQuery): Promise<number> {
    if (findsNothing(query)) return 0;
    const { sql, values } = searchTasks({ ...query, limit: Number.MAX_SAFE_INTEGER });
    const [row] = await db.query<{ count: number }>(`SELECT count(*) AS count FROM (${sql}) found`, [
      ...values,
    ]);
    return row!.count;
  }

  async function counts(): Promise<TaskCounts> {
    const [rows, [webhooks]] = await Promise.all([
      db.query<CountedTasks>(COUNT_TASKS),
      db.query<{ count: number }>(COUNT_WEBHOOKS),
    ]);
    return {
      ...Object.fromEntries(rows.map(({ status, count }) => [status, count])),
      stalled: rows.reduce((sum, row) => sum + row.stalled, 0),
      idleSeconds: Math.max(0, ...rows.map((row) => row.idleSeconds)),
      queuedSeconds: Math.max(0, ...rows.map((row) => row.queuedSeconds)),
      webhooks: webhooks!.count,
    };
  }

  /** A text for each task that changes with its status, its reason, and what is recorded. One that is gone has none. */
  async function marks(ids: readonly string[]): Promise<Map<string, string>> {
    const rows = await db.query<{ id: string; mark: string }>(MARK_TASKS, [ids]);
    return new Map(rows.map(({ id, mark }) => [id, mark]));
  }

  function readSteps<Record = StepRecord>(id: string, from: number, limit: number) {
    return stepsOf<Record>(db, id, from, limit);
  }

  function strip(id: string, decided: number, range: StripRange): Promise<TaskStrip> {
    return readStrip(db, id, decided, range);
  }

  /** The newest snapshot of the progress. */
  async function snapshot<Progress = StepsProgress | PlanCharges>(id: string): Promise<Progress> {
    const [row] = await db.query<{ progress: Progress }>(
      `SELECT coalesce((SELECT progress FROM council.task_steps WHERE task_id = $1 AND progress IS NOT NULL
         ORDER BY step DESC LIMIT 1), (SELECT progress FROM council.tasks WHERE id = $1)) AS progress`,
      [id],
    );
    return row!.progress;
  }
}

export async function findTask(on: Queryable, id: string): Promise<TaskRow> {
  const [row] = await on.query<TaskRow>(`${SELECT_TASK} WHERE t.id = $1`, [id]);
  if (!row) throw taskNotFound(id);
  return row;
}

/** Recorded steps from one on, in order. */
export async function stepsOf<Record>(
  on: Queryable,
  id: string,
  from: number,
  limit: number,
): Promise<StoredStep<Record>[]> {
  return on.query(
    "SELECT step, record FROM council.task_steps WHERE task_id = $1 AND step >= $2 ORDER BY step LIMIT $3",
    [id, from, limit],
  );
}
