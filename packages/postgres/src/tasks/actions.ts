import { setTimeout as sleep } from "node:timers/promises";
import { DBOS } from "@dbos-inc/dbos-sdk";
import {
  nextOrder,
  nextStatus,
  type PlanEngine,
  type PlanStepResult,
  refusal,
  type StepsEngine,
  type StepsProgress,
  type TaskAction,
  type TaskActions,
  undecidedSteps,
} from "@mci-ts/council";
import type { Database, Queryable } from "../database/database.ts";
import { chunksFrom, recordsOf } from "./chunks.ts";
import type { LiveTasks } from "./live-tasks.ts";
import type { Starter } from "./starter.ts";
import { TaskError } from "./task-error.ts";
import { newTaskId } from "./task-id.ts";
import { findTask, insertTask, type PlanProgress, type Progress, type TaskRow } from "./task-rows.ts";
import { isPlan, toTaskView } from "./task-view.ts";

export interface ActionDependencies {
  readonly db: Database;
  readonly live: LiveTasks;
  readonly starter: Starter;
  readonly stepsOf: (id: string) => Promise<{ readonly engine: StepsEngine }>;
  readonly plansOf: (id: string) => Promise<PlanEngine>;
}

export function createActions({ db, live, starter, stepsOf, plansOf }: ActionDependencies): TaskActions {
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
      await act(id, "resume", async (connection, { status, progress }) => {
        if (status !== "paused") return;
        if (isPlan(progress)) await saveProgress(connection, id, withoutUndecided(progress));
        await nextSegment(connection, id, null);
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
      if (row.status === "running") await saveExactProgress(row);
      return view(await findTask(db, id));
    },
    async fork(id, step) {
      const row = await findTask(db, id);
      if (!nextStatus(row.status, "fork")) throw new TaskError("task_conflict", refusal(row.status, "fork"));
      if (row.kind !== "steps") throw new TaskError("task_conflict", "Only a task of steps can be forked");
      const progress = await progressBefore(row, step);
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
      await act(id, "answer", async (connection, row) => {
        if (row.status !== "paused") throw new TaskError("task_conflict", refusal(row.status, "answer"));
        if (isPlan(row.progress)) {
          await saveProgress(connection, id, withAnswer(row.progress, step, plan!.answerOf(answer)));
          return nextSegment(connection, id, null);
        }
        if (step !== row.step + 1)
          throw new TaskError(
            "task_conflict",
            `The task is paused at step ${row.step + 1}, not at step ${step}`,
          );
        await nextSegment(connection, id, steps!.answerOf(row.progress, answer));
      });
      await starter.start(id);
      return view(await findTask(db, id));
    },
  };

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

  /** What is shown of a running task lags behind its records; once it rests it must not. */
  async function saveExactProgress(row: TaskRow): Promise<void> {
    if (row.kind !== "steps") return;
    const progress = await progressBefore(row, undefined);
    await saveProgress(db, row.id, progress);
  }

  /** Where the task stood before a step; undefined: after all that are recorded. Replayed from the start of the chunk. */
  async function progressBefore(
    { id, step: decided }: TaskRow,
    step: number | undefined,
  ): Promise<StepsProgress> {
    const { engine } = await stepsOf(id);
    if (step === 1) return engine.start();
    const from = step === undefined ? Math.max(1, decided) : step - 1;
    const chunks = await chunksFrom(db, id, from, step === undefined ? 1000 : 1);
    const chunk = chunks.at(-1);
    if (!chunk) return engine.start();
    const count = step === undefined ? Number.MAX_SAFE_INTEGER : step - chunk.first_step;
    const records = await recordsOf(chunk, chunk.first_step, Math.min(count, MAX_RECORDS));
    const progress = records.reduce((at, record) => engine.apply(at, record), chunk.progress);
    if (step === undefined || progress.step === step - 1) return progress;
    const last = Math.max(decided, progress.step);
    throw new TaskError("invalid_request", `step must be from 1 to ${last + 1}; it is ${step}`, "query.step");
  }
}

async function saveProgress(connection: Queryable, id: string, progress: Progress): Promise<void> {
  await connection.query("UPDATE council.tasks SET step = $2, progress = $3 WHERE id = $1", [
    id,
    progress.step,
    JSON.stringify(progress),
  ]);
}

/** Undecided steps are tried again. */
function withoutUndecided(progress: PlanProgress): PlanProgress {
  const solved = Object.entries(progress.results).filter(([, { kind }]) => kind === "solved");
  return { ...progress, results: Object.fromEntries(solved) };
}

/** Other undecided steps stay as they are: they are not paid for again because one was answered. */
function withAnswer(progress: PlanProgress, step: number, result: PlanStepResult): PlanProgress {
  const { results } = progress;
  if (results[step]?.kind !== "undecided") {
    const open = undecidedSteps(results).join(", ") || "none";
    throw new TaskError("task_conflict", `Step ${step} is not undecided; undecided: ${open}`);
  }
  const order = nextOrder(results);
  return { ...progress, step: progress.step + 1, results: { ...results, [step]: { ...result, order } } };
}

const view = toTaskView;
/** A step of a slow model may take longer: then the task is still shown as running, and pauses after it. */
const PAUSE_WAIT_MS = 5000;
const POLL_MS = 25;
/** More than a chunk has. */
const MAX_RECORDS = 100_000;
