import type {
  DeliverTaskWebhook,
  Log,
  PlanEngine,
  PlanTaskSpec,
  StepsEngine,
  StepsProgress,
  StepsTaskSpec,
  TaskEngine,
  TaskMetrics,
  Tasks,
  TaskView,
} from "@mci-ts/council";
import type { Database } from "../database/database.ts";
import { migrate } from "../database/migrate.ts";
import { INSTANCE_TABLES } from "../instances/instance-tables.ts";
import { actOnTasks } from "./operations/act-on-tasks.ts";
import { createTaskActions } from "./operations/task-actions.ts";
import { deleteExpiredTasks } from "./operations/task-retention.ts";
import { createSchedules } from "./operations/task-schedules.ts";
import { createWebhookDelivery } from "./operations/webhook-delivery.ts";
import { NO_CHARGES, planProgress } from "./plan/plan-progress.ts";
import { type Repeated, repeatEvery } from "./runner/repeat-every.ts";
import { openTaskRunner } from "./runner/task-runner.ts";
import { recordedProgress } from "./steps/steps-progress.ts";
import type { NewTask } from "./store/new-tasks.ts";
import { DEFAULT_RETRY, type RetryOptions } from "./store/outage-retry.ts";
import type { PlanCharges, PlanRecord, TaskRow } from "./store/task-records.ts";
import { createTaskStore, newTaskId } from "./store/task-store.ts";
import { TASK_TABLES } from "./store/task-tables.ts";
import { planSteps, toStepView, toTaskSummary, toTaskView } from "./task-view.ts";
import { createTaskWatchers } from "./task-watchers.ts";

/** Changes only with what workflows record: an instance continues no task that a newer version has run. */
export const WORKFLOW_VERSION = 2;

export interface TasksOptions {
  readonly db: Database;
  readonly engine: TaskEngine;
  /** Default: nothing is counted. */
  readonly metrics?: TaskMetrics;
  /** Short, and new for every process. */
  readonly executorId: string;
  /** Tasks that run here side by side. Default 12. */
  readonly maxTasks?: number;
  /** Tasks whose provider could not be reached. Default: after 30 s at first, a hundred times. */
  readonly retry?: RetryOptions;
  /** Days that tasks stay after their end. Default: all are kept. */
  readonly retentionDays?: number | undefined;
  /** Tells the receiver of a task that is over. Default: nothing is delivered. */
  readonly deliverWebhook?: DeliverTaskWebhook | undefined;
  /** Default: that of this program. */
  readonly workflowVersion?: number;
  /** How often an instance looks for tasks without one, and after its own. Default 1000; tests do not wait that long. */
  readonly sweepMs?: number;
  readonly log: Log;
}

export interface OpenTasks extends Tasks {
  /** Begins no more votes, and lets open ones finish for up to `graceMs`. */
  drain(graceMs: number): Promise<void>;
}

