import type { PostgresStoreOptions, StoreBackend, WriteErrorKind } from "@mci-ts/council-server";
import type { Database, Queryable } from "../database/database.ts";
import { openDatabase } from "../database/database.ts";
import { DatabaseError } from "../database/database-error.ts";
import { migrate } from "../database/migrate.ts";
import { isTemporary } from "../database/temporary.ts";
import { repeatWhileAway, waitForDatabase } from "../database/wait.ts";
import { createClockCheck } from "../instances/clock-check.ts";
import type { Instance } from "../instances/instance.ts";
import { connectionName, createInstanceId, joinInstances } from "../instances/instance.ts";
import type { Takeover } from "../instances/takeover.ts";
import { hasPendingTasks } from "../tasks/store/task-store.ts";
import { TASK_TABLES } from "../tasks/store/task-tables.ts";
import { exchangeBudget } from "./daily-expenses.ts";
import { HISTORY_TABLES } from "./history-tables.ts";
import { claimRun, releaseKey } from "./idempotency-keys.ts";
import { openMessages } from "./instance-messages.ts";
import { agreements, findByKey, findCached, measurement, measurements, sessionCost } from "./queries.ts";
import { startRetention } from "./retention.ts";
import { countRuns, getRun, listRuns, removeRun, runCalls, runEvents, runState } from "./runs.ts";
import { claimWebhooks, countWebhooks } from "./webhooks.ts";
import { writeRecords } from "./write.ts";

/** The history on a PostgreSQL that instances share. This process becomes one of them. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<StoreBackend> {
  const { databaseWaitMs: waitMs, log } = options;
  return repeatWhileAway((left) => openOnce({ ...options, databaseWaitMs: left }), { waitMs, log });
}

async function openOnce(options: PostgresStoreOptions): Promise<StoreBackend> {
  const { databaseUrl, databaseConnections, durability, retentionDays, retentionRuns, log } = options;
  const id = createInstanceId(options.instance);
  const database = openDatabase(databaseUrl, {
    applicationName: connectionName(id),
    maxConnections: databaseConnections,
    log,
  });
  const closers = [() => database.close()];
  const closeAll = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    await waitForDatabase(database, { waitMs: options.databaseWaitMs, log });
    await migrate(database, HISTORY_TABLES);
    await migrate(database, TASK_TABLES);
    const instance = await joinInstances(database, { id, log, checkClock: createClockCheck(log) });
    closers.push(() => instance.close());
    const messages = await openMessages(database, id, log);
    closers.push(() => messages.close());
    instance.onSweep(interruptOrphans);
    const retention = startRetention(database, { days: retentionDays, runs: retentionRuns });
    closers.push(() => retention.stop());
    const { assertAlive } = instance;
    const writing = { owner: id, assertAlive, durable: durability === "full", watched: messages.watched };
    return {
      write: (records) => writeRecords(database, records, writing),
      kindOfError,
      list: (query) => listRuns(database, query),
      count: (query) => countRuns(database, query),
      calls: (runId, call) => runCalls(database, runId, call),
      get: (runId) => getRun(database, runId),
      events: (runId, after) => runEvents(database, runId, after),
      remove: (runId) => removeRun(database, runId),
      findByKey: (key) => findByKey(database, key),
      findCached: (key, since) => findCached(database, key, since),
      agreements: () => agreements(database),
      measurement: (subject, key) => measurement(database, subject, key),
      measurements: (subject) => measurements(database, subject),
      sessionCost: (session) => sessionCost(database, session),
      claimWebhooks: (filter) => claimWebhooks(database, id, filter),
      countWebhooks: () => countWebhooks(database),
      shared: {
        lost: instance.lost,
        isCertain: instance.isCertain,
        stats: {
          get declaredDead() {
            return instance.declaredDead;
          },
          get poolWaiting() {
            return database.stats.waiting;
          },
        },
        claimRun: (run) => claimRun(database, run, writing),
        releaseKey: (key, runId, options) => releaseKey(database, key, runId, options),
        runState: (runId) => runState(database, runId),
        watch: messages.watch,
        requestCancel: messages.requestCancel,
        onCancelRequest: messages.onCancelRequest,
        exchangeBudget: (exchange) => exchangeBudget(database, exchange),
        onOpenTasks: (open) => watchTasks(database, instance, open),
      },
      close: closeAll,
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

function kindOfError(error: unknown): WriteErrorKind {
  if (error instanceof DatabaseError && error.code === "instance_lost") return "lost";
  return isTemporary(error) ? "temporary" : "permanent";
}

/** Runs live in the memory of their instance: those of dead ones cannot be continued, and are reported as interrupted. */
const interruptOrphans: Takeover = async (connection) => {
  await connection.query(
    `UPDATE council.runs SET status = 'interrupted', ended_at = (extract(epoch FROM clock_timestamp()) * 1000)::bigint
     WHERE status = 'running' AND owner NOT IN (SELECT id FROM council.instances)`,
  );
};

/**
 * Looks for tasks that are not over or are started by a schedule, until they can go on here. What runs tasks takes connections and asks for work several times a
 * second: an instance of a service without tasks does without it.
 */
function watchTasks(database: Database, instance: Instance, open: () => Promise<unknown>): void {
  let isDone = false;
  async function look(on: Queryable): Promise<void> {
    if (isDone || !(await hasPendingTasks(on))) return;
    isDone = true;
    // Not awaited: a sweep must not wait for it.
    open().catch(() => {
      isDone = false;
    });
  }
  instance.onSweep(look);
  // The next sweep looks again.
  look(database).catch(() => undefined);
}
