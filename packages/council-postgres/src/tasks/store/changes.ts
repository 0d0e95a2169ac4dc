import type { StepRecord, TaskFault } from "@mci-ts/council";
import type { Database, Queryable } from "../../database/database.ts";
import { enqueue } from "./new-tasks.ts";
import { findTask, stepsOf } from "./task-reads.ts";
import { type PlanCharges, type PlanRecord, type TaskRow, WHILE_ENGINE_WORKS } from "./task-records.ts";

/** What people do with tasks. */
export function changeStatements(db: Database) {
  return { change };

  /** What people do with a task: the row is locked until the change is made. */
  async function change<T>(
    id: string,
    work: (row: TaskRow, change: TaskChange) => Promise<T>,
    options?: Parameters<Database["transaction"]>[1],
  ): Promise<T> {
    return db.transaction(
      async (on) => {
        await on.query("SELECT FROM council.tasks WHERE id = $1 FOR UPDATE", [id]);
        return work(await findTask(on, id), changeOf(on, id));
      },
      { ...WHILE_ENGINE_WORKS, ...options },
    );
  }
}

/** What may be changed while the row is locked. */
export type TaskChange = ReturnType<typeof changeOf>;

function changeOf(on: Queryable, id: string) {
  return {
    steps: <Record>() => stepsOf<Record>(on, id, 0, MAX_PLAN_STEPS),
    setControl: (control: TaskRow["control"]) =>
      on.query("UPDATE council.tasks SET control = $2 WHERE id = $1", [id, control]),
    /** A person has taken over: it does not resume by itself, and where it pauses again, the waits start again. */
    clearRetry: () => on.query("UPDATE council.tasks SET retry_at = NULL, outages = 0 WHERE id = $1", [id]),
    /** Unless it runs again. */
    clearControl: async ({ status }: TaskRow) =>
      status === "paused" && on.query("UPDATE council.tasks SET control = NULL WHERE id = $1", [id]),
    setError: (error: TaskFault) =>
      on.query("UPDATE council.tasks SET error = $2 WHERE id = $1", [id, JSON.stringify(error)]),
    /** The task goes on as if it had never ended. */
    reopen: async () => {
      await on.query("DELETE FROM council.task_crashes WHERE task_id = $1", [id]);
      await on.query("UPDATE council.tasks SET ended_at = NULL, error = NULL, control = NULL WHERE id = $1", [
        id,
      ]);
    },
    /** Unless it has come to its end first. */
    setCancelled: () =>
      on.query(
        `UPDATE council.tasks SET ended_at = clock_timestamp(), error = NULL, control = NULL, runner = NULL
         WHERE id = $1 AND ended_at IS NULL`,
        [id],
      ),
    setProgress: (progress: PlanCharges) =>
      on.query("UPDATE council.tasks SET progress = $2 WHERE id = $1", [id, JSON.stringify(progress)]),
    putStep: (step: number, outcome: StepRecord | PlanRecord) =>
      on.query(
        `INSERT INTO council.task_steps (task_id, step, record) VALUES ($1, $2, $3)
         ON CONFLICT (task_id, step) DO UPDATE SET record = excluded.record, decided_at = excluded.decided_at`,
        [id, step, JSON.stringify(outcome)],
      ),
    deleteSteps: (numbers: readonly number[]) =>
      on.query("DELETE FROM council.task_steps WHERE task_id = $1 AND step = ANY($2)", [id, numbers]),
    /** What the engine says; undefined: it does not know the task. */
    workflowStatus: async () => {
      const [workflow] = await on.query<{ status: string }>(
        "SELECT status FROM dbos.workflow_status WHERE workflow_uuid = $1",
        [id],
      );
      return workflow?.status;
    },
    /** Where the engine does not know the task yet. */
    enqueue: () => enqueue(on, id),
    /** Its steps are deleted, too. */
    remove: async () => {
      await on.query("DELETE FROM council.task_steps WHERE task_id = $1", [id]);
      await on.query("DELETE FROM council.tasks WHERE id = $1", [id]);
    },
  };
}

export const MAX_PLAN_STEPS = 10_000;
