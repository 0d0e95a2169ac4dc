import { randomBytes } from "node:crypto";
import {
  addUsage,
  type IdempotencyKey,
  NO_USAGE,
  type StepRecord,
  type StepsProgress,
  type StripRange,
  type TaskCounts,
  type TaskFault,
  type TaskFilter,
  type TaskQuery,
  type TaskSpec,
  type TaskStatus,
  type TaskStrip,
} from "@mci-ts/council";
import type { Database, Queryable } from "../../database/database.ts";
import { TaskError, taskNotFound } from "../task-error.ts";
import { nextOutage, type Outages, type RetryOptions } from "./outage-retry.ts";
import { placementStatements } from "./placement-query.ts";
import { hasSchedules, scheduleStatements } from "./schedule-query.ts";
import { findsNothing, searchTasks } from "./search-query.ts";
import { readStrip } from "./strip-query.ts";
import { adoptLegacyTask, copyLegacySteps } from "./task-legacy.ts";
import {
  COUNT_TASKS,
  COUNT_WEBHOOKS,
  IS_CANCELLED,
  MARK_TASKS,
  SELECT_TASK,
  STATUS,
  WITH_WORKFLOW,
} from "./task-query.ts";
import {
  type Claim,
  type PlanCharges,
  type PlanRecord,
  type StoredStep,
  TASK_WORKFLOW,
  type TaskEnd,
  type TaskRow,
  WAITING_QUEUE,
} from "./task-records.ts";

export interface Begun extends Claim {
  readonly control: TaskRow["control"];
  /** The execution before this one never ended: a step of it may have been open. */
  readonly interrupted: boolean;
  /** Its instance did not stop in order either. */
  readonly crashed: boolean;
  readonly versionBefore: number;
  /** Calls of executions that ended without a word, and that no record counts. */
  readonly lostCalls: number;
}

export interface RecordOptions {
  /** The step before must be recorded, as in a task of steps. Default true. */
  readonly inOrder?: boolean;
  readonly progress?: StepsProgress;
  /** The record counts the calls of executions that ended without a word. Default false. */
  readonly countsLost?: boolean;
}

interface CountedTasks {
  readonly status: TaskStatus;
  readonly count: number;
  readonly stalled: number;
  readonly idleSeconds: number;
  readonly queuedSeconds: number;
}

export interface ClaimedWebhook {
  readonly id: string;
  readonly url: string;
  readonly attempts: number;
  /** Until when it belongs to the instance that claimed it. */
  readonly lease: string;
}

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

export type TaskStore = ReturnType<typeof createTaskStore>;
/** What may be changed while the row is locked. */
export type TaskChange = Parameters<Parameters<TaskStore["change"]>[1]>[1];

