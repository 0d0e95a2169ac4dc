import type { StepRecord, StepsProgress } from "@mci-ts/council";
import type { Database } from "../../database/database.ts";
import type { Claim, PlanRecord, TaskRow } from "./task-records.ts";

export interface RecordOptions {
  /** The step before must be recorded, as in a task of steps. Default true. */
  readonly inOrder?: boolean;
  readonly progress?: StepsProgress;
  /** The record counts the calls of executions that ended without a word. Default false. */
  readonly countsLost?: boolean;
}

/** The statement of every step. */
export function stepRecordStatements(db: Database) {
  return { record };

  /**
   * Records a decided step, in one statement: only for the owner, only once, and of `steps` only after its predecessor, so that an
   * instance whose last steps a failover has lost cannot go on from its memory. undefined: it was refused.
   */
  async function record(
    { id, token }: Claim,
    step: number,
    outcome: StepRecord | PlanRecord,
    { inOrder = true, progress, countsLost = false }: RecordOptions = {},
  ): Promise<Pick<TaskRow, "control"> | undefined> {
    const [row] = await db.execute<Pick<TaskRow, "control">>(
      countsLost ? RECORD_STEP_AND_LOST_CALLS : RECORD_STEP,
      [
        ...[id, token, step, JSON.stringify(outcome)],
        ...[progress === undefined ? null : JSON.stringify(progress), !inOrder || step === 1],
      ],
    );
    return row;
  }
}

const recordStep = (also: string) =>
  `WITH own AS (SELECT FROM dbos.workflow_status
     WHERE workflow_uuid = $1 AND status = 'PENDING' AND owner_xid = $2 FOR SHARE),
   recorded AS (INSERT INTO council.task_steps (task_id, step, record, progress) SELECT $1, $3::integer, $4::json, $5::json FROM own
     WHERE $6::boolean OR EXISTS (SELECT FROM council.task_steps WHERE task_id = $1 AND step = $3::integer - 1)
     ON CONFLICT DO NOTHING RETURNING task_id)${also}
   SELECT control FROM council.tasks JOIN recorded ON id = task_id`;
/** What a step costs the database: parsed and planned once for each connection. */
const RECORD_STEP = { name: "record-step", text: recordStep("") };
const RECORD_STEP_AND_LOST_CALLS = {
  name: "record-step-and-lost-calls",
  text: recordStep(", counted AS (UPDATE council.tasks SET lost_calls = 0 FROM recorded WHERE id = task_id)"),
};
