import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TaskInstance, TaskServiceOptions } from "@mci-ts/council";
import { type Database, openDatabase } from "../database/database.ts";
import { type EmbeddedPostgres, startEmbedded } from "../database/embedded/embedded.ts";
import { waitForDatabase } from "../database/wait.ts";
import { connectionName, createInstanceId } from "../instances/instance.ts";
import { openTaskInstance } from "./task-instance.ts";

/** Tasks of a service, with the database they need: the shared one, or an embedded one in the data folder. */
export async function openTaskService(options: TaskServiceOptions): Promise<TaskInstance> {
  const { databaseUrl, dataDir, engine, metrics, maxTasks, log } = options;
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
      embedded = await startEmbedded(dataDir ?? temporary!, log);
    }
    const id = createInstanceId();
    db = openDatabase(databaseUrl ?? embedded!.url, { applicationName: connectionName(id), log });
    await waitForDatabase(db, { waitMs: options.databaseWaitMs ?? 0, log });
    const tasks = await openTaskInstance({ db, engine, metrics, executorId: id, maxTasks, log });
    return {
      ...tasks,
      async close(graceMs) {
        await tasks.close(graceMs);
        await closeDatabase();
      },
    };
  } catch (error) {
    await closeDatabase().catch(() => undefined);
    throw error;
  }
}

async function temporaryFolder(log: (message: string) => void): Promise<string> {
  log("tasks are kept in a temporary folder and lost when the service stops: set MCI_DATA_DIR to keep them");
  return mkdtemp(join(tmpdir(), "council-tasks-"));
}