/** The statements on the tables of tasks: here and in the files that only this one imports. */
export function createTaskStore(db: Database) {
  return {
    ...{ insert, find, findByKey, list, ids, count, counts, steps, strip, marks, snapshot, change },
    ...{ begin, record, end, owns, release, dueRetries },
    ...{ reserveCalls, chargeLost, countCrash, forgetCrash, unlessCancelled, whileWaiting, isCancelled },
    ...{ expired, claimWebhooks, settleWebhook },
    ...{ adopt, copyLegacy },
    placement: placementStatements,
    schedules: scheduleStatements,
  };

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

  async function find(id: string, on: Queryable = db): Promise<TaskRow> {
    const [row] = await on.query<TaskRow>(`${SELECT_TASK} WHERE t.id = $1`, [id]);
    if (!row) throw taskNotFound(id);
    return row;
  }

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

  /** Recorded steps from one on, in order. */
  async function steps<Record = StepRecord>(
    id: string,
    from: number,
    limit: number,
    on: Queryable = db,
  ): Promise<StoredStep<Record>[]> {
    return on.query(
      "SELECT step, record FROM council.task_steps WHERE task_id = $1 AND step >= $2 ORDER BY step LIMIT $3",
      [id, from, limit],
    );
  }

  function strip(id: string, decided: number, range: StripRange): Promise<TaskStrip> {
    return readStrip(db, id, decided, range);
  }

  /**
   * An execution begins. undefined: the engine has taken the task from this instance, it is over, or a newer version has run it.
   * A cancelled task begins again where an operator has resumed its workflow, which is then not in a queue of ours.
   */
  async function begin(id: string, instance: string, version: number): Promise<Begun | undefined> {
    const [row] = await db.query<Omit<Begun, "id">>(
      `WITH own AS (SELECT owner_xid, queue_name FROM dbos.workflow_status
         WHERE workflow_uuid = $1 AND status = 'PENDING' AND executor_id = $2 FOR SHARE),
       before AS (SELECT runner, workflow_version FROM council.tasks WHERE id = $1)
       UPDATE council.tasks t SET runner = $2, running_since = clock_timestamp(), workflow_version = $3,
         started_at = coalesce(started_at, clock_timestamp()), ended_at = NULL, retry_at = NULL,
         webhook_at = CASE WHEN webhook IS NOT NULL THEN clock_timestamp() END, webhook_attempts = 0,
         lost_calls = t.lost_calls + CASE WHEN before.runner IS NULL THEN 0 ELSE t.open_calls END, open_calls = 0,
         error = CASE WHEN control = 'pause' THEN error END, control = CASE WHEN control = 'pause' THEN control END
       FROM own, before
       WHERE t.id = $1 AND t.workflow_version <= $3 AND (t.ended_at IS NULL
         OR (${IS_CANCELLED} AND own.queue_name NOT LIKE '${WAITING_QUEUE}%'))
       RETURNING own.owner_xid AS token, t.control, before.runner IS NOT NULL AS interrupted,
         coalesce(before.runner, '') <> '' AS crashed,
         before.workflow_version AS "versionBefore", t.lost_calls AS "lostCalls"`,
      [id, instance, version],
    );
    return row && { id, ...row };
  }

  /**
   * Records a decided step, in one statement: only for the owner, only once, and of `steps` only after its predecessor, so that an
   * instance whose last steps a failover has lost cannot go on from its memory. undefined: it was refused.
   */
  async function record(
    { id, token }: Claim,
    step: number,
    outcome: StepRecord | PlanRecord,
    { inOrder = true, progress, countsLost = false }: RecordOptions = {},
  ): Promise<Pick<TaskRow, "control"> | undefined> {
    const [row] = await db.execute<Pick<TaskRow, "control">>(
      countsLost ? RECORD_STEP_AND_LOST_CALLS : RECORD_STEP,
      [
        ...[id, token, step, JSON.stringify(outcome)],
        ...[progress === undefined ? null : JSON.stringify(progress), !inOrder || step === 1],
      ],
    );
    return row;
  }

  /** Calls that may be open from now on; if this execution ends without a word, the next one counts them. False: it lost the task. */
  async function reserveCalls({ id, token }: Claim, calls: number): Promise<boolean> {
    const rows = await db.query(
      `WITH own AS (SELECT FROM dbos.workflow_status
         WHERE workflow_uuid = $1 AND status = 'PENDING' AND owner_xid = $2 FOR SHARE)
       UPDATE council.tasks SET open_calls = $3 FROM own WHERE id = $1 RETURNING id`,
      [id, token, calls],
    );
    return rows.length > 0;
  }

  /** What executions of a plan that ended without a word have spent is spent. Repeating it changes nothing. */
  async function chargeLost({ id, token }: Claim): Promise<void> {
    await db.transaction(async (on) => {
      const [row] = await on.query<{ progress: PlanCharges; lost: number }>(
        `SELECT t.progress, t.lost_calls AS lost FROM council.tasks t JOIN dbos.workflow_status w ON w.workflow_uuid = t.id
         WHERE t.id = $1 AND w.status = 'PENDING' AND w.owner_xid = $2 FOR UPDATE OF t`,
        [id, token],
      );
      if (!row || row.lost === 0) return;
      const charged = addUsage(row.progress.charged, { ...NO_USAGE, calls: row.lost });
      await on.query("UPDATE council.tasks SET progress = $2, lost_calls = 0 WHERE id = $1", [
        id,
        JSON.stringify({ charged }),
      ]);
    });
  }

  /** The process is still there. */
  async function forgetCrash(id: string): Promise<void> {
    await db.query(
      "UPDATE council.task_crashes SET crashes = crashes - 1 WHERE workflow_id = $1 AND crashes > 0",
      [id],
    );
  }

  async function isCancelled(id: string): Promise<boolean> {
    return (
      (await db.query(`SELECT FROM council.tasks t WHERE t.id = $1 AND ${IS_CANCELLED}`, [id])).length > 0
    );
  }

  /** Does something with those of the tasks that are not cancelled; none can be meanwhile. */
  async function unlessCancelled(
    ids: readonly string[],
    work: (rest: string[]) => Promise<unknown>,
  ): Promise<void> {
    await db.transaction((on) => withLocked(on, ids, `NOT ${IS_CANCELLED}`, work));
  }

  /** As `unlessCancelled`, with those that have not been paused either since they were listed as waiting for an instance. */
  async function whileWaiting(
    on: Queryable,
    ids: readonly string[],
    work: (rest: string[]) => Promise<unknown>,
  ): Promise<void> {
    await withLocked(
      on,
      ids,
      `NOT ${IS_CANCELLED} AND (w.status <> 'CANCELLED' OR t.control = 'moved')`,
      work,
    );
  }

  async function withLocked(
    on: Queryable,
    ids: readonly string[],
    condition: string,
    work: (rest: string[]) => Promise<unknown>,
  ): Promise<void> {
    // The status of the workflow is read once the row is locked: in one statement it would be that of the beginning of the wait.
    await on.query("SELECT FROM council.tasks WHERE id = ANY($1) ORDER BY id FOR UPDATE", [ids]);
    const rows = await on.query<{ id: string }>(
      `SELECT t.id ${WITH_WORKFLOW} WHERE t.id = ANY($1) AND ${condition} ORDER BY t.id`,
      [ids],
    );
    if (rows.length > 0) await work(rows.map(({ id }) => id));
  }

  /** How often its process has ended since the last recorded step. */
  async function countCrash(id: string): Promise<number> {
    const [row] = await db.query<{ crashes: number }>(
      `INSERT INTO council.task_crashes AS known (workflow_id, task_id, recorded, crashes)
       SELECT $1, $1, count(*), 1 FROM council.task_steps WHERE task_id = $1
       ON CONFLICT (workflow_id) DO UPDATE SET recorded = excluded.recorded,
         crashes = CASE WHEN known.recorded = excluded.recorded THEN known.crashes + 1 ELSE 1 END
       RETURNING crashes`,
      [id],
    );
    return row!.crashes;
  }

  /** An instance that stops in order leaves its tasks to others: it has not crashed. */
  async function release(instance: string): Promise<void> {
    await db.query("UPDATE council.tasks SET runner = '' WHERE runner = $1 AND ended_at IS NULL", [instance]);
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

  async function owns({ id, token }: Claim): Promise<boolean> {
    const rows = await db.query(
      "SELECT FROM dbos.workflow_status WHERE workflow_uuid = $1 AND status = 'PENDING' AND owner_xid = $2",
      [id, token],
    );
    return rows.length > 0;
  }

  /** Repeating it changes nothing. False: it is not this execution's to end, or a person has answered a step or asked for a pause meanwhile. */
  async function end({ id, token }: Claim, ended: TaskEnd, retry?: RetryOptions): Promise<boolean> {
    const { status, progress, step, result, solved } = ended;
    return db.transaction(async (on) => {
      const [own] = await on.query<Outages & Pick<TaskRow, "control">>(
        `SELECT t.control, t.outages, t.outage_step AS "atStep" FROM dbos.workflow_status w JOIN council.tasks t ON t.id = w.workflow_uuid
         WHERE t.id = $1 AND w.status = 'PENDING' AND w.owner_xid = $2 FOR SHARE OF w FOR UPDATE OF t`,
        [id, token],
      );
      if (!own) return false;
      // A person has asked for a pause since: it pauses here, after the next step.
      if (status === "moved" && own.control === "pause") return false;
      if (solved !== undefined && countSolved(await steps<PlanRecord>(id, 1, MAX_PLAN_STEPS, on)) !== solved)
        return false;
      if (step > 0) await saveSnapshot(on, id, step, progress);
      // What a person has paused waits for a person.
      const isOutage = status === "paused" && ended.error?.code === "transport" && own.control !== "pause";
      const outage = isOutage ? nextOutage(own, await countSteps(on, id), retry) : undefined;
      const error = outage?.exhausted
        ? { ...ended.error!, message: `${ended.error!.message} ${outage.exhausted}` }
        : ended.error;
      await on.query(
        `UPDATE council.tasks SET progress = CASE WHEN $2 THEN $3::json ELSE progress END, result = $4, error = $5, runner = NULL,
           control = CASE WHEN $6 = 'moved' THEN 'moved' END,
           ended_at = CASE WHEN $6 IN ('complete', 'failed') THEN clock_timestamp() END,
           lost_calls = CASE WHEN $10 THEN 0 ELSE lost_calls END, outages = $7, outage_step = $8, retry_at = clock_timestamp() + $9 * interval '1 ms'
         WHERE id = $1`,
        [
          ...[id, step === 0, JSON.stringify(progress)],
          ...[
            result === undefined ? null : JSON.stringify(result),
            error === undefined ? null : JSON.stringify(error),
          ],
          status,
          ...[outage?.outages ?? 0, outage?.atStep ?? null, outage?.delayMs ?? null],
          ended.countsLost ?? false,
        ],
      );
      return true;
    });
  }

  /** Paused tasks whose time to resume has come. `retry_at` stays until they begin, so that none is forgotten on the way. */
  async function dueRetries(limit: number): Promise<string[]> {
    const rows = await db.query<{ id: string }>(
      `SELECT t.id FROM council.tasks t JOIN dbos.workflow_status w ON w.workflow_uuid = t.id
       WHERE t.retry_at <= clock_timestamp() AND t.ended_at IS NULL AND t.control IS NULL AND w.status = 'CANCELLED'
       ORDER BY t.retry_at LIMIT $1`,
      [limit],
    );
    return rows.map(({ id }) => id);
  }

  /** Tasks that ended so many days ago, by the clock of the database. What a receiver is still to be told of stays. */
  async function expired(days: number, limit: number): Promise<string[]> {
    const rows = await db.query<{ id: string }>(
      `SELECT t.id ${WITH_WORKFLOW} WHERE t.status IS NULL AND t.webhook_at IS NULL AND w.status IS DISTINCT FROM 'PENDING'
         AND (t.ended_at < clock_timestamp() - $1 * interval '1 day' OR (t.ended_at IS NULL AND t.error IS NULL AND t.control IS NULL
           AND w.status = 'CANCELLED' AND w.completed_at < extract(epoch FROM clock_timestamp() - $1 * interval '1 day') * 1000))
       LIMIT $2`,
      [days, limit],
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Webhooks of tasks that are over, however they ended. Another instance gets one that is not settled within `leaseMs`. Receiving
   * hosts take turns: one that does not answer, with any number of tasks, does not keep others from theirs.
   */
  async function claimWebhooks(limit: number, leaseMs: number): Promise<ClaimedWebhook[]> {
    return db.query(
      `WITH due AS (
         SELECT t.id, t.webhook_at, row_number() OVER (PARTITION BY substring(t.webhook FROM '://([^/?#]*)') ORDER BY t.webhook_at) AS turn
         ${WITH_WORKFLOW} WHERE t.webhook_at <= clock_timestamp() AND ${STATUS} IN ('complete', 'failed', 'cancelled'))
       UPDATE council.tasks SET webhook_at = clock_timestamp() + $2 * interval '1 ms' WHERE id IN (
         SELECT id FROM council.tasks
         WHERE id IN (SELECT id FROM due ORDER BY turn, webhook_at LIMIT $1) AND webhook_at <= clock_timestamp()
         FOR UPDATE SKIP LOCKED)
       RETURNING id, webhook AS url, webhook_attempts AS attempts, webhook_at::text AS lease`,
      [limit, leaseMs],
    );
  }

  /** Unless the task has begun again since: its next end is still to be delivered. */
  async function settleWebhook(
    { id, lease }: Pick<ClaimedWebhook, "id" | "lease">,
    retryMs: number | null,
  ): Promise<void> {
    await db.query(
      `UPDATE council.tasks SET webhook_at = clock_timestamp() + $2 * interval '1 ms', webhook_attempts = webhook_attempts + 1
       WHERE id = $1 AND webhook_at = $3::timestamptz`,
      [id, retryMs, lease],
    );
  }

  /** What people do with a task: the row is locked until the change is made. */
  async function change<T>(
    id: string,
    work: (row: TaskRow, change: ReturnType<typeof changeOf>) => Promise<T>,
    options?: Parameters<Database["transaction"]>[1],
  ): Promise<T> {
    return db.transaction(async (on) => {
      await on.query("SELECT FROM council.tasks WHERE id = $1 FOR UPDATE", [id]);
      return work(await find(id, on), changeOf(on, id));
    }, options);
  }

  /** What an instance of a version before 2 has decided so far can then be read like the steps of any other task. */
  async function copyLegacy(id: string): Promise<void> {
    await db.transaction((on) => copyLegacySteps(on, id));
  }

  async function adopt(id: string): Promise<{ readonly step: number; readonly lost: number }> {
    return db.transaction((on) => adoptLegacyTask(on, id, () => enqueue(on, id)));
  }

  function changeOf(on: Queryable, id: string) {
    return {
      steps: <Record>() => steps<Record>(id, 0, MAX_PLAN_STEPS, on),
      setControl: (control: TaskRow["control"]) =>
        on.query("UPDATE council.tasks SET control = $2 WHERE id = $1", [id, control]),
      /** A person has taken over: it does not resume by itself, and where it pauses again, the waits start again. */
      clearRetry: () => on.query("UPDATE council.tasks SET retry_at = NULL, outages = 0 WHERE id = $1", [id]),
      /** Unless it runs again. */
      clearControl: async ({ status }: TaskRow) =>
        status === "paused" && on.query("UPDATE council.tasks SET control = NULL WHERE id = $1", [id]),
      setError: (error: TaskFault) =>
        on.query("UPDATE council.tasks SET error = $2 WHERE id = $1", [id, JSON.stringify(error)]),
      /** The task goes on as if it had never ended. */
      reopen: async () => {
        await on.query("DELETE FROM council.task_crashes WHERE task_id = $1", [id]);
        await on.query(
          "UPDATE council.tasks SET ended_at = NULL, error = NULL, control = NULL WHERE id = $1",
          [id],
        );
      },
      /** Unless it has come to its end first. */
      setCancelled: () =>
        on.query(
          `UPDATE council.tasks SET ended_at = clock_timestamp(), error = NULL, control = NULL, runner = NULL
           WHERE id = $1 AND ended_at IS NULL`,
          [id],
        ),
      setProgress: (progress: PlanCharges) =>
        on.query("UPDATE council.tasks SET progress = $2 WHERE id = $1", [id, JSON.stringify(progress)]),
      putStep: (step: number, outcome: StepRecord | PlanRecord) =>
        on.query(
          `INSERT INTO council.task_steps (task_id, step, record) VALUES ($1, $2, $3)
           ON CONFLICT (task_id, step) DO UPDATE SET record = excluded.record, decided_at = excluded.decided_at`,
          [id, step, JSON.stringify(outcome)],
        ),
      deleteSteps: (numbers: readonly number[]) =>
        on.query("DELETE FROM council.task_steps WHERE task_id = $1 AND step = ANY($2)", [id, numbers]),
      /** What the engine says; undefined: it does not know the task. */
      workflowStatus: async () => {
        const [workflow] = await on.query<{ status: string }>(
          "SELECT status FROM dbos.workflow_status WHERE workflow_uuid = $1",
          [id],
        );
        return workflow?.status;
      },
      /** Where the engine does not know the task yet. */
      enqueue: () => enqueue(on, id),
      /** Its steps are deleted, too. */
      remove: async () => {
        await on.query("DELETE FROM council.task_steps WHERE task_id = $1", [id]);
        await on.query("DELETE FROM council.tasks WHERE id = $1", [id]);
      },
    };
  }
}

const MAX_PLAN_STEPS = 10_000;

const recordStep = (also: string) =>
  `WITH own AS (SELECT FROM dbos.workflow_status
     WHERE workflow_uuid = $1 AND status = 'PENDING' AND owner_xid = $2 FOR SHARE),
   recorded AS (INSERT INTO council.task_steps (task_id, step, record, progress) SELECT $1, $3::integer, $4::json, $5::json FROM own
     WHERE $6::boolean OR EXISTS (SELECT FROM council.task_steps WHERE task_id = $1 AND step = $3::integer - 1)
     ON CONFLICT DO NOTHING RETURNING task_id)${also}
   SELECT control FROM council.tasks JOIN recorded ON id = task_id`;
/** What a step costs the database: parsed and planned once for each connection. */
const RECORD_STEP = { name: "record-step", text: recordStep("") };
const RECORD_STEP_AND_LOST_CALLS = {
  name: "record-step-and-lost-calls",
  text: recordStep(", counted AS (UPDATE council.tasks SET lost_calls = 0 FROM recorded WHERE id = task_id)"),
};

async function countSteps(on: Queryable, id: string): Promise<number> {
  const [row] = await on.query<{ count: number }>(
    "SELECT count(*) AS count FROM council.task_steps WHERE task_id = $1",
    [id],
  );
  return row!.count;
}

/** Repeating it changes nothing. */
async function enqueue(on: Queryable, id: string): Promise<void> {
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

const countSolved = (records: readonly StoredStep<PlanRecord>[]): number =>
  records.filter(({ record }) => "kind" in record && record.kind === "solved").length;

async function saveSnapshot(on: Queryable, id: string, step: number, progress: object): Promise<void> {
  await on.query("UPDATE council.task_steps SET progress = $3 WHERE task_id = $1 AND step = $2", [
    id,
    step,
    JSON.stringify(progress),
  ]);
}

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
