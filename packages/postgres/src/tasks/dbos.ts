import { DBOS } from "@dbos-inc/dbos-sdk";
import type pg from "pg";
import type { Database } from "../database/database.ts";
import { exclusively } from "../database/exclusively.ts";

/** Changes only with the workflows themselves: an instance continues no workflow of another version. */
export const WORKFLOW_VERSION = 1;

/** New tasks wait here for a free instance. */
export const TASK_QUEUE = "tasks";
/** What a dead instance left is continued here; without a limit, because a parent waits for its child. */
export const RECOVERY_QUEUE = "recovered";

export interface LaunchOptions {
  readonly db: Database;
  readonly executorId: string;
  /** Tasks that this instance runs side by side. */
  readonly maxTasks: number;
  readonly version: number;
  readonly log: (message: string) => void;
}

/** Of the one DBOS in this process. */
let pool: pg.Pool | undefined;

/** Workflows must be registered before. There is one DBOS in a process. */
export async function launchDbos({ db, executorId, maxTasks, version, log }: LaunchOptions): Promise<void> {
  pool = db.createPool(10);
  DBOS.setConfig({
    name: "council",
    systemDatabaseUrl: db.url,
    // Its own would leave a connection without a listener for errors for a moment.
    systemDatabasePool: pool,
    executorID: executorId,
    applicationVersion: String(version),
    // Plain JSON: the default writes 50 bytes more for each step.
    serializer: { name: () => "json", parse: parseJson, stringify: (value) => JSON.stringify(value ?? null) },
    tracingEnabled: false,
    logger: { debug: () => {}, info: () => {}, warn: logged, error: logged },
  });
  await exclusively(db, () => DBOS.launch());
  const onConflict = "always_update";
  await DBOS.registerQueue(TASK_QUEUE, {
    minPollingIntervalMs: TASK_POLL_MS,
    workerConcurrency: maxTasks,
    onConflict,
  });
  await DBOS.registerQueue(RECOVERY_QUEUE, { minPollingIntervalMs: RECOVERY_POLL_MS, onConflict });

  function logged(entry: unknown): void {
    const text = String(entry);
    // Expected: a workflow that was cancelled, taken over, or is left to another instance.
    if (!EXPECTED.test(text)) log(`tasks: ${text}`);
  }
}

/** How often every instance looks for work, in four statements each time: a task takes minutes, and an idle instance looks all day. */
const TASK_POLL_MS = 500;
/** Rarely needed, and seconds after an instance has fallen silent. */
const RECOVERY_POLL_MS = 500;

const EXPECTED = /cancelled|Cancelled|conflict|no longer own|Shutting down while/;

function parseJson(text: string | null): unknown {
  return text === null || text === undefined ? null : JSON.parse(text);
}

/** Does not wait for workflows: what is open is continued by the next instance. */
export async function stopDbos(): Promise<void> {
  await DBOS.shutdown({ deregister: true, workflowCompletionTimeoutMS: 0 });
  await pool?.end();
  pool = undefined;
}
