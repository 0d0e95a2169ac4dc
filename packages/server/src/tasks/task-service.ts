import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CreatedTask, IdempotencyKey, TaskEngine, TaskInstance } from "@mci-ts/council";
import { ConfigError } from "../config/config.ts";
import { HttpError } from "../http/errors.ts";
import { loadPostgres } from "../postgres.ts";
import type { RunDependencies } from "../runs/execute-run.ts";
import type { TaskMeters } from "../telemetry/task-metrics.ts";

/** Long tasks of this service. PostgreSQL, DBOS and their package are loaded with the first task, or where there are tasks to go on with. */
export interface TaskService {
  /** Checks the task, before anything is started for it; then stores and starts it. */
  create(spec: unknown, once?: IdempotencyKey): Promise<CreatedTask>;
  /** Starts what tasks need, once. */
  open(): Promise<TaskInstance>;
  /** What runs already, or what instances share; undefined where no task was ever started. */
  current(): Promise<TaskInstance> | undefined;
  close(graceMs: number): Promise<void>;
}

export function createTaskService(deps: RunDependencies, meters: TaskMeters): TaskService {
  const { config, log } = deps;
  const { shared } = deps.store;
  let failure = "";
  let opened: Promise<TaskInstance> | undefined;
  let loaded: Promise<TaskEngine> | undefined;
  let closing = false;
  const engine = () => (loaded ??= loadEngine(deps));
  // Tasks that were running when the service stopped, or an instance of it, go on.
  if (shared) shared.onOpenTasks(goOn);
  else if (hasEmbedded(config.store.dir)) void goOn().catch(() => undefined);
  return {
    async create(spec, once) {
      await (await engine()).check(spec);
      return (await open()).create(spec, once);
    },
    open: async () => open(),
    // Tasks may have come to another instance.
    current: () => (shared && !closing ? open() : opened),
    async close(graceMs) {
      closing = true;
      const tasks = await opened?.catch(() => undefined);
      await tasks?.close(graceMs);
    },
  };

  function open(): Promise<TaskInstance> {
    if (closing)
      throw new HttpError("shutting_down", "The service is stopping", { headers: { "retry-after": "5" } });
    opened ??= start().catch((error: unknown) => {
      // A disk that was full, say: the next request may find it better.
      opened = undefined;
      throw toHttpError(error);
    });
    return opened;
  }

  async function goOn(): Promise<void> {
    try {
      await open();
      failure = "";
    } catch (error) {
      const { message } = error as Error;
      if (message !== failure && !closing) log(`tasks cannot go on: ${message}`);
      failure = message;
      throw error;
    }
  }

  async function start(): Promise<TaskInstance> {
    const tasks = await openTasks(deps, await engine(), meters);
    tasks.lost.addEventListener("abort", () => void reopen(tasks), { once: true });
    return tasks;
  }

  /** Declared dead by others, as after a long stop: its tasks are theirs now. It may come back under a new name. */
  async function reopen(lost: TaskInstance): Promise<void> {
    opened = undefined;
    await lost.close(0).catch((error: Error) => log(`tasks: ${error.message}`));
    if (!closing) await open().catch((error: Error) => log(`tasks: ${error.message}`));
  }
}

const hasEmbedded = (dir: string | undefined) =>
  dir !== undefined && existsSync(join(dir, "postgres", "data"));

/** What a task is checked with is loaded with the first one. */
async function loadEngine(deps: RunDependencies): Promise<TaskEngine> {
  const [{ createTaskEngine }, { loadExpressions }] = await Promise.all([
    import("./task-engine.ts"),
    import("mci-ts"),
  ]);
  return createTaskEngine(deps, await loadExpressions());
}

/** What tasks are stored and run with, with the first one that is valid. */
async function openTasks(
  { config, log }: RunDependencies,
  engine: TaskEngine,
  metrics: TaskMeters,
): Promise<TaskInstance> {
  const { openTaskService } = await loadPostgres();
  const tasks = await openTaskService({
    engine,
    metrics,
    databaseUrl: config.store.databaseUrl,
    databaseWaitMs: config.store.databaseWaitMs,
    dataDir: config.store.dir,
    maxTasks: config.maxTasks,
    log,
  });
  metrics.observe(() => tasks.counts());
  return tasks;
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
    if (code === "task_conflict" || code === "idempotency_mismatch")
      return new HttpError(code, message, { cause: error });
    return new HttpError("invalid_request", message, {
      details: [{ path: path ?? "", message }],
      cause: error,
    });
  }
  if (error instanceof ConfigError)
    return new HttpError("tasks_unavailable", error.problems.join("; "), { cause: error });
  return name === "DatabaseError" ? new HttpError("tasks_unavailable", message, { cause: error }) : error;
}
