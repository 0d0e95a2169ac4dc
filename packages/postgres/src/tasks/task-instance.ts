import { DBOS } from "@dbos-inc/dbos-sdk";
import type { TaskInstance } from "@mci-ts/council";
import type { Queryable } from "../database/database.ts";
import { assertAlive } from "../instances/fencing.ts";
import { joinInstances } from "../instances/instance.ts";
import { resumeWorkflows } from "../instances/resume-workflows.ts";
import type { Timing } from "../instances/timing.ts";
import { RECOVERY_QUEUE, WORKFLOW_VERSION } from "./dbos.ts";
import { type OpenTasks, openTasks, type TasksOptions } from "./tasks.ts";

export interface TaskInstanceOptions extends TasksOptions {
  /** Default: dead after five seconds of silence. */
  readonly timing?: Timing;
}

/** Tasks as one of several instances: it registers before it takes work, and takes over what dead ones left. */
export async function openTaskInstance(options: TaskInstanceOptions): Promise<TaskInstance> {
  const { db, executorId, log, timing } = options;
  const workflowVersion = options.workflowVersion ?? WORKFLOW_VERSION;
  const instance = await joinInstances(db, {
    id: executorId,
    workflowVersion,
    log,
    ...(timing ? { timing } : {}),
  });
  let tasks: OpenTasks;
  try {
    tasks = await openTasks({
      ...options,
      workflowVersion,
      livingVersions,
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
    async close(graceMs = 0) {
      // While it still counts as alive: votes that finish now are recorded, and not repeated elsewhere.
      await tasks.drain(graceMs);
      // Before DBOS is shut down: nothing may look for work with it then.
      await instance.close();
      await tasks.close();
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

async function livingVersions(db: Queryable): Promise<Set<number>> {
  const rows = await db.query<{ version: number }>(
    "SELECT DISTINCT workflow_version AS version FROM council.instances WHERE workflow_version IS NOT NULL",
  );
  return new Set(rows.map(({ version }) => version));
}
