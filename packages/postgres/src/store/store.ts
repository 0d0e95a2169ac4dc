import type { PostgresStoreOptions, StoreBackend } from "@mci-ts/council-server";
import { openDatabase } from "../database/database.ts";
import { migrate } from "../database/migrate.ts";
import { isTemporary } from "../database/temporary.ts";
import { waitForDatabase } from "../database/wait.ts";
import { connectionName, createInstanceId, joinInstances } from "../instances/instance.ts";
import { TASK_TABLES } from "../tasks/tables.ts";
import { addExpense } from "./daily-expenses.ts";
import { claimKey, releaseKey } from "./idempotency-keys.ts";
import { interruptOrphans } from "./interrupt-orphans.ts";
import { openMessages } from "./messages.ts";
import { agreements, findByKey, findCached, spentSince, unpricedSince } from "./queries.ts";
import { startRetention } from "./retention.ts";
import { getRun, listRuns, removeRun, runEvents, runState } from "./runs.ts";
import { HISTORY_TABLES } from "./tables.ts";
import { watchTasks } from "./task-watch.ts";
import { claimWebhooks } from "./webhooks.ts";
import { writeRecords } from "./write.ts";

/** The history on a PostgreSQL that instances share. This process becomes one of them. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<StoreBackend> {
  const { databaseUrl, databaseConnections, durability, retentionDays, retentionRuns, log } = options;
  const id = createInstanceId();
  const database = openDatabase(databaseUrl, {
    applicationName: connectionName(id),
    maxConnections: databaseConnections,
  });
  const closers = [() => database.close()];
  const closeAll = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    await waitForDatabase(database, { waitMs: options.databaseWaitMs, log });
    await migrate(database, HISTORY_TABLES);
    await migrate(database, TASK_TABLES);
    const instance = await joinInstances(database, { id, log });
    closers.push(() => instance.close());
    const messages = await openMessages(database, id, log);
    closers.push(() => messages.close());
    instance.onSweep(interruptOrphans);
    const retention = startRetention(database, { days: retentionDays, runs: retentionRuns });
    closers.push(() => retention.stop());
    const writing = { owner: id, durable: durability === "full", watched: messages.watched };
    return {
      write: (records) => writeRecords(database, records, writing),
      isTemporary,
      list: (query) => listRuns(database, query),
      get: (runId) => getRun(database, runId),
      events: (runId, after) => runEvents(database, runId, after),
      remove: (runId) => removeRun(database, runId),
      findByKey: (key) => findByKey(database, key),
      findCached: (key, since) => findCached(database, key, since),
      agreements: () => agreements(database),
      spentSince: (since) => spentSince(database, since),
      unpricedSince: (since) => unpricedSince(database, since),
      claimWebhooks: () => claimWebhooks(database, id),
      shared: {
        lost: instance.lost,
        claimKey: (key, fingerprint, runId) => claimKey(database, { key, fingerprint, runId, owner: id }),
        releaseKey: (key, runId) => releaseKey(database, key, runId),
        runState: (runId) => runState(database, runId),
        watch: messages.watch,
        requestCancel: messages.requestCancel,
        onCancelRequest: messages.onCancelRequest,
        addExpense: (expense) => addExpense(database, expense),
        onOpenTasks: (open) => watchTasks(database, instance, open),
      },
      close: closeAll,
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}
