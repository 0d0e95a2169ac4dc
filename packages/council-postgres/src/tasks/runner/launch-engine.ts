import { DBOS } from "@dbos-inc/dbos-sdk";
import { registerInternalQueue } from "@dbos-inc/dbos-sdk/eventreceiver";
import type { WorkflowQueue } from "@dbos-inc/dbos-sdk/internal/wfqueue";
import type { Log } from "@mci-ts/council";
import type pg from "pg";
import type { Database } from "../../database/database.ts";
import { DatabaseError } from "../../database/database-error.ts";
import { exclusively } from "../../database/exclusively.ts";
import { SCHEMA_ADVICE } from "../../database/migrate.ts";
import { ENGINE_NAME, ENGINE_VERSION } from "../store/task-store.ts";
import { slowUnusedLoops, stopCollector } from "./engine-queue.ts";

export interface EngineOptions {
  readonly db: Database;
  readonly executorId: string;
  readonly maxTasks: number;
  readonly sweepMs: number;
  readonly log: Log;
}

export interface LaunchedEngine {
  readonly pool: pg.Pool;
  /** That of this instance. */
  readonly queue: WorkflowQueue;
}

/** Starts DBOS with a queue for this instance; workflows must be registered before. Whatever prevents it is an error of the database. */
export async function launchEngine(
  { db, executorId, maxTasks, sweepMs, log }: EngineOptions,
  ownQueue: string,
): Promise<LaunchedEngine> {
  const pool = db.createPool(10);
  try {
    DBOS.setConfig({
      name: ENGINE_NAME,
      systemDatabaseUrl: db.url,
      // Its own would leave a connection without a listener for errors for a moment.
      systemDatabasePool: pool,
      executorID: executorId,
      applicationVersion: ENGINE_VERSION,
      // The sweep of this instance sees when there is something in its queue.
      listenQueues: [],
      schedulerPollingIntervalMs: SCHEDULE_SWEEPS * sweepMs,
      tracingEnabled: false,
      // Tasks use none of its messages, events and streams, for which it would wake up a hundred times a second.
      useListenNotify: false,
      logger: { debug: () => {}, info: () => {}, warn: logged, error: logged },
    });
    registerInternalQueue(INTERNAL_QUEUE, { minPollingIntervalMs: SCHEDULE_SWEEPS * sweepMs });
    slowUnusedLoops();
    await exclusively(db, async () => {
      await useExistingSchema(db);
      await DBOS.launch();
    });
    await stopCollector();
    const queue = await DBOS.registerQueue(ownQueue, {
      workerConcurrency: maxTasks,
      onConflict: "always_update",
    });
    return { pool, queue };
  } catch (error) {
    await DBOS.shutdown({ deregister: true }).catch(() => undefined);
    await pool.end();
    throw toDatabaseError(error, db);
  }

  function logged(entry: unknown): void {
    const text = String(entry);
    // Expected: a workflow that was cancelled, taken over, or is left to another instance.
    if (!EXPECTED.test(text)) log(`tasks: ${text}`);
  }
}

/** How often it looks for schedules that were added or changed: a time before that is missed. And for what they have begun. */
const SCHEDULE_SWEEPS = 5;

/** The engine's own: only schedules use it, and an operator's `dbos workflow resume`. */
const INTERNAL_QUEUE = "_dbos_internal_queue";

const EXPECTED = /cancelled|Cancelled|conflict|no longer own|Shutting down while/;

/**
 * The engine's first migration creates its schema, for which PostgreSQL asks the right to create schemas even where it exists. Where an
 * administrator has created it, that migration is marked as done.
 */
async function useExistingSchema(db: Database): Promise<void> {
  const [found] = await db.query<{ schema: string | null; migrations: string | null }>(
    "SELECT to_regnamespace('dbos')::text AS schema, to_regclass('dbos.dbos_migrations')::text AS migrations",
  );
  if (!found?.schema || found.migrations) return;
  await db.transaction(async (on) => {
    await on.query("CREATE TABLE dbos.dbos_migrations (version bigint NOT NULL PRIMARY KEY)");
    await on.query("INSERT INTO dbos.dbos_migrations VALUES (1)");
  });
}

/** The engine says what failed in a message of its own, with the reason in `error`. */
function toDatabaseError(error: unknown, { description }: Database): DatabaseError {
  if (error instanceof DatabaseError) return error;
  const { message, code, error: inner } = error as Error & { code?: string; error?: { code?: string } };
  const advice =
    (inner?.code ?? code) === "42501" ? SCHEMA_ADVICE : "Tasks start as soon as the database allows it";
  return new DatabaseError(
    "database_unavailable",
    `${description}: the engine of tasks did not start: ${message}. ${advice}`,
    { cause: error },
  );
}
