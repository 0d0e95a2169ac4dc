import { setTimeout as sleep } from "node:timers/promises";
import { DBOS } from "@dbos-inc/dbos-sdk";
import {
  nextStatus,
  type PlanEngine,
  type PlanStepResult,
  refusal,
  type TaskAction,
  type TaskActions,
  type TaskMetrics,
  undecidedSteps,
} from "@mci-ts/council";
import type { Database, Queryable } from "../database/database.ts";
import type { LiveTasks } from "./live-tasks.ts";
import {
  type PlanProgress,
  progressWithout,
  requireUndecided,
  withAnswers,
  withoutUndecided,
  withResult,
} from "./plan-progress.ts";
import { PLAN_NEWS } from "./plan-step.ts";
import { progressBefore, recordedProgress, type StepsOf } from "./recorded-progress.ts";
import type { Starter } from "./starter.ts";
import { TaskError } from "./task-error.ts";
import { newTaskId } from "./task-id.ts";
import { findTask, insertTask, type Progress, type TaskRow } from "./task-rows.ts";
import { isPlan, toTaskView } from "./task-view.ts";

export interface ActionDependencies {
  readonly db: Database;
  readonly live: LiveTasks;
  readonly starter: Starter;
  readonly metrics: TaskMetrics;
  readonly stepsOf: StepsOf;
  readonly plansOf: (id: string) => Promise<PlanEngine>;
}

