import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Log, TaskInstance, TaskServiceOptions } from "@mci-ts/council";
import { type Database, openDatabase } from "../database/database.ts";
import { type EmbeddedPostgres, startEmbedded } from "../database/embedded/embedded.ts";
import { waitForDatabase } from "../database/wait.ts";
import { connectionName, createInstanceId, joinInstances } from "../instances/instance.ts";
import type { Timing } from "../instances/timing.ts";
import { type OpenTasks, openTasks, type TasksOptions, WORKFLOW_VERSION } from "./open-tasks.ts";
import { DEFAULT_RETRY } from "./store/outage-retry.ts";

/** Tasks of a service, with the database they need: the shared one, or an embedded one in the data folder. */
export async function openTaskService(options: TaskServiceOptions): Promise<TaskInstance> {
  const { databaseUrl, dataDir, engine, metrics, maxTasks, taskRetries, log } = options;
  let temporary: string | undefined;
  let embedded: EmbeddedPostgres | undefined;
  let db: Database | undefined;
  const closeDatabase = async () => {
    await db?.close();
    await embedded?.stop();
    if (temporary) await rm(temporary, { recursive: true, force: true });
  };
  try {
    if (databaseUrl === undefined) {
      if (dataDir === undefined) temporary = await temporaryFolder(log);
      embedded = await startEmbedded(dataDir ?? temporary!, { log, user: options.postgresUser });
    }
    const id = createInstanceId(options.instance);
    db = openDatabase(databaseUrl ?? embedded!.url, { applicationName: connectionName(id), log });
    await waitForDatabase(db, { waitMs: options.databaseWaitMs ?? 0, log });
    const tasks = await openTaskInstance({
      ...{ db, engine, metrics, executorId: id, maxTasks, log },
      ...{ retentionDays: options.taskRetentionDays, deliverWebhook: options.deliverWebhook },
      ...(taskRetries === undefined ? {} : { retry: { ...DEFAULT_RETRY, limit: taskRetries } }),
    });
    const close = async (graceMs?: number) => {
      await tasks.close(graceMs);
      await closeDatabase();
    };
    // A service that stops may find out meanwhile that others took it for dead.
    let closed: Promise<void> | undefined;
    return { ...tasks, close: (graceMs) => (closed ??= close(graceMs)) };
  } catch (error) {
    await closeDatabase().catch(() => undefined);
    throw error;
  }
}

async function temporaryFolder(log: Log): Promise<string> {
  log("tasks are kept in a temporary folder and lost when the service stops: set MCI_DATA_DIR to keep them");
  return mkdtemp(join(tmpdir(), "council-tasks-"));
}

export interface TaskInstanceOptions extends TasksOptions {
  /** Default: dead after five seconds of silence. */
  readonly timing?: Timing;
}

/** Tasks as one of several instances: it holds a lease from before it takes work until it has none. */
export async function openTaskInstance(options: TaskInstanceOptions): Promise<TaskInstance> {
  const { db, executorId, log, timing } = options;
  const workflowVersion = options.workflowVersion ?? WORKFLOW_VERSION;
  const lease = { id: executorId, workflowVersion, log, ...(timing ? { timing } : {}) };
  const instance = await joinInstances(db, lease);
  let tasks: OpenTasks;
  try {
    tasks = await openTasks({ ...options, workflowVersion });
  } catch (error) {
    await instance.close();
    throw error;
  }
  return {
    ...tasks,
    lost: instance.lost,
    stats: {
      get declaredDead() {
        return instance.declaredDead;
      },
      get poolWaiting() {
        return db.stats.waiting;
      },
    },
    async close(graceMs = 0) {
      // While it still counts as alive: votes that finish now are recorded, and not repeated elsewhere.
      await tasks.drain(graceMs);
      // Before the engine is shut down: what is left is taken over while it does.
      await instance.close();
      await tasks.close();
    },
  };
}
