import { createHash } from "node:crypto";
import { DBOS } from "@dbos-inc/dbos-sdk";
import type { Log, ScheduleView, TaskEngine, TaskSchedule, TaskSchedules, TaskSpec } from "@mci-ts/council";
import type { Database, Queryable } from "../../database/database.ts";
import { retryWhileUnavailable } from "../runner/retry-while-unavailable.ts";
import { SCHEDULE_WORKFLOW } from "../store/task-records.ts";
import type { TaskStore } from "../store/task-store.ts";
import { TaskError } from "../task-error.ts";

/** What the engine stores with a schedule beside its times. */
interface ScheduleContext extends Pick<TaskSchedule, "overlap" | "task"> {
  readonly name: string;
}
type Stored = NonNullable<Awaited<ReturnType<typeof DBOS.getSchedule>>>;

export interface ScheduleDependencies {
  readonly db: Database;
  readonly store: TaskStore;
  readonly engine: TaskEngine;
  /** Stores and places a task. False: `onlyIf`, asked in the same transaction, is against it. */
  insert(task: {
    readonly id: string;
    readonly spec: TaskSpec;
    readonly schedule: string;
    readonly onlyIf?: (on: Queryable) => Promise<boolean>;
  }): Promise<boolean>;
  readonly newId: () => string;
  readonly log: Log;
}

export interface OpenSchedules {
  readonly schedules: TaskSchedules;
  /** Begins again what an instance left behind, and deletes what is long over. */
  tidy(): Promise<void>;
}

/**
 * Schedules of DBOS: every instance watches the clock, and the first that is at a time begins a workflow named by it. That workflow
 * stores a task whose id follows from schedule and time, so that a time starts one task, however often the workflow begins. To be
 * called before the engine is launched.
 */
export function createSchedules(deps: ScheduleDependencies): OpenSchedules {
  const { db, engine, insert, newId, log } = deps;
  const { findObstacle, newestTasks, strandedStarts, oldStarts } = deps.store.schedules;
  const workflow = DBOS.registerWorkflow(startScheduled, { name: SCHEDULE_WORKFLOW });
  const schedules: TaskSchedules = {
    async put(name, { cron, timezone, overlap, catch_up, task }) {
      await engine.check(task);
      const known = await DBOS.listSchedules();
      if (known.length >= MAX_SCHEDULES && !known.some(({ scheduleName }) => scheduleName === name))
        throw new TaskError(
          "task_conflict",
          `There are ${MAX_SCHEDULES} schedules already; delete some first`,
        );
      const context: ScheduleContext = { name, overlap, task };
      const times = { schedule: cron, cronTimezone: timezone, automaticBackfill: catch_up };
      await DBOS.applySchedules([{ scheduleName: name, workflowFn: workflow, context, ...times }]).catch(
        (error: Error) => {
          if (!INVALID_CRON.test(error.message)) throw error;
          throw new TaskError("invalid_request", `cron cannot be used: ${error.message}`, "cron");
        },
      );
      return schedules.get(name);
    },
    get: async (name) => (await view([await find(name)]))[0]!,
    async list() {
      const stored = await DBOS.listSchedules({ workflowName: SCHEDULE_WORKFLOW });
      return view(stored.toSorted((a, b) => (a.scheduleName < b.scheduleName ? -1 : 1)));
    },
    async pause(name) {
      await find(name);
      await DBOS.pauseSchedule(name);
      return schedules.get(name);
    },
    async resume(name) {
      await find(name);
      await DBOS.resumeSchedule(name);
      return schedules.get(name);
    },
    async start(name) {
      const spec = await engine.check(contextOf(await find(name)).task);
      const id = newId();
      await insert({ id, spec, schedule: name });
      return id;
    },
    async delete(name) {
      await find(name);
      await DBOS.deleteSchedule(name);
    },
  };
  return {
    schedules,
    async tidy() {
      const stranded = await strandedStarts(db, STRANDED_MS);
      if (stranded.length > 0) await DBOS.resumeWorkflows(stranded);
      const old = await oldStarts(db, KEPT_MS);
      if (old.length > 0) await DBOS.deleteWorkflows(old);
    },
  };

  async function startScheduled(time: Date, { name, overlap, task }: ScheduleContext): Promise<void> {
    const at = time.toISOString();
    const id = createHash("sha256").update(`${name} ${at}`).digest("hex").slice(0, 20);
    try {
      const spec = await engine.check(task);
      await retryWhileUnavailable(() => insert({ id, spec, schedule: name, onlyIf: mayStart }));
    } catch (error) {
      log(`schedule ${name}: no task was started for ${at}: ${(error as Error).message}`);
      throw error;
    }

    async function mayStart(on: Queryable): Promise<boolean> {
      const obstacle = await findObstacle(on, name, id, overlap);
      if (obstacle === undefined) return true;
      if (obstacle === "started") return false;
      const why =
        obstacle === "inactive" ? "it is paused or deleted" : `task ${obstacle.unfinished} is not over yet`;
      log(`schedule ${name}: no task was started for ${at}: ${why}`);
      return false;
    }
  }

  async function find(name: string): Promise<Stored> {
    const stored = await DBOS.getSchedule(name);
    if (stored?.workflowName === SCHEDULE_WORKFLOW) return stored;
    throw new TaskError("task_not_found", `There is no schedule ${JSON.stringify(name.slice(0, 100))}`);
  }

  async function view(stored: readonly Stored[]): Promise<ScheduleView[]> {
    const names = stored.map(({ scheduleName }) => scheduleName);
    const newest = new Map((await newestTasks(db, names)).map((one) => [one.schedule, one]));
    return stored.map((one) => {
      const { overlap, task } = contextOf(one);
      const last = newest.get(one.scheduleName);
      return {
        name: one.scheduleName,
        status: one.status === "ACTIVE" ? "active" : "paused",
        cron: one.schedule,
        timezone: one.cronTimezone ?? "UTC",
        overlap,
        catch_up: one.automaticBackfill,
        last_time: one.lastFiredAt,
        last_task: last ? { id: last.id, status: last.status } : null,
        task,
      };
    });
  }
}

const contextOf = ({ context }: Stored) => context as ScheduleContext;

/** Every instance has a timer for each. */
const MAX_SCHEDULES = 1000;
/** What the engine says of times that it cannot use. */
const INVALID_CRON = /is an? (invalid|impossible)|fields but got|illegal characters|Invalid timezone/;
/** To store a task takes milliseconds. */
const STRANDED_MS = 30_000;
/** A finished run is kept this long; after that no instance asks for its time again. */
const KEPT_MS = 24 * 3_600_000;
