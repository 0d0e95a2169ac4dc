/** Twelve tasks on one, two and three instances. Only the model is simulated. */
import { setTimeout as sleep } from "node:timers/promises";
import { hanoiModel, hanoiTask } from "../../packages/council/test/hanoi.ts";
import { createTaskStore } from "../../packages/council-postgres/src/tasks/store/task-store.ts";
import { testEngine } from "../../packages/council-postgres/test/task-engine.ts";
import type { Suite, Table } from "../suite.ts";
import { type TaskDatabase, withTaskDatabase } from "./task-processes.ts";

const TASKS = 12;
const DISKS = 10;
const STEPS = 2 ** DISKS - 1;

export const suite: Suite = {
  title: "Twelve tasks on one, two and three instances",
  about:
    `${TASKS} tasks of ${STEPS.toLocaleString("en")} steps each, k = 3, every instance a process of its own, one PostgreSQL, all on this machine. ` +
    "The model is simulated: without latency the processors are the limit, with 20 ms for each call the steps wait as they do for a provider. All twelve run side by side, spread evenly.",
  async run() {
    const rows: string[][] = [];
    for (const latencyMs of [0, 20]) {
      let one = 0;
      for (const instances of [1, 2, 3]) {
        const rate = await withTaskDatabase((database) => measure(database, instances, latencyMs));
        one ||= rate;
        rows.push([`${latencyMs} ms`, String(instances), rate.toFixed(0), `${(rate / one).toFixed(2)} x`]);
        console.error(rows.at(-1)?.join("  "));
      }
    }
    const table: Table = {
      title: "Steps per second, all tasks together",
      columns: ["latency of a call", "instances", "steps/s", "of one instance"],
      rows,
    };
    return [table];
  },
};

async function measure({ db, start }: TaskDatabase, instances: number, latencyMs: number): Promise<number> {
  const engine = await testEngine(hanoiModel({ errorRate: 0 }));
  const spec = hanoiTask(DISKS, { k: 3 });
  const store = createTaskStore(db);
  await Promise.all(
    Array.from({ length: instances }, (_, i) => start(`i${i}`, { latencyMs, maxTasks: TASKS / instances })),
  );
  const progress = engine.steps(spec).start();
  for (let i = 0; i < TASKS; i++) await store.insert({ id: `task${i}`, spec, progress, workflowVersion: 2 });
  await until(async () => ((await store.counts()).running ?? 0) > 0);
  const started = performance.now();
  // Counted are those that are not over.
  await until(async () => {
    const { queued, running } = await store.counts();
    return queued === undefined && running === undefined;
  });
  return (TASKS * STEPS) / ((performance.now() - started) / 1000);
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(20);
}
