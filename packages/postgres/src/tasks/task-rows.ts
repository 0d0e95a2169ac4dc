import type {
  IdempotencyKey,
  PlanResults,
  StepsProgress,
  TaskFault,
  TaskFilter,
  TaskSpec,
  TaskStatus,
} from "@mci-ts/council";
import type { Queryable } from "../database/database.ts";
import type { PlanProgress } from "./plan-progress.ts";
import { TaskError, taskNotFound } from "./task-error.ts";

export type Progress = StepsProgress | PlanProgress;

export interface TaskRow {
  readonly id: string;
  readonly kind: TaskSpec["kind"];
  readonly name: string | null;
  readonly spec: TaskSpec;
  readonly status: TaskStatus;
  /** Counts how often it was started or resumed; each is a workflow of its own. */
  readonly segment: number;
  /** What a person wants of the running task. */
  readonly control: "pause" | "cancel" | null;
  readonly step: number;
  readonly progress: Progress;
  /** Answers of people to undecided steps of a plan that runs, by step. */
  readonly answers: PlanResults | null;
  /** An answer of a person, for the next segment. */
  readonly given: { readonly step: number; readonly answer: unknown } | null;
  readonly rate: number;
  readonly result: unknown;
  readonly error: TaskFault | null;
  readonly forked_from: string | null;
  readonly fork_step: number | null;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly updated_at: Date;
  readonly ended_at: Date | null;
}

export interface NewTask extends Pick<TaskRow, "id" | "spec" | "progress"> {
  readonly forkedFrom?: { readonly id: string; readonly step: number };
  readonly once?: IdempotencyKey;
}

/** False: another task has its idempotency key. */
export async function insertTask(db: Queryable, task: NewTask): Promise<boolean> {
  const { id, spec, progress, forkedFrom, once } = task;
  const inserted = await db.query(
    `INSERT INTO council.tasks (id, kind, name, spec, status, step, progress, forked_from, fork_step, idempotency_key, fingerprint)
     VALUES ($1, $2, $3, $4, 'queued', $5, $6, $7, $8, $9, $10)
     ON CONFLICT (idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING RETURNING id`,
    [
      id,
      spec.kind,
      spec.name ?? null,
      JSON.stringify(spec),
      progress.step,
      JSON.stringify(progress),
      forkedFrom?.id ?? null,
      forkedFrom?.step ?? null,
      once?.key ?? null,
      once?.fingerprint ?? null,
    ],
  );
  return inserted.length > 0;
}

/** The task that an earlier request with the key created; throws where that was another request. */
export async function findByKey(db: Queryable, { key, fingerprint }: IdempotencyKey): Promise<TaskRow> {
  const [row] = await db.query<TaskRow & { readonly fingerprint: string }>(
    "SELECT * FROM council.tasks WHERE idempotency_key = $1",
    [key],
  );
  if (row?.fingerprint === fingerprint) return row;
  throw new TaskError(
    "idempotency_mismatch",
    "This Idempotency-Key was used with another task; use a new key",
  );
}

export async function findTask(db: Queryable, id: string, lock = false): Promise<TaskRow> {
  const [row] = await db.query<TaskRow>(
    `SELECT * FROM council.tasks WHERE id = $1${lock ? " FOR UPDATE" : ""}`,
    [id],
  );
  if (!row) throw taskNotFound(id);
  return row;
}

/** Newest first. */
export async function listTasks(db: Queryable, { limit, status, after }: TaskFilter): Promise<TaskRow[]> {
  if (after !== undefined && (await isUnknown(db, after)))
    throw new TaskError(
      "invalid_request",
      "query.cursor must be a next_cursor returned by this service",
      "query.cursor",
    );
  return db.query<TaskRow>(
    `SELECT * FROM council.tasks
     WHERE ($1::text IS NULL OR status = $1)
       AND ($2::text IS NULL OR (created_at, id) < (SELECT created_at, id FROM council.tasks WHERE id = $2))
     ORDER BY created_at DESC, id DESC LIMIT $3`,
    [status ?? null, after ?? null, limit],
  );
}

async function isUnknown(db: Queryable, id: string): Promise<boolean> {
  return (await db.query("SELECT 1 FROM council.tasks WHERE id = $1", [id])).length === 0;
}

