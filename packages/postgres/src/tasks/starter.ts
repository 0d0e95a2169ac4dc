import { DBOS } from "@dbos-inc/dbos-sdk";
import type { StepRecord, StepsProgress } from "@mci-ts/council";
import type { Database } from "../database/database.ts";
import { TASK_QUEUE } from "./dbos.ts";
import type { PlanProgress } from "./plan-progress.ts";
import type { PlanInput } from "./plan-workflow.ts";
import type { SegmentInput } from "./steps-workflow.ts";
import { findTask } from "./task-rows.ts";

export interface Starter {
  /** Puts the present segment of a queued task on the queue. Repeating it changes nothing. */
  start(id: string): Promise<void>;
  close(): Promise<void>;
}

export interface StarterOptions {
  readonly db: Database;
  readonly workflows: {
    readonly steps: (input: SegmentInput) => Promise<void>;
    readonly plan: (input: PlanInput) => Promise<void>;
  };
  /** Looks for tasks that would wait forever; returns those to start. */
  readonly reconcile: () => Promise<readonly string[]>;
  /** How often. Default 5000. */
  readonly sweepMs?: number | undefined;
  readonly log: (message: string) => void;
}

/** A process that is killed between storing a task and queueing it leaves one that no queue knows: such tasks are looked for. */
export function createStarter({ db, workflows, reconcile, sweepMs = 5000, log }: StarterOptions): Starter {
  let sweeping: Promise<void> = Promise.resolve();
  const sweepNext = () => {
    sweeping = sweeping.then(sweep).catch((error: Error) => log(`tasks: ${error.message}`));
  };
  sweepNext();
  const timer = setInterval(sweepNext, sweepMs);
  timer.unref();
  return {
    start,
    async close() {
      clearInterval(timer);
      await sweeping;
    },
  };

  async function start(id: string): Promise<void> {
    const { kind, status, segment, progress, given } = await findTask(db, id);
    if (status !== "queued") return;
    const workflowID = `${id}.${segment}`;
    if (kind === "plan") {
      const input = { id, segment, progress: progress as PlanProgress };
      await DBOS.startWorkflow(workflows.plan, { workflowID, queueName: TASK_QUEUE })(input);
      return;
    }
    await DBOS.startWorkflow(workflows.steps, { workflowID, queueName: TASK_QUEUE })({
      id,
      segment,
      progress: progress as StepsProgress,
      ...(given ? { given: given as unknown as StepRecord } : {}),
    });
  }

  async function sweep(): Promise<void> {
    const waiting = await db.query<{ id: string }>(
      `UPDATE council.tasks SET updated_at = clock_timestamp() WHERE id IN (
         SELECT id FROM council.tasks WHERE status = 'queued' AND updated_at < clock_timestamp() - interval '5 s'
         ORDER BY updated_at LIMIT 100 FOR UPDATE SKIP LOCKED)
       RETURNING id`,
    );
    for (const { id } of waiting) await start(id);
    for (const id of await reconcile()) await start(id);
  }
}
