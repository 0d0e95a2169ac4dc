import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  CouncilError,
  type CreatedTask,
  type IdempotencyKey,
  type ScheduleView,
  type TaskEngine,
  type TaskInstance,
  type TaskSchedule,
} from "@mci-ts/council";
import { withTimeout } from "@mci-ts/http-guard";
import { ConfigError } from "../config/config.ts";
import { loadPostgres } from "../postgres.ts";
import type { RunDependencies } from "../runs/run-dependencies.ts";
import type { Webhooks } from "../runs/webhooks/webhooks.ts";
import { fromCouncilError, ServiceError, shuttingDown } from "../service-error.ts";
import type { TaskMeters } from "../telemetry/task-metrics.ts";

/** Long tasks of this service. PostgreSQL, DBOS and their package are loaded with the first task, or where there are tasks to go on with. */
export interface TaskService {
  /** Checks the task, before anything is started for it; then stores and starts it. */
  create(spec: unknown, once?: IdempotencyKey, subject?: string): Promise<CreatedTask>;
  /** Checks the schedule and its task; then stores it. */
  schedule(name: string, schedule: TaskSchedule): Promise<ScheduleView>;
  /** Starts what tasks need, once. */
  open(): Promise<TaskInstance>;
  /** What runs already, or what instances share; undefined where no task was ever started. */
  current(): Promise<TaskInstance> | undefined;
  close(graceMs: number): Promise<void>;
}

type TaskWebhooks = Pick<Webhooks, "check" | "deliverTask">;

export function createTaskService(
  deps: RunDependencies,
  meters: TaskMeters,
  webhooks: TaskWebhooks,
): TaskService {
  const { config, log } = deps;
  const { shared } = deps.store;
  let failure = "";
  let opened: Promise<TaskInstance> | undefined;
  let loaded: Promise<TaskEngine> | undefined;
  let closing = false;
  const engine = () => (loaded ??= loadEngine(deps));
  // Tasks that were running when the service stopped, or an instance of it, go on.
  if (shared) shared.onOpenTasks(resumePendingTasks);
  else if (hasEmbedded(config.store.dir)) void resumePendingTasks().catch(() => undefined);
  return {
    async create(spec, once, subject) {
      await check(spec);
      return (await open()).create(spec, once, subject);
    },
    async schedule(name, schedule) {
      await check(schedule.task, "task.");
      return (await open()).schedules.put(name, schedule);
    },
    open: async () => open(),
    // Tasks may have come to another instance.
    current: () => (shared && !closing ? open() : opened),
    async close(graceMs) {
      closing = true;
      const closed = opened?.then(
        (tasks) => tasks.close(graceMs),
        () => undefined,
      );
      // Opening or closing may wait for a database that does not answer.
      await withTimeout(graceMs + CLOSE_TIMEOUT_MS, Promise.resolve(closed), () =>
        log("tasks: the database did not answer in time; what is open is continued by another instance"),
      );
    },
  };

  /** `within`: the path of the task in the request. */
  async function check(spec: unknown, within = ""): Promise<void> {
    const { webhook } = await (await engine()).check(spec).catch((error: unknown) => {
      throw atPath(within, toTaskError(error));
    });
    if (webhook !== undefined) webhooks.check(webhook, `${within}webhook`);
  }

  function open(): Promise<TaskInstance> {
    if (closing) throw shuttingDown();
    opened ??= start().catch((error: unknown) => {
      // A disk that was full, say: the next request may find it better.
      opened = undefined;
      throw toTaskError(error);
    });
    return opened;
  }

  async function resumePendingTasks(): Promise<void> {
    try {
      await open();
      failure = "";
    } catch (error) {
      const { message } = error as Error;
      if (message !== failure && !closing) log(`tasks cannot go on: ${message}`, { level: "error" });
      failure = message;
      throw error;
    }
  }

  async function start(): Promise<TaskInstance> {
    const tasks = await connectTasks(deps, await engine(), meters, webhooks);
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

const CLOSE_TIMEOUT_MS = 3000;

/** Messages begin with the path of their field. */
function atPath(within: string, error: unknown): unknown {
  if (within === "" || !(error instanceof ServiceError)) return error;
  const details = error.details.map(({ path, message }) => ({
    path: `${within}${path}`,
    message: `${within}${message}`,
  }));
  return new ServiceError(error.code, `${within}${error.message}`, { details, cause: error });
}

const hasEmbedded = (dir: string | undefined) =>
  dir !== undefined && existsSync(join(dir, "postgres", "data"));

/** What a task is checked with is loaded with the first one. */
async function loadEngine(deps: RunDependencies): Promise<TaskEngine> {
  const [{ serviceTaskEngine }, { loadExpressions }] = await Promise.all([
    import("./service-task-engine.ts"),
    import("mci-ts"),
  ]);
  return serviceTaskEngine(deps, await loadExpressions());
}

/** What tasks are stored and run with, with the first one that is valid. */
async function connectTasks(
  { config, instance, log }: RunDependencies,
  engine: TaskEngine,
  metrics: TaskMeters,
  webhooks: TaskWebhooks,
): Promise<TaskInstance> {
  const { openTaskService } = await loadPostgres();
  const tasks = await openTaskService({
    engine,
    metrics,
    instance,
    databaseUrl: config.store.databaseUrl,
    databaseWaitMs: config.store.databaseWaitMs,
    dataDir: config.store.dir,
    postgresUser: config.store.postgresUser,
    maxTasks: config.maxTasks,
    taskRetries: config.taskRetries,
    taskRetentionDays: config.taskRetentionDays,
    ...(config.webhooks.hosts.length === 0
      ? {}
      : { deliverWebhook: (webhook) => webhooks.deliverTask(webhook) }),
    log,
  });
  metrics.observe(tasks);
  return tasks;
}

/** The codes of the engine's errors, and of the package's own, whose classes are only there once it is loaded. */
export function toTaskError(error: unknown): unknown {
  if (error instanceof CouncilError) return fromCouncilError(error);
  const { name, code, message, path } = error as {
    name?: string;
    code?: string;
    message: string;
    path?: string;
  };
  if (name === "TaskError") {
    if (code === "task_not_found") return new ServiceError("not_found", message, { cause: error });
    if (code === "task_conflict" || code === "idempotency_mismatch")
      return new ServiceError(code, message, { cause: error });
    return new ServiceError("invalid_request", message, {
      details: [{ path: path ?? "", message }],
      cause: error,
    });
  }
  if (error instanceof ConfigError)
    return new ServiceError("tasks_unavailable", error.problems.join("; "), { cause: error });
  return name === "DatabaseError" ? new ServiceError("tasks_unavailable", message, { cause: error }) : error;
}