/** The segment runs now. null: it is not the task's present one any more, or the task is over. */
export async function beginSegment(
  db: Queryable,
  id: string,
  segment: number,
): Promise<Pick<TaskRow, "control"> | null> {
  const [row] = await db.query<Pick<TaskRow, "control">>(
    `UPDATE council.tasks
     SET status = 'running', started_at = coalesce(started_at, clock_timestamp()), updated_at = clock_timestamp()
     WHERE id = $1 AND segment = $2 AND status IN ('queued', 'running')
     RETURNING control`,
    [id, segment],
  );
  return row ?? null;
}

export interface SegmentEnd {
  readonly status: "paused" | "complete" | "failed";
  readonly progress: Progress;
  readonly result?: unknown;
  readonly error?: TaskFault;
}

/**
 * Repeating it changes nothing; a task that was cancelled meanwhile stays so. False: people have given more answers than the
 * `answered` ones that the plan knows, and it goes on.
 */
export async function endSegment(
  db: Queryable,
  id: string,
  segment: number,
  end: SegmentEnd,
  answered = 0,
): Promise<boolean> {
  const { status, progress, result, error } = end;
  const ended = await db.query(
    `UPDATE council.tasks
     SET status = $3, step = $4, progress = $5, result = $6, error = $7, control = NULL, given = NULL, answers = NULL, rate = 0,
         updated_at = clock_timestamp(), ended_at = CASE WHEN $3 = 'paused' THEN NULL ELSE clock_timestamp() END
     WHERE id = $1 AND segment = $2 AND status IN ('queued', 'running')
       AND (SELECT count(*) FROM json_object_keys(coalesce(answers, '{}'))) <= $8
     RETURNING id`,
    [
      id,
      segment,
      status,
      progress.step,
      JSON.stringify(progress),
      result === undefined ? null : JSON.stringify(result),
      error === undefined ? null : JSON.stringify(error),
      answered,
    ],
  );
  if (ended.length > 0) return true;
  const waiting = await db.query(
    "SELECT 1 FROM council.tasks WHERE id = $1 AND segment = $2 AND status IN ('queued', 'running')",
    [id, segment],
  );
  return waiting.length === 0;
}

/** What people have answered while the segment runs. */
export async function readAnswers(db: Queryable, id: string, segment: number): Promise<PlanResults | null> {
  const [row] = await db.query<Pick<TaskRow, "answers">>(
    "SELECT answers FROM council.tasks WHERE id = $1 AND segment = $2",
    [id, segment],
  );
  return row?.answers ?? null;
}

/** What people want of the task. */
export async function readControl(db: Queryable, id: string): Promise<TaskRow["control"]> {
  const [row] = await db.query<Pick<TaskRow, "control">>("SELECT control FROM council.tasks WHERE id = $1", [
    id,
  ]);
  return row?.control ?? null;
}

export interface LiveProgress {
  readonly id: string;
  readonly segment: number;
  readonly step: number;
  readonly progress: Progress;
  readonly rate: number;
}

/** What runs here, as others may see it. */
export async function saveProgress(db: Queryable, all: readonly LiveProgress[]): Promise<void> {
  await db.query(
    `UPDATE council.tasks t
     SET step = p.step, progress = p.progress, rate = p.rate, updated_at = clock_timestamp()
     FROM json_to_recordset($1::json) AS p(id text, segment integer, step integer, progress json, rate double precision)
     WHERE t.id = p.id AND t.segment = p.segment AND t.step <= p.step AND t.status = 'running'`,
    [JSON.stringify(all)],
  );
}

/** What people want of tasks, also of those that they have cancelled. */
export async function readControls(
  db: Queryable,
  ids: readonly string[],
): Promise<Pick<TaskRow, "id" | "segment" | "control">[]> {
  return db.query(
    "SELECT id, segment, control FROM council.tasks WHERE id = ANY($1) AND control IS NOT NULL",
    [ids],
  );
}

export async function countByStatus(db: Queryable): Promise<Partial<Record<TaskStatus, number>>> {
  const rows = await db.query<{ status: TaskStatus; count: number }>(
    "SELECT status, count(*) AS count FROM council.tasks GROUP BY status",
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}
