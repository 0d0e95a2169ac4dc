import { setTimeout as sleep } from "node:timers/promises";
import type {
  PlanEngine,
  PlanTaskSpec,
  StepsEngine,
  StepsTaskSpec,
  TaskEngine,
  TaskMetrics,
  Tasks,
} from "@mci-ts/council";
import type { Database, Queryable } from "../database/database.ts";
import { migrate } from "../database/migrate.ts";
import type { WhileAlive } from "../instances/fencing.ts";
import { createActions } from "./actions.ts";
import { readSteps } from "./chunks.ts";
import { launchDbos, stopDbos, WORKFLOW_VERSION } from "./dbos.ts";
import { durably } from "./durably.ts";
import { createLiveTasks } from "./live-tasks.ts";
import { NO_PLAN } from "./plan-progress.ts";
import { registerPlanWorkflow } from "./plan-workflow.ts";
import { createReconciler, type ReconcileOptions } from "./reconcile.ts";
import { createStarter } from "./starter.ts";
import { registerStepsWorkflow } from "./steps-workflow.ts";
import { TASK_TABLES } from "./tables.ts";
import { newTaskId } from "./task-id.ts";
import { countByStatus, findByKey, findTask, insertTask, listTasks } from "./task-rows.ts";
import { isPlan, planSteps, toStepView, toTaskSummary, toTaskView } from "./task-view.ts";

export interface TasksOptions {
  readonly db: Database;
  readonly engine: TaskEngine;
  /** Default: nothing is counted. */
  readonly metrics?: TaskMetrics;
  /** Short, and new for every process. */
  readonly executorId: string;
  /** Tasks that run here side by side. Default 12. */
  readonly maxTasks?: number;
  /** Rejects, in the transaction of what a workflow writes, when this instance was declared dead. Default: it is alone. */
  readonly assertAlive?: (connection: Queryable) => Promise<void>;
  /** Changes only with the workflows themselves. Default: that of this program. */
  readonly workflowVersion?: number;
  /** Of the workflows that living instances run. Default: none but this one's. */
  readonly livingVersions?: ReconcileOptions["livingVersions"];
  /** How often tasks that would wait forever are looked for. Default 5000; tests do not wait that long. */
  readonly sweepMs?: number;
  readonly log: (message: string) => void;
}

export interface OpenTasks extends Tasks {
  /** Begins no more votes, and lets open ones finish for up to `graceMs`. */
  drain(graceMs: number): Promise<void>;
}

/** Creates the tables, starts DBOS and takes work. One per process. */
export async function openTasks(options: TasksOptions): Promise<OpenTasks> {
  const { db, engine, executorId, maxTasks = 12, log } = options;
  await migrate(db, TASK_TABLES);
  const whileAlive: WhileAlive = (work) =>
    db.transaction(async (connection) => {
      await options.assertAlive?.(connection);
      return work(connection);
    });
  const writes: WhileAlive = (work) => durably(() => whileAlive(work));
  const live = createLiveTasks(whileAlive, log);
  const votes = openVotes();
  const compiled = new Map<string, { spec: StepsTaskSpec; engine: StepsEngine }>();
  const metrics = options.metrics ?? NOT_COUNTED;
  const stepsWorkflow = registerStepsWorkflow({
    whileAlive: writes,
    live,
    executorId,
    metrics,
    steps: (id) => durably(() => stepsOf(id)),
    unlessStopping: votes.run,
  });
  const planWorkflow = registerPlanWorkflow({
    whileAlive: writes,
    live,
    executorId,
    metrics,
    plans: (id) => durably(() => plansOf(id)),
    unlessStopping: votes.run,
  });
  const version = options.workflowVersion ?? WORKFLOW_VERSION;
  await launchDbos({ db, executorId, maxTasks, version, log });
  const livingVersions = options.livingVersions ?? (async () => new Set([version]));
  const reconcile = createReconciler({ db, stepsOf, version, livingVersions, log });
  const starter = createStarter({
    db,
    workflows: { steps: stepsWorkflow, plan: planWorkflow },
    reconcile,
    sweepMs: options.sweepMs,
    log,
  });

  /** Bounded: a task that is asked for again is compiled again. */
  async function stepsOf(id: string) {
    const known = compiled.get(id);
    if (known) return known;
    const { spec } = await findTask(db, id);
    const made = { spec: spec as StepsTaskSpec, engine: engine.steps(spec as StepsTaskSpec) };
    compiled.set(id, made);
    if (compiled.size > MAX_COMPILED) compiled.delete(compiled.keys().next().value!);
    return made;
  }

  async function plansOf(id: string): Promise<PlanEngine> {
    return engine.plan((await findTask(db, id)).spec as PlanTaskSpec);
  }

  return {
    ...createActions({ db, live, starter, metrics, stepsOf, plansOf }),
    async create(value, once) {
      const spec = await engine.check(value);
      const progress = spec.kind === "steps" ? engine.steps(spec).start() : NO_PLAN;
      const id = newTaskId();
      if (await insertTask(db, { id, spec, progress, ...(once ? { once } : {}) })) {
        await starter.start(id);
        return { ...toTaskView(await findTask(db, id)), replayed: false };
      }
      return { ...toTaskView(await findByKey(db, once!)), replayed: true };
    },
    get: async (id) => toTaskView(await findTask(db, id)),
    list: async (filter) => (await listTasks(db, filter)).map(toTaskSummary),
    async steps(id, from, limit) {
      const { progress } = await findTask(db, id);
      if (isPlan(progress)) return planSteps(progress, from, limit);
      return (await readSteps(db, id, from, limit)).map(toStepView);
    },
    counts: () => countByStatus(db),
    drain: votes.stop,
    async close(graceMs = 0) {
      await votes.stop(graceMs);
      await starter.close();
      await live.close();
      await stopDbos();
    },
  };
}

const MAX_COMPILED = 100;
const NOT_COUNTED: TaskMetrics = { onStep: () => {}, onRecovered: () => {}, onRetried: () => {} };

/** Votes in flight. Once stopped, none begins and none ends: a step that is not recorded is voted on by another instance. */
function openVotes() {
  const open = new Set<Promise<unknown>>();
  let stopping = false;
  const never = new Promise<never>(() => {});
  return {
    async run<T>(vote: () => Promise<T>): Promise<T> {
      if (stopping) return never;
      const work = vote();
      open.add(work);
      try {
        return await work;
      } finally {
        open.delete(work);
      }
    },
    async stop(graceMs: number): Promise<void> {
      stopping = true;
      if (open.size === 0 || graceMs === 0) return;
      await Promise.race([Promise.allSettled(open), sleep(graceMs, undefined, { ref: false })]);
      await sleep(RECORD_MS);
    },
  };
}

/** Until the last votes are recorded. */
const RECORD_MS = 200;
