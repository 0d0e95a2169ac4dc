/** Two hundred tasks that wait for a slow provider, on one, two and three services. Only the provider is simulated. */
import { setTimeout as sleep } from "node:timers/promises";
import { startFakeProvider } from "../../packages/fake-provider/src/server.ts";
import type { Suite, Table } from "../suite.ts";
import { withTaskDatabase } from "./task-processes.ts";
import {
  cpuMs,
  createTask,
  eventually,
  metric,
  startTaskService,
  type TaskService,
} from "./task-services.ts";

const TASKS = 200;
const LATENCY_MS = 2000;
const WINDOW_MS = 20_000;
/** A service begins with 64 calls in flight at a provider, and allows more as they succeed. */
const WARM_UP_MS = 40_000;

export const suite: Suite = {
  title: "Two hundred tasks at a slow provider, on one, two and three services",
  about:
    `${TASKS} tasks of steps, k = 2, at a simulated provider that takes ${LATENCY_MS / 1000} seconds for each call: ${(TASKS * 1000) / LATENCY_MS} steps per second are the most there can be. ` +
    `All services, PostgreSQL and the provider are on this machine. Each window lasts ${WINDOW_MS / 1000} seconds and begins ${WARM_UP_MS / 1000} seconds after all tasks run, when the services have found out how many calls the provider takes at a time.`,
  async run() {
    const rows: string[][] = [];
    for (const services of [1, 2, 3]) {
      const { rate, spread, cpu } = await withTaskDatabase(({ url }) => measure(url, services));
      rows.push([String(services), rate.toFixed(1), spread, `${(cpu * 100).toFixed(0)} %`]);
      console.error(rows.at(-1)?.join("  "));
    }
    const table: Table = {
      title: "Steps per second, all tasks together",
      columns: ["services", "steps/s", "tasks on each", "of one core, all services together"],
      rows,
    };
    return [table];
  },
};

async function measure(databaseUrl: string, count: number) {
  const provider = await startFakeProvider({ behaviour: { latency: { median_ms: LATENCY_MS } } });
  const services: TaskService[] = [];
  try {
    const env = { DATABASE_URL: databaseUrl, MAKER_API_URL: provider.url, MAKER_API_MODEL: "sim" };
    for (let i = 0; i < count; i++)
      services.push(await startTaskService({ ...env, MCI_MAX_TASKS: String(TASKS), MCI_RATE_LIMIT: "0" }));
    for (let i = 0; i < TASKS; i++) await createTask(services[i % count]!, 100_000);
    await eventually(async () => (await metric(services[0]!, "council_tasks_running")) === TASKS);
    await sleep(WARM_UP_MS);
    const steps = () => sum(services, (one) => metric(one, 'council_task_steps_total{outcome="decided"}'));
    const before = { steps: await steps(), cpu: await sum(services, cpuMs), at: performance.now() };
    const each = services.map((one) => metric(one, 'council_task_steps_total{outcome="decided"}'));
    const first = await Promise.all(each);
    await sleep(WINDOW_MS);
    const seconds = (performance.now() - before.at) / 1000;
    const last = await Promise.all(
      services.map((one) => metric(one, 'council_task_steps_total{outcome="decided"}')),
    );
    return {
      rate: ((await steps()) - before.steps) / seconds,
      cpu: ((await sum(services, cpuMs)) - before.cpu) / 1000 / seconds,
      // A task makes a step in so many seconds, so that the steps of a service say how many it has.
      spread: last.map((n, i) => (((n - first[i]!) / seconds) * (LATENCY_MS / 1000)).toFixed(0)).join(" / "),
    };
  } finally {
    for (const { child } of services) child.kill("SIGKILL");
    await provider.close();
  }
}

async function sum(
  all: readonly TaskService[],
  of: (one: TaskService) => number | Promise<number>,
): Promise<number> {
  const values = await Promise.all(all.map(async (one) => of(one)));
  return values.reduce((total, value) => total + value, 0);
}
