import { DBOS } from "@dbos-inc/dbos-sdk";
import type { StepOutcome, StepRecord, StepsProgress } from "@mci-ts/council";
import type { Queryable } from "../database/database.ts";

/** Steps of a child workflow: histories stay small, and little is replayed after a crash. */
export const CHUNK_STEPS = 1000;

/** Where a run of steps is recorded, and where the task stood before it. */
export interface Chunk {
  readonly first_step: number;
  /** Of a fork: where it leaves the task it comes from. null: as many as are recorded. */
  readonly last_step: number | null;
  readonly workflow_id: string;
  readonly progress: StepsProgress;
}

/** Repeating it changes nothing. A chunk of an earlier segment that begins at the same step has decided nothing. */
export async function addChunk(
  db: Queryable,
  id: string,
  workflowId: string,
  progress: StepsProgress,
): Promise<void> {
  await db.query(
    `INSERT INTO council.task_chunks (task_id, first_step, workflow_id, progress) VALUES ($1, $2, $3, $4)
     ON CONFLICT (task_id, first_step) DO UPDATE SET workflow_id = excluded.workflow_id, progress = excluded.progress`,
    [id, progress.step + 1, workflowId, JSON.stringify(progress)],
  );
}

/** The chunks that hold step `from` and those after it. */
export async function chunksFrom(db: Queryable, id: string, from: number, limit: number): Promise<Chunk[]> {
  return db.query<Chunk>(
    `SELECT first_step, last_step, workflow_id, progress FROM council.task_chunks
     WHERE task_id = $1 AND first_step >= coalesce(
       (SELECT max(first_step) FROM council.task_chunks WHERE task_id = $1 AND first_step <= $2), 1)
     ORDER BY first_step LIMIT $3`,
    [id, from, limit],
  );
}

/** Recorded steps of one chunk, from the step with this number. */
export async function recordsOf(chunk: Chunk, from: number, limit: number): Promise<StepRecord[]> {
  const offset = from - chunk.first_step;
  const left = chunk.last_step === null ? limit : Math.min(limit, chunk.last_step - from + 1);
  if (left <= 0) return [];
  const steps = await DBOS.listWorkflowSteps(chunk.workflow_id, { limit: left, offset });
  return (steps ?? []).flatMap(({ output }) => {
    const outcome = output as StepOutcome | null;
    return outcome === null || "end" in outcome ? [] : [outcome];
  });
}

export interface NumberedRecord {
  readonly step: number;
  readonly record: StepRecord;
}

/** Recorded steps across chunks. */
export async function readSteps(
  db: Queryable,
  id: string,
  from: number,
  limit: number,
): Promise<NumberedRecord[]> {
  const found: NumberedRecord[] = [];
  const chunks = await chunksFrom(db, id, from, Math.ceil(limit / CHUNK_STEPS) + 1);
  for (const chunk of chunks) {
    const next = from + found.length;
    if (found.length >= limit || chunk.first_step > next) break;
    const records = await recordsOf(chunk, next, limit - found.length);
    found.push(...records.map((record, i) => ({ step: next + i, record })));
  }
  return found;
}
