import type { Database, Queryable } from "../../database/database.ts";
import { IS_CANCELLED } from "./task-query.ts";
import { type Claim, queueOf, TASK_WORKFLOW, WAITING_QUEUE, WHILE_ENGINE_WORKS } from "./task-records.ts";

/** An instance that runs tasks, with its limit and how many it has. */
export interface PlacedInstance {
  readonly id: string;
  readonly version: number;
  readonly limit: number;
  readonly load: number;
}

export interface WaitingTask {
  readonly id: string;
  readonly version: number;
  /** It has left its instance, which is gone. */
  readonly orphaned: boolean;
  /** Paused or cancelled, but its instance went away before the engine knew. */
  readonly atRest: boolean;
}

export interface PlacementLook {
  readonly needsPlacement: boolean;
  /** Something is in the queue of this instance. */
  readonly hasQueued: boolean;
  readonly owned: readonly Claim[];
}

/** The instance a task runs on, or whose queue it is in; of one that waits for an instance it is none that lives. */
const HOME = `CASE w.status WHEN 'PENDING' THEN w.executor_id ELSE substr(w.queue_name, ${queueOf("").length + 1}) END`;
const IN_FLIGHT = `dbos.workflow_status w WHERE w.status IN ('ENQUEUED', 'PENDING') AND w.name = '${TASK_WORKFLOW}'`;
/** `$1`: an instance that counts as alive without a lease, as in a process that is alone. */
const LIVING = `SELECT substr(q.name, ${queueOf("").length + 1}) AS id, q.worker_concurrency AS "limit", i.workflow_version AS version
  FROM dbos.queues q LEFT JOIN council.instances i ON q.name = '${queueOf("")}' || i.id
  WHERE i.id IS NOT NULL OR q.name = '${queueOf("")}' || $1`;
const IS_MOVED = "t.ended_at IS NULL AND t.control = 'moved'";

/** The part of the task store that says which instance has which task. */
export const placementStatements = {
  look,
  exclusively,
  livingInstances,
  waitingTasks,
  requestMoves,
  deadQueues,
};

/**
 * What the engine says this instance runs, whether something is in its queue, and whether any task has no instance, or one instance has two
 * more than another. Every instance asks this all day, and most of the time there is nothing to do: it is one statement.
 */
async function look(db: Database, self: string): Promise<PlacementLook> {
  const [row] = await db.execute<PlacementLook>(LOOK, [self]);
  return row!;
}

const LOOK = {
  name: "look-after-tasks",
  text: `WITH living AS (${LIVING}), homes AS (SELECT ${HOME} AS id, count(*) AS load FROM ${IN_FLIGHT} GROUP BY 1)
   SELECT EXISTS (SELECT FROM homes WHERE id NOT IN (SELECT id FROM living))
     OR EXISTS (SELECT FROM council.tasks t WHERE ${IS_MOVED})
     OR (SELECT max(coalesce(load, 0)) - min(coalesce(load, 0)) > 1 FROM living LEFT JOIN homes USING (id)) AS "needsPlacement",
     EXISTS (SELECT FROM dbos.workflow_status WHERE status = 'ENQUEUED' AND queue_name = '${queueOf("")}' || $1) AS "hasQueued",
     (SELECT coalesce(json_agg(json_build_object('id', workflow_uuid, 'token', owner_xid)), '[]') FROM dbos.workflow_status
       WHERE status = 'PENDING' AND executor_id = $1 AND name = '${TASK_WORKFLOW}') AS owned`,
};

async function livingInstances(on: Queryable, self: string, version: number): Promise<PlacedInstance[]> {
  return on.query(
    `WITH living AS (${LIVING})
     SELECT id, coalesce(version, $2) AS version, coalesce("limit", 1) AS limit,
       (SELECT count(*) FROM ${IN_FLIGHT} AND ${HOME} = living.id) AS load FROM living`,
    [self, version],
  );
}

/** Tasks that wait for an instance, in the order in which they came. */
async function waitingTasks(on: Queryable, self: string): Promise<WaitingTask[]> {
  return on.query(
    `WITH living AS (${LIVING})
     SELECT t.id, t.workflow_version AS version, w.status = 'PENDING' OR w.queue_name LIKE '${queueOf("%")}' AS orphaned,
       (w.status = 'PENDING' AND t.runner IS NULL AND t.error IS NOT NULL AND t.ended_at IS NULL) OR ${IS_CANCELLED} AS "atRest"
     FROM dbos.workflow_status w JOIN council.tasks t ON t.id = w.workflow_uuid
     WHERE (w.status IN ('ENQUEUED', 'PENDING') AND w.name = '${TASK_WORKFLOW}' AND ${HOME} NOT IN (SELECT id FROM living)
         AND NOT (${IS_CANCELLED} AND w.status = 'ENQUEUED' AND w.queue_name NOT LIKE '${WAITING_QUEUE}%'))
        OR (w.status = 'CANCELLED' AND ${IS_MOVED})
     ORDER BY w.priority, w.created_at LIMIT ${BATCH}`,
    [self],
  );
}

const BATCH = 1000;

/** Asks so many tasks of an instance to leave it after the step they are at. */
async function requestMoves(on: Queryable, instance: string, count: number): Promise<void> {
  await on.query(
    `WITH running AS (SELECT t.id, t.control FROM council.tasks t JOIN dbos.workflow_status w ON w.workflow_uuid = t.id
       WHERE w.status = 'PENDING' AND w.executor_id = $1 AND t.kind = 'steps' AND t.ended_at IS NULL)
     UPDATE council.tasks SET control = 'move' WHERE control IS NULL AND id IN (SELECT id FROM running WHERE control IS NULL
       LIMIT greatest(0, $2 - (SELECT count(*) FROM running WHERE control = 'move')))`,
    [instance, count],
  );
}

/** Queues of instances that are gone. */
async function deadQueues(on: Queryable, self: string): Promise<string[]> {
  const rows = await on.query<{ name: string }>(
    `SELECT name FROM dbos.queues WHERE name LIKE '${queueOf("%")}'
       AND name NOT IN (SELECT '${queueOf("")}' || id FROM (${LIVING}) living)`,
    [self],
  );
  return rows.map(({ name }) => name);
}

/** Does the work in one transaction, unless another instance is at it. */
async function exclusively(db: Database, work: (on: Queryable) => Promise<void>): Promise<void> {
  await db.transaction(async (on) => {
    const [lock] = await on.query<{ locked: boolean }>("SELECT pg_try_advisory_xact_lock($1) AS locked", [
      PLACEMENT_LOCK,
    ]);
    if (lock!.locked) await work(on);
  }, WHILE_ENGINE_WORKS);
}

/** Any number, the same in every version of the program. */
export const PLACEMENT_LOCK = 7_303_018;
