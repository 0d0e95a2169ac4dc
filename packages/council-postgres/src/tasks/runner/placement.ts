import { DBOS } from "@dbos-inc/dbos-sdk";
import type { Log, TaskMetrics } from "@mci-ts/council";
import type { Database, Queryable } from "../../database/database.ts";
import type { PlacedInstance, WaitingTask } from "../store/placement-query.ts";
import { queueOf, WAITING_QUEUE } from "../store/task-records.ts";
import type { TaskStore } from "../store/task-store.ts";

export interface PlacementOptions {
  readonly db: Database;
  readonly store: TaskStore;
  readonly executorId: string;
  readonly version: number;
  readonly metrics: TaskMetrics;
  readonly log: Log;
}

export interface Placement {
  /** Places what waits, unless another instance is at it. */
  run(): Promise<void>;
  /** Puts a task where it waits for an instance. */
  enqueue(id: string): Promise<void>;
}

/**
 * Chooses an instance for every task that has none: new ones, resumed ones, and those of instances that are gone. Each instance takes
 * as many as it allows, the one with the fewest first; one that has two more than another gives one up. Every instance looks, one at a
 * time acts. The engine knows one limit for all instances, and recovers only what an instance of the same id left.
 */
export function createPlacement({
  db,
  store,
  executorId,
  version,
  metrics,
  log,
}: PlacementOptions): Placement {
  const reported = new Set<string>();
  const statements = store.placement;
  return {
    async run() {
      await statements.exclusively(db, async (on) => {
        const instances = await statements.livingInstances(on, executorId, version);
        await place(on, await statements.waitingTasks(on, executorId), instances);
        await balance(on, instances);
        for (const queue of await statements.deadQueues(on, executorId)) await DBOS.deleteQueue(queue);
      });
    },
    // The engine would revive a task that was cancelled a moment ago.
    enqueue: (id) =>
      store.unlessCancelled([id], (rest) => DBOS.resumeWorkflows(rest, { queueName: WAITING_QUEUE })),
  };

  async function place(
    on: Queryable,
    tasks: readonly WaitingTask[],
    instances: readonly PlacedInstance[],
  ): Promise<void> {
    const added = new Map<string, string[]>();
    const load = (one: PlacedInstance) => one.load + (added.get(queueOf(one.id))?.length ?? 0);
    const atRest = tasks.filter((task) => task.atRest).map(({ id }) => id);
    if (atRest.length > 0) await DBOS.cancelWorkflows(atRest);
    for (const { id, version: needed, orphaned } of tasks.filter((task) => !task.atRest)) {
      const able = instances.filter((one) => one.version >= needed);
      if (able.length === 0) reportNewer(id, needed);
      const [chosen] = able.filter((one) => load(one) < one.limit).toSorted((a, b) => load(a) - load(b));
      if (!chosen && !orphaned) continue;
      const queue = chosen ? queueOf(chosen.id) : WAITING_QUEUE;
      added.set(queue, [...(added.get(queue) ?? []), id]);
    }
    for (const [queueName, ids] of added)
      await store.whileWaiting(on, ids, (rest) => DBOS.resumeWorkflows(rest, { queueName }));
    const takenOver = tasks.filter((task) => task.orphaned && !task.atRest).length;
    if (takenOver > 0) metrics.onTakenOver(takenOver);
  }

  function reportNewer(id: string, needed: number): void {
    if (reported.has(id) || reported.size >= MAX_REPORTED) return;
    reported.add(id);
    log(`task ${id} waits for an instance of a newer version (workflows ${needed}, here ${version})`, {
      task: id,
    });
  }

  /** After instances were restarted one after the other, the last would have nothing. A task moves between two of its steps. */
  async function balance(on: Queryable, instances: readonly PlacedInstance[]): Promise<void> {
    const [least, ...others] = instances
      .filter((one) => one.version === version)
      .toSorted((a, b) => a.load - b.load);
    const most = others.at(-1);
    if (!least || !most || least.load >= least.limit) return;
    const surplus = Math.min(Math.floor((most.load - least.load) / 2), least.limit - least.load);
    if (surplus > 0) await statements.requestMoves(on, most.id, surplus);
  }
}

const MAX_REPORTED = 1000;
