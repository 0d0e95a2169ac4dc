/** Many tasks on one, two and three services: at a slow provider, and at one so fast that the machine is the limit. Only the provider is simulated. */
import { cpus } from "node:os";
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

interface Load {
  readonly tasks: number;
  readonly latencyMs: number;
  /** A service begins with 64 calls in flight at a provider, and allows more as they succeed. */
  readonly warmUpMs: number;
}

const LOADS: readonly Load[] = [
  { tasks: 200, latencyMs: 2000, warmUpMs: 40_000 },
  { tasks: 240, latencyMs: 20, warmUpMs: 15_000 },
];
const WINDOW_MS = 20_000;

export const suite: Suite = {
  title: "Many tasks on one, two and three services",
  about:
    "Tasks of steps, k = 2, at a simulated provider. 200 tasks at calls of 2 seconds make 100 steps per second at the most; 240 at calls of 20 ms make as many as the processors allow. " +
    `All services, PostgreSQL and the provider are on this machine. Each window lasts ${WINDOW_MS / 1000} seconds and begins ${LOADS.map(({ warmUpMs }) => warmUpMs / 1000).join(" or ")} seconds after all tasks run, when the services have found out how many calls the provider takes at a time.`,
  async run() {
    const rows: string[][] = [];
    for (const load of LOADS)
      for (const services of [1, 2, 3]) {
        const { rate, spread, cpu, idle } = await withTaskDatabase(({ url }) => measure(url, services, load));
        rows.push([
          `${load.tasks} tasks, calls of ${load.latencyMs} ms`,
          ...[String(services), rate.toFixed(1), spread],
          ...[`${percent(cpu)}, ${((cpu * 1000) / rate).toFixed(2)} ms for a step`, percent(idle)],
        ]);
        console.error(rows.at(-1)?.join("  "));
      }
    const table: Table = {
      title: "Steps per second, all tasks together",
      columns: [
        ...["load", "services", "steps/s", "of each"],
        ...["of one core, all services together", "idle, of all cores"],
      ],
      rows,
    };
    return [table];
  },
};

const percent = (share: number) => `${(share * 100).toFixed(0)} %`;

async function measure(databaseUrl: string, count: number, { tasks, latencyMs, warmUpMs }: Load) {
  const provider = await startFakeProvider({ behaviour: { latency: { median_ms: latencyMs } } });
  const services: TaskService[] = [];
  try {
    const env = { DATABASE_URL: databaseUrl, MAKER_API_URL: provider.url, MAKER_API_MODEL: "sim" };
    for (let i = 0; i < count; i++)
      services.push(await startTaskService({ ...env, MCI_MAX_TASKS: String(tasks), MCI_RATE_LIMIT: "0" }));
    for (let i = 0; i < tasks; i++) await createTask(services[i % count]!, 1_000_000);
    await eventually(async () => (await metric(services[0]!, "council_tasks_running")) === tasks);
    await sleep(warmUpMs);
    const read = async () => ({
      steps: await Promise.all(
        services.map((one) => metric(one, 'council_task_steps_total{outcome="decided"}')),
      ),
      cpu: services.map(cpuMs).reduce((sum, ms) => sum + ms, 0),
      machine: machineTimes(),
      at: performance.now(),
    });
    const before = await read();
    await sleep(WINDOW_MS);
    const after = await read();
    const seconds = (after.at - before.at) / 1000;
    const rates = after.steps.map((steps, i) => (steps - before.steps[i]!) / seconds);
    return {
      rate: rates.reduce((sum, rate) => sum + rate, 0),
      spread: rates.map((rate) => rate.toFixed(1)).join(" / "),
      cpu: (after.cpu - before.cpu) / 1000 / seconds,
      idle: (after.machine.idle - before.machine.idle) / (after.machine.all - before.machine.all),
    };
  } finally {
    for (const { child } of services) child.kill("SIGKILL");
    await provider.close();
  }
}

function machineTimes(): { readonly idle: number; readonly all: number } {
  const times = cpus().map((cpu) => cpu.times);
  return {
    idle: times.reduce((sum, { idle }) => sum + idle, 0),
    all: times.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0),
  };
}
