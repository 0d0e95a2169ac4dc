/** What a step of a long task costs the service and its database. Only the model provider is simulated. */
import { setTimeout as sleep } from "node:timers/promises";
import { startFakeProvider } from "../../packages/fake-provider/src/server.ts";
import type { Row, Suite } from "../suite.ts";
import { type CountingProxy, openCountingProxy } from "./counting-proxy.ts";
import { withTaskDatabase } from "./task-processes.ts";
import {
  cpuMs,
  createTask,
  eventually,
  metric,
  startTaskService,
  type TaskService,
} from "./task-services.ts";

const WINDOW_MS = 20_000;

export const suite: Suite = {
  title: "What a step of a task costs",
  about:
    "One service on one PostgreSQL with a proxy between them that counts statements, BEGIN and COMMIT included. k = 2. The processor time is that of the service's process, " +
    `the votes and the HTTP calls to the simulated provider included. Each window lasts ${WINDOW_MS / 1000} seconds. Bare is what was measured before steps had a table of their own.`,
  run: () => withTaskDatabase(({ url }) => run(url)),
};

async function run(databaseUrl: string): Promise<readonly Row[]> {
  const proxy = await openCountingProxy(databaseUrl);
  const provider = await startFakeProvider({ behaviour: { latency: { median_ms: 250 } } });
  const service = await startTaskService({
    DATABASE_URL: proxy.url,
    MAKER_API_URL: provider.url,
    MAKER_API_MODEL: "sim",
    MCI_MAX_TASKS: "100",
    MCI_RATE_LIMIT: "0",
  });
  try {
    const first = await createTask(service, 3);
    await eventually(async () => (await read(service, first)).status === "complete");
    const idle = await measure(service, proxy);
    const one = await createTask(service, 100_000);
    const alone = await measure(service, proxy, 1);
    await fetch(`${service.url}/tasks/${one}/cancel`, { method: "POST" });
    provider.script({ behaviour: { latency: { median_ms: 2000 } } });
    for (let i = 0; i < 100; i++) await createTask(service, 100_000);
    const hundred = await measure(service, proxy, 100);
    return [
      {
        what: "statements per second of an idle service that has run tasks",
        ours: idle.statementsPerSecond.toFixed(1),
      },
      { what: "one task, 250 ms for each call: statements per step", ours: perStep(alone.statements, alone) },
      { what: "one task: processor time per step", ours: `${perStep(alone.cpuMs, alone)} ms` },
      {
        what: "a hundred tasks, 2 s for each call: statements per step",
        ours: perStep(hundred.statements, hundred),
      },
      { what: "a hundred tasks: processor time per step", ours: `${perStep(hundred.cpuMs, hundred)} ms` },
    ];
  } finally {
    service.child.kill("SIGKILL");
    await provider.close();
    proxy.close();
  }
}

interface Measured {
  readonly steps: number;
  readonly statements: number;
  readonly statementsPerSecond: number;
  readonly cpuMs: number;
}

const perStep = (total: number, { steps }: Measured): string => (total / steps).toFixed(2);

/** Begins once that many tasks run. */
async function measure(service: TaskService, proxy: CountingProxy, running = 0): Promise<Measured> {
  await eventually(async () => (await metric(service, "council_tasks_running")) === running);
  await sleep(3000);
  const before = { statements: proxy.statements(), steps: await decided(service), cpu: cpuMs(service) };
  const started = performance.now();
  await sleep(WINDOW_MS);
  const seconds = (performance.now() - started) / 1000;
  const statements = proxy.statements() - before.statements;
  const measured = {
    statements,
    cpuMs: cpuMs(service) - before.cpu,
    steps: (await decided(service)) - before.steps,
    statementsPerSecond: statements / seconds,
  };
  console.error(measured);
  return measured;
}

const decided = (service: TaskService) => metric(service, 'council_task_steps_total{outcome="decided"}');

async function read({ url }: TaskService, id: string): Promise<{ status: string }> {
  return (await (await fetch(`${url}/tasks/${id}`)).json()) as { status: string };
}
