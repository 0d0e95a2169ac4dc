import { DBOS } from "@dbos-inc/dbos-sdk";
import type { Database, Queryable } from "../database/database.ts";
import { recordedProgress, type StepsOf } from "./recorded-progress.ts";
import { endSegment, findTask, type Progress, type TaskRow } from "./task-rows.ts";

export interface ReconcileOptions {
  readonly db: Database;
  readonly stepsOf: StepsOf;
  /** Of the workflows of this program. */
  readonly version: number;
  /** Of the workflows that living instances run. */
  readonly livingVersions: (db: Queryable) => Promise<ReadonlySet<number>>;
  readonly log: (message: string) => void;
}

/**
 * Finds tasks that would wait forever. One whose workflow ended with an error has failed. One whose workflow has an older version
 * that no living instance runs any more, as after an upgrade, goes on in a workflow of this version from its last recorded step.
 * Those of newer versions are left to instances that know them.
 *
 * Returns a function that looks once, and returns the tasks to start.
 */
export function createReconciler(options: ReconcileOptions): () => Promise<string[]> {
  const { db, stepsOf, version, livingVersions, log } = options;
  const reported = new Set<string>();
  return async () => {
    await endFailed();
    return adoptOlder();
  };

  async function endFailed(): Promise<void> {
    const running = await db.query<Pick<TaskRow, "id" | "segment">>(
      `SELECT id, segment FROM council.tasks WHERE status = 'running' ORDER BY updated_at LIMIT ${BATCH}`,
    );
    if (running.length === 0) return;
    const workflowIDs = running.map(({ id, segment }) => `${id}.${segment}`);
    const status = ["ERROR", "MAX_RECOVERY_ATTEMPTS_EXCEEDED"] as const;
    for (const { workflowID, error } of await DBOS.listWorkflows({ workflowIDs, status: [...status] })) {
      const row = await findTask(db, taskOf(workflowID));
      const reason = (error as { message?: string } | undefined)?.message ?? "unknown";
      const message = `The task ended unexpectedly: ${reason}. What is recorded is kept: fork it to go on from there.`;
      const progress = await recordedProgress(db, row, stepsOf).catch(() => row.progress);
      const end = { status: "failed" as const, progress, error: { code: "internal", message } };
      await endSegment(db, row.id, row.segment, end, Object.keys(row.answers ?? {}).length);
      log(`task ${row.id}: ${message}`);
    }
  }

  async function adoptOlder(): Promise<string[]> {
    const waiting = await DBOS.listWorkflows({ status: "ENQUEUED", loadInput: false, loadOutput: false });
    const others = waiting.filter(({ applicationVersion }) => applicationVersion !== String(version));
    if (others.length === 0) return [];
    const living = await livingVersions(db);
    const adopted: string[] = [];
    for (const [id, workflows] of Map.groupBy(others, ({ workflowID }) => taskOf(workflowID))) {
      const theirs = Math.max(...workflows.map(({ applicationVersion }) => Number(applicationVersion)));
      if (living.has(theirs)) continue;
      if (theirs > version) reportNewer(id, theirs);
      else if (await adopt(id, theirs)) adopted.push(id);
    }
    return adopted;
  }

  function reportNewer(id: string, theirs: number): void {
    if (reported.has(id) || reported.size >= BATCH) return;
    reported.add(id);
    log(`task ${id} waits for an instance of a newer version (workflows ${theirs}, here ${version})`);
  }

  async function adopt(id: string, theirs: number): Promise<boolean> {
    const row = await findTask(db, id).catch(() => undefined);
    if (row === undefined || !isOpen(row)) return false;
    await DBOS.cancelWorkflow(`${id}.${row.segment}`, { cancelChildren: true });
    const progress = await recordedProgress(db, row, stepsOf);
    const done = await db.transaction(async (connection) => {
      const now = await findTask(connection, id, true);
      if (!isOpen(now) || now.segment !== row.segment) return false;
      await nextSegmentAfter(connection, now, progress);
      return true;
    });
    if (done)
      log(`task ${id} goes on at step ${progress.step + 1} in this version (workflows ${theirs} before)`);
    return done;
  }
}

const BATCH = 1000;
const taskOf = (workflowId: string) => workflowId.split(".")[0]!;
const isOpen = ({ status }: TaskRow) => status === "queued" || status === "running";

/** A pause that was wanted takes effect here; a person's answer that is not recorded yet stays. */
async function nextSegmentAfter(connection: Queryable, row: TaskRow, progress: Progress): Promise<void> {
  const { id, segment, control } = row;
  const pause = control === "pause";
  await connection.query(
    `UPDATE council.tasks SET status = $2, segment = segment + 1, control = NULL, step = $3, progress = $4, error = $5,
       given = CASE WHEN EXISTS (SELECT 1 FROM council.task_chunks
         WHERE task_id = $1 AND workflow_id = $6 AND first_step <= $3) THEN NULL ELSE given END,
       updated_at = clock_timestamp()
     WHERE id = $1`,
    [
      id,
      pause ? "paused" : "queued",
      progress.step,
      JSON.stringify(progress),
      pause ? JSON.stringify({ code: "requested", message: "Paused on request." }) : null,
      `${id}.${segment}-0`,
    ],
  );
}
