import { DBOS } from "@dbos-inc/dbos-sdk";
import type { TaskInstance, Tasks } from "@mci-ts/council";
import type { Queryable } from "../database/database.ts";
import { assertAlive } from "../instances/fencing.ts";
import { joinInstances } from "../instances/instance.ts";
import { resumeWorkflows } from "../instances/resume-workflows.ts";
import type { Timing } from "../instances/timing.ts";
import { RECOVERY_QUEUE } from "./dbos.ts";
import { openTasks, type TasksOptions } from "./tasks.ts";

export interface TaskInstanceOptions extends TasksOptions {
  /** Default: dead after five seconds of silence. */
  readonly timing?: Timing;
}

/** Tasks as one of several instances: it registers before it takes work, and takes over what dead ones left. */
export async function openTaskInstance(options: TaskInstanceOptions): Promise<TaskInstance> {
  const { db, executorId, log, timing } = options;
  const instance = await joinInstances(db, { id: executorId, log, ...(timing ? { timing } : {}) });
  let tasks: Tasks;
  try {
    tasks = await openTasks({
      ...options,
      assertAlive: (connection) => assertAlive(connection, executorId),
    });
  } catch (error) {
    await instance.close();
    throw error;
  }
  instance.onSweep(
    resumeWorkflows(DBOS, {
      queueName: RECOVERY_QUEUE,
      cancelled: (ids) => cancelledWorkflows(db, ids),
    }),
  );
  return {
    ...tasks,
    lost: instance.lost,
    async close(graceMs) {
      // First, so that nothing looks for work with a DBOS that is shut down.
      await instance.close();
      await tasks.close(graceMs);
    },
  };
}

/** The id of a workflow begins with that of its task. */
async function cancelledWorkflows(db: Queryable, workflowIds: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `SELECT w.id FROM unnest($1::text[]) AS w(id)
     JOIN council.tasks t ON t.id = split_part(w.id, '.', 1) WHERE t.status = 'cancelled'`,
    [workflowIds],
  );
  return rows.map(({ id }) => id);
}