/** Creates the tables, starts the engine and takes work. One per process. */
export async function openTasks(options: TasksOptions): Promise<OpenTasks> {
  const { db, engine, executorId, maxTasks = 12, log } = options;
  const metrics = options.metrics ?? NOT_COUNTED;
  const version = options.workflowVersion ?? WORKFLOW_VERSION;
  await migrate(db, INSTANCE_TABLES);
  await migrate(db, TASK_TABLES);
  const store = createTaskStore(db);
  const { sweepMs = 1000 } = options;
  const compiled = new Map<string, StepsEngine>();
  const engines = { steps: stepsEngine, plan: planEngine };
  const { schedules, tidy } = createSchedules({ db, store, engine, insert, newId: newTaskId, log });
  const runner = await openTaskRunner({
    ...{ db, store, engines, metrics, executorId, maxTasks, version, log },
    retry: options.retry ?? DEFAULT_RETRY,
    sweepMs,
  });

  async function insert(task: Omit<NewTask, "progress" | "workflowVersion">): Promise<boolean> {
    const { spec } = task;
    const progress = spec.kind === "steps" ? engine.steps(spec).start() : NO_CHARGES;
    const isNew = await store.insert({ ...task, progress, workflowVersion: version });
    if (isNew) runner.place();
    return isNew;
  }

  /** Bounded: a task that is asked for again is compiled again. */
  function stepsEngine({ id, spec, subject }: TaskRow): StepsEngine {
    const cached = compiled.get(id);
    if (cached) return cached;
    const made = engine.steps(spec as StepsTaskSpec, subject ?? undefined);
    compiled.set(id, made);
    if (compiled.size > MAX_COMPILED) compiled.delete(compiled.keys().next().value!);
    return made;
  }

  function planEngine({ spec, subject }: TaskRow): PlanEngine {
    return engine.plan(spec as PlanTaskSpec, subject ?? undefined);
  }

  /** Now and from time to time: who has just set it sees what it does. */
  function retention(days: number): Repeated {
    const loop = repeatEvery(
      () => deleteExpiredTasks(store, actions, days, log),
      RETENTION_SWEEPS * sweepMs,
      log,
    );
    loop.now();
    return loop;
  }

  /** Where it stands: from memory if it runs here, else by its records. */
  async function progressOf(row: TaskRow) {
    if (row.kind === "plan") {
      const records = await store.steps<PlanRecord>(row.id, 0, Number.MAX_SAFE_INTEGER);
      return planProgress(row.progress as PlanCharges, records);
    }
    const stored = row.progress as StepsProgress;
    const live = runner.live.get(row.id)?.progress;
    const latest = live && live.step >= row.step && row.status === "running" ? live : stored;
    return latest.step >= row.step ? latest : recordedProgress(store, row.id, latest, stepsEngine(row));
  }

  const view = async (row: TaskRow): Promise<TaskView> => toTaskView(row, await progressOf(row));
  const get = async (id: string) => view(await store.find(id));

  const actions = createTaskActions({ store, runner, engines, metrics, progressOf, get, version });
  const { retryAfterOutages, requestPause: _, ...publicActions } = actions;
  const watchers = createTaskWatchers(runner.live, store.marks);
  const { retentionDays, deliverWebhook } = options;
  if (!deliverWebhook) {
    const { webhooks = 0 } = await store.counts().catch(() => ({ webhooks: 0 }));
    if (webhooks > 0)
      log(
        `tasks: MCI_WEBHOOK_HOSTS is not set: webhooks that are not delivered: ${webhooks}; their tasks are kept`,
      );
  }
  const loops = [
    repeatEvery(retryAfterOutages, RETRY_SWEEPS * sweepMs, log),
    repeatEvery(watchers.look, sweepMs, log),
    repeatEvery(tidy, SCHEDULE_SWEEPS * sweepMs, log),
    ...(deliverWebhook
      ? [repeatEvery(createWebhookDelivery(store, get, deliverWebhook), WEBHOOK_SWEEPS * sweepMs, log)]
      : []),
    ...(retentionDays === undefined ? [] : [retention(retentionDays)]),
  ];

  return {
    ...publicActions,
    schedules,
    count: store.count,
    bulk: (action, which) => actOnTasks(action, which, { store, actions }),
    get,
    async create(value, once, subject) {
      const spec = await engine.check(value);
      const id = newTaskId();
      const isNew = await insert({ id, spec, subject, ...(once ? { once } : {}) });
      return {
        ...(await view(isNew ? await store.find(id) : await store.findByKey(once!))),
        replayed: !isNew,
      };
    },
    async list(filter) {
      const rows = await store.list(filter);
      return Promise.all(rows.map(async (row) => toTaskSummary(row, await progressOf(row))));
    },
    async steps(id, from, limit) {
      const row = await store.find(id);
      if (row.kind === "plan")
        return planSteps(await store.steps<PlanRecord>(id, from, Number.MAX_SAFE_INTEGER)).slice(0, limit);
      return (await store.steps(id, from, limit)).map(toStepView);
    },
    async strip(id, range) {
      const row = await store.find(id);
      const { step } = row.kind === "plan" ? { step: 0 } : await progressOf(row);
      return store.strip(id, step, range);
    },
    watch: watchers.watch,
    counts: store.counts,
    drain: runner.drain,
    async close(graceMs = 0) {
      await Promise.all(loops.map(({ stop }) => stop()));
      await runner.drain(graceMs);
      await runner.close();
    },
  };
}

const MAX_COMPILED = 100;
/** A task waits for half a minute or more, and an idle instance looks all day. */
const RETRY_SWEEPS = 5;
const WEBHOOK_SWEEPS = 2;
const SCHEDULE_SWEEPS = 30;
const RETENTION_SWEEPS = 600;
const NOT_COUNTED: TaskMetrics = {
  onStep: () => {},
  onRecovered: () => {},
  onRetried: () => {},
  onTakenOver: () => {},
};
