import type { DBOS } from "@dbos-inc/dbos-sdk";
import type { Queryable } from "../database/database.ts";
import type { Takeover } from "./takeover.ts";

/** The calls of DBOS that a takeover needs. */
export type WorkflowCalls = Pick<typeof DBOS, "listWorkflows" | "resumeWorkflows" | "cancelWorkflows">;

export interface ResumeOptions {
  /** The queue on which any instance continues them. */
  readonly queueName: string;
  /** Which of the workflows were cancelled on purpose: resuming would revive one that was cancelled a moment ago. */
  readonly cancelled: (ids: readonly string[]) => Promise<readonly string[]>;
  readonly onResumed?: (ids: readonly string[]) => void;
}

/**
 * Hands the running workflows of dead instances to the living ones. DBOS itself recovers only those of its own executor id; its
 * fencing keeps a stopped executor from recording steps afterwards.
 */
export function resumeWorkflows(dbos: WorkflowCalls, options: ResumeOptions): Takeover {
  return async (connection) => {
    if (!(await hasOrphans(connection))) return;
    const pending = await dbos.listWorkflows({ status: "PENDING", loadInput: false, loadOutput: false });
    if (pending.length === 0) return;
    // Read after the workflows: whatever owns one of them was registered before it started.
    const living = await connection.query<{ id: string }>("SELECT id FROM council.instances");
    const alive = new Set(living.map(({ id }) => id));
    const ids = pending
      .filter(({ executorId }) => executorId === undefined || !alive.has(executorId))
      .map(({ workflowID }) => workflowID);
    if (ids.length === 0) return;
    await dbos.resumeWorkflows(ids, { queueName: options.queueName });
    const revived = await options.cancelled(ids);
    if (revived.length > 0) await dbos.cancelWorkflows([...revived]);
    options.onResumed?.(ids.filter((id) => !revived.includes(id)));
  };
}

/** Asked with every sweep: one statement, where the call of DBOS takes four. */
async function hasOrphans(connection: Queryable): Promise<boolean> {
  const found = await connection.query(
    `SELECT 1 FROM dbos.workflow_status WHERE status = 'PENDING'
       AND (executor_id IS NULL OR executor_id NOT IN (SELECT id FROM council.instances)) LIMIT 1`,
  );
  return found.length > 0;
}
