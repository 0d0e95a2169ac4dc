import type { TaskSchedule, TaskStatus } from "@mci-ts/council";
import type { Queryable } from "../../database/database.ts";
import { STATUS, WITH_WORKFLOW } from "./task-query.ts";
import { SCHEDULE_WORKFLOW } from "./task-records.ts";

/** The part of the task store that says what schedules have started. */
export const scheduleStatements = { findObstacle, newestTasks, strandedStarts, oldStarts };

/** Whether an instance must watch the clock. The tables of the engine may not exist yet. */
export async function hasSchedules(on: Queryable): Promise<boolean> {
  const [engine] = await on.query<{ known: boolean }>(
    "SELECT to_regclass('dbos.workflow_schedules') IS NOT NULL AS known",
  );
  if (!engine!.known) return false;
  const found = await on.query(
    "SELECT FROM dbos.workflow_schedules WHERE workflow_name = $1 AND status = 'ACTIVE' LIMIT 1",
    [SCHEDULE_WORKFLOW],
  );
  return found.length > 0;
}

/** What keeps a schedule from starting the task with this id; undefined: nothing. Starts of one schedule take turns until the transaction ends. */
async function findObstacle(
  on: Queryable,
  name: string,
  id: string,
  overlap: TaskSchedule["overlap"],
): Promise<"started" | "inactive" | { readonly unfinished: string } | undefined> {
  const [schedule] = await on.query<{ status: string }>(
    "SELECT status FROM dbos.workflow_schedules WHERE schedule_name = $1 FOR UPDATE",
    [name],
  );
  if ((await on.query("SELECT FROM council.tasks WHERE id = $1", [id])).length > 0) return "started";
  if (schedule?.status !== "ACTIVE") return "inactive";
  if (overlap === "allow") return undefined;
  const [open] = await on.query<{ id: string }>(
    `SELECT t.id ${WITH_WORKFLOW} WHERE t.schedule = $1 AND t.ended_at IS NULL AND ${STATUS} IN ('queued', 'running', 'paused')
     ORDER BY t.created_at DESC LIMIT 1`,
    [name],
  );
  return open && { unfinished: open.id };
}

/** The newest task of each schedule. */
async function newestTasks(
  on: Queryable,
  names: readonly string[],
): Promise<{ readonly schedule: string; readonly id: string; readonly status: TaskStatus }[]> {
  return on.query(
    `SELECT DISTINCT ON (t.schedule) t.schedule, t.id, ${STATUS} AS status ${WITH_WORKFLOW}
     WHERE t.schedule = ANY($1) ORDER BY t.schedule, t.created_at DESC`,
    [names],
  );
}

/** Starts that an instance has begun and not ended, as one that is gone. To begin one again changes nothing that is done. */
async function strandedStarts(on: Queryable, afterMs: number): Promise<string[]> {
  return workflowIds(on, "status = 'PENDING'", afterMs);
}

/** Starts that are over. Their tasks are rows of their own. */
async function oldStarts(on: Queryable, afterMs: number): Promise<string[]> {
  return workflowIds(on, "status NOT IN ('ENQUEUED', 'PENDING', 'DELAYED')", afterMs);
}

async function workflowIds(on: Queryable, condition: string, afterMs: number): Promise<string[]> {
  const rows = await on.query<{ id: string }>(
    `SELECT workflow_uuid AS id FROM dbos.workflow_status WHERE schedule_name IS NOT NULL AND name = $1 AND ${condition}
       AND updated_at < extract(epoch FROM clock_timestamp()) * 1000 - $2 LIMIT 1000`,
    [SCHEDULE_WORKFLOW, afterMs],
  );
  return rows.map(({ id }) => id);
}