export function createActions({
  db,
  live,
  starter,
  metrics,
  stepsOf,
  plansOf,
}: ActionDependencies): TaskActions {
  return {
    async pause(id) {
      const row = await act(id, "pause", async (connection, { status }) => {
        if (status === "running")
          await connection.query("UPDATE council.tasks SET control = 'pause' WHERE id = $1", [id]);
        // One that waits in the queue is paused at once; its workflow finds out when its turn comes.
        if (status === "queued")
          await connection.query(
            "UPDATE council.tasks SET status = 'paused', error = $2, updated_at = clock_timestamp() WHERE id = $1",
            [id, JSON.stringify({ code: "requested", message: "Paused on request." })],
          );
      });
      if (row.status === "running") live.control(id, "pause");
      return view(await settled(id, PAUSE_WAIT_MS));
    },
    async resume(id) {
      await act(id, "resume", async (connection, { status, progress, error }) => {
        if (status !== "paused") return;
        if (isPlan(progress)) await saveProgress(connection, id, withoutUndecided(progress));
        await nextSegment(connection, id, null);
        metrics.onRetried(retriedSteps(error, progress));
      });
      await starter.start(id);
      return view(await findTask(db, id));
    },
    async cancel(id) {
      const row = await act(id, "cancel", async (connection) => {
        await connection.query(
          `UPDATE council.tasks SET status = 'cancelled', control = 'cancel', rate = 0,
             updated_at = clock_timestamp(), ended_at = coalesce(ended_at, clock_timestamp())
           WHERE id = $1`,
          [id],
        );
      });
      await DBOS.cancelWorkflow(`${id}.${row.segment}`, { cancelChildren: true }).catch(() => undefined);
      live.control(id, "cancel");
      // What is shown of a running task lags behind its records; once it rests it must not.
      if (row.status === "running") await saveProgress(db, id, await recordedProgress(db, row, stepsOf));
      return view(await findTask(db, id));
    },
    async fork(id, step) {
      const row = await findTask(db, id);
      if (!nextStatus(row.status, "fork")) throw new TaskError("task_conflict", refusal(row.status, "fork"));
      const progress = isPlan(row.progress)
        ? progressWithout(withAnswers(row.progress, row.answers), step)
        : await progressBefore(db, row, step, stepsOf);
      const copy = newTaskId();
      await db.transaction(async (connection) => {
        await insertTask(connection, { id: copy, spec: row.spec, progress, forkedFrom: { id, step } });
        await connection.query(
          `INSERT INTO council.task_chunks (task_id, first_step, last_step, workflow_id, progress)
           SELECT $2, first_step, least(last_step, $3 - 1), workflow_id, progress
           FROM council.task_chunks WHERE task_id = $1 AND first_step < $3`,
          [id, copy, step],
        );
      });
      await starter.start(copy);
      return view(await findTask(db, copy));
    },
    async answer(id, step, answer) {
      const { kind } = await findTask(db, id);
      const steps = kind === "steps" ? (await stepsOf(id)).engine : undefined;
      const plan = kind === "plan" ? await plansOf(id) : undefined;
      const { status, segment } = await act(id, "answer", async (connection, row) => {
        if (isPlan(row.progress)) return answerPlan(connection, row, step, plan!.answerOf(answer));
        if (row.status !== "paused")
          throw new TaskError(
            "task_conflict",
            `The task is ${row.status}: there is no undecided step to answer`,
          );
        if (step !== row.step + 1)
          throw new TaskError(
            "task_conflict",
            `The task is paused at step ${row.step + 1}, not at step ${step}`,
          );
        await nextSegment(connection, id, steps!.answerOf(row.progress, answer));
      });
      if (status === "paused") await starter.start(id);
      // If it does not arrive, the plan looks for answers before it pauses.
      else await DBOS.send(`${id}.${segment}`, { answered: step }, PLAN_NEWS).catch(() => undefined);
      return view(await findTask(db, id));
    },
  };

  /** A plan that runs takes the answer up; one that waits goes on. */
  async function answerPlan(
    connection: Queryable,
    { id, status, progress, answers }: TaskRow,
    step: number,
    result: PlanStepResult,
  ): Promise<void> {
    const at = withAnswers(progress as PlanProgress, answers);
    requireUndecided(at, step);
    if (status === "paused") {
      await saveProgress(connection, id, withResult(at, step, result));
      return nextSegment(connection, id, null);
    }
    await connection.query(
      "UPDATE council.tasks SET answers = $2, updated_at = clock_timestamp() WHERE id = $1",
      [id, JSON.stringify({ ...answers, [step]: result })],
    );
  }

  /** The task as it was before the action, which the change must fit. */
  async function act(
    id: string,
    action: TaskAction,
    change: (connection: Queryable, row: TaskRow) => Promise<void>,
  ): Promise<TaskRow> {
    return db.transaction(async (connection) => {
      const row = await findTask(connection, id, true);
      if (!nextStatus(row.status, action)) throw new TaskError("task_conflict", refusal(row.status, action));
      await change(connection, row);
      return row;
    });
  }

  async function nextSegment(connection: Queryable, id: string, given: unknown): Promise<void> {
    await connection.query(
      `UPDATE council.tasks SET status = 'queued', segment = segment + 1, control = NULL, error = NULL, given = $2,
         updated_at = clock_timestamp()
       WHERE id = $1`,
      [id, given === null ? null : JSON.stringify(given)],
    );
  }

  async function settled(id: string, waitMs: number): Promise<TaskRow> {
    const deadline = performance.now() + waitMs;
    for (;;) {
      const row = await findTask(db, id);
      if (row.status !== "running" || performance.now() > deadline) return row;
      await sleep(POLL_MS);
    }
  }
}

async function saveProgress(connection: Queryable, id: string, progress: Progress): Promise<void> {
  await connection.query("UPDATE council.tasks SET step = $2, progress = $3 WHERE id = $1", [
    id,
    progress.step,
    JSON.stringify(progress),
  ]);
}

/** What a resumed task tries again; nothing, where a person had paused it. */
function retriedSteps(error: TaskRow["error"], progress: Progress): number {
  if (error === null || error.code === "requested") return 0;
  return isPlan(progress) ? Math.max(1, undecidedSteps(progress.results).length) : 1;
}

const view = toTaskView;
/** A step of a slow model may take longer: then the task is still shown as running, and pauses after it. */
const PAUSE_WAIT_MS = 5000;
const POLL_MS = 25;
