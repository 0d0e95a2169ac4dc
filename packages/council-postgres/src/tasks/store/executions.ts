import { addUsage, NO_USAGE } from "@mci-ts/council";
import type { Database } from "../../database/database.ts";
import { IS_CANCELLED } from "./task-query.ts";
import { type Claim, type PlanCharges, type TaskRow, WAITING_QUEUE } from "./task-records.ts";

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

/** How an execution begins and what it holds, until it ends (`ends.ts`). */
export function executionStatements(db: Database) {
  return { begin, owns, release, reserveCalls, chargeLost, countCrash, forgetCrash };

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

  async function owns({ id, token }: Claim): Promise<boolean> {
    const rows = await db.query(
      "SELECT FROM dbos.workflow_status WHERE workflow_uuid = $1 AND status = 'PENDING' AND owner_xid = $2",
      [id, token],
    );
    return rows.length > 0;
  }

  /** An instance that stops in order leaves its tasks to others: it has not crashed. */
  async function release(instance: string): Promise<void> {
    await db.query("UPDATE council.tasks SET runner = '' WHERE runner = $1 AND ended_at IS NULL", [instance]);
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

  /** The process is still there. */
  async function forgetCrash(id: string): Promise<void> {
    await db.query(
      "UPDATE council.task_crashes SET crashes = crashes - 1 WHERE workflow_id = $1 AND crashes > 0",
      [id],
    );
  }
}
