import { randomUUID } from "node:crypto";
import { DBOSExecutor } from "@dbos-inc/dbos-sdk/internal/dbos-executor";
import { type WorkflowQueue, wfQueueRunner } from "@dbos-inc/dbos-sdk/internal/wfqueue";
import { workflowTimeoutConfig } from "@dbos-inc/dbos-sdk/internal/workflow_management";
import { ENGINE_VERSION } from "../store/task-store.ts";

// These are parts of the engine that it does not document: the version of the engine is exact, and a test counts what an idle instance asks.

/**
 * Before the engine is launched: what it does every second for delayed workflows, deadlines and queues of others, none of which tasks
 * have, it does once an hour.
 */
export function slowUnusedLoops(): void {
  const loops = wfQueueRunner.constructor as unknown as Record<
    "reconcileIntervalMs" | "transitionIntervalMs",
    number
  >;
  loops.reconcileIntervalMs = HOUR_MS;
  loops.transitionIntervalMs = HOUR_MS;
  workflowTimeoutConfig.pollingIntervalMs = HOUR_MS;
}

const HOUR_MS = 3_600_000;

/** After it is launched: its traces and logs, which are ours or off, are not collected ten times a second. */
export async function stopCollector(): Promise<void> {
  await DBOSExecutor.globalInstance?.logger.destroy();
}

/** Begins what is in a queue, as the engine's own loop would: that asks every second in four statements whether there is anything. */
export async function beginQueued(queue: WorkflowQueue): Promise<void> {
  const engine = DBOSExecutor.globalInstance;
  if (engine === undefined) return;
  const { systemDatabase, executorID } = engine;
  const running = systemDatabase.countRunningWorkflowsForQueue(queue.name);
  // Who has begun it: what it writes is refused once another has.
  const owner = randomUUID();
  const ids = await systemDatabase.findAndMarkStartableWorkflows(
    ...([queue, executorID, ENGINE_VERSION, undefined] as const),
    ...([running, 0, owner] as const),
  );
  await engine.dispatchDequeuedWorkflows(ids, owner);
}
