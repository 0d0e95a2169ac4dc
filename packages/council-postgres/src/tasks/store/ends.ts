import type { Database, Queryable } from "../../database/database.ts";
import { MAX_PLAN_STEPS } from "./changes.ts";
import { nextOutage, type Outages, type RetryOptions } from "./outage-retry.ts";
import { IS_CANCELLED, WITH_WORKFLOW } from "./task-query.ts";
import { stepsOf } from "./task-reads.ts";
import {
  type Claim,
  type PlanRecord,
  type StoredStep,
  type TaskEnd,
  type TaskRow,
  WHILE_ENGINE_WORKS,
} from "./task-records.ts";

/** How executions end, and what waits for the next one. */
export function endStatements(db: Database) {
  return { end, dueRetries, unlessCancelled, whileWaiting, isCancelled };

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
      if (
        solved !== undefined &&
        countSolved(await stepsOf<PlanRecord>(on, id, 1, MAX_PLAN_STEPS)) !== solved
      )
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
    await db.transaction((on) => withLocked(on, ids, `NOT ${IS_CANCELLED}`, work), WHILE_ENGINE_WORKS);
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
}

async function countSteps(on: Queryable, id: string): Promise<number> {
  const [row] = await on.query<{ count: number }>(
    "SELECT count(*) AS count FROM council.task_steps WHERE task_id = $1",
    [id],
  );
  return row!.count;
}

const countSolved = (records: readonly StoredStep<PlanRecord>[]): number =>
  records.filter(({ record }) => "kind" in record && record.kind === "solved").length;

async function saveSnapshot(on: Queryable, id: string, step: number, progress: object): Promise<void> {
  await on.query("UPDATE council.task_steps SET progress = $3 WHERE task_id = $1 AND step = $2", [
    id,
    step,
    JSON.stringify(progress),
  ]);
}
