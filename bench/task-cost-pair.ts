/**
 *   node bench/task-cost-pair.ts ../before [--windows=8] [--seconds=5]
 *
 * What a step of a task costs in this checkout and in another one, both as built: statements, and processor time of the service's
 * process. Both run at the same time on one PostgreSQL with one simulated provider, each in a database of its own, so that
 * whatever else the machine does disturbs both alike. The ratio is the median of those of the windows.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startFakeProvider } from "../packages/fake-provider/src/server.ts";
import { median } from "./measure.ts";
import { type CountingProxy, openCountingProxy } from "./suites/counting-proxy.ts";
import { withTaskDatabase } from "./suites/task-processes.ts";
import {
  cpuMs,
  createTask,
  eventually,
  metric,
  startBuiltService,
  type TaskService,
} from "./suites/task-services.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { windows: { type: "string", default: "8" }, seconds: { type: "string", default: "5" } },
});
const [before] = positionals;
if (before === undefined) throw new Error("Name the other checkout: node bench/task-cost-pair.ts ../before");
const seconds = Number(values.seconds);
const WARM_MS = 8000;

const LOADS = [
  { name: "idle, for a second", tasks: 0, latencyMs: 250 },
  { name: "one task, calls of 250 ms, for a step", tasks: 1, latencyMs: 250 },
  { name: "a hundred tasks, calls of 2 s, for a step", tasks: 100, latencyMs: 2000 },
] as const;
type Load = (typeof LOADS)[number];

interface Side {
  readonly service: TaskService;
  readonly proxy: CountingProxy;
}

const roots = [resolve(before), fileURLToPath(new URL("..", import.meta.url))];

await withTaskDatabase(async ({ url, db }) => {
  const provider = await startFakeProvider({ behaviour: { latency: { median_ms: 5 } } });
  const sides: Side[] = [];
  try {
    for (const [index, root] of roots.entries()) {
      const name = `cost_${index}`;
      await db.query(`CREATE DATABASE ${name}`);
      const proxy = await openCountingProxy(url.replace(/\/[^/?]*(\?|$)/, `/${name}$1`));
      const service = await startBuiltService(programOf(root), {
        ...{ DATABASE_URL: proxy.url, MAKER_API_URL: provider.url, MAKER_API_MODEL: "sim" },
        ...{ MCI_MAX_TASKS: "100", MCI_RATE_LIMIT: "0" },
      });
      sides.push({ service, proxy });
    }
    // Votes, calls and statements are compiled before the first window.
    await Promise.all(sides.map(({ service }) => runTasks(service, 20, 500)));
    for (const load of LOADS) {
      provider.script({ behaviour: { latency: { median_ms: load.latencyMs } } });
      console.log(await compareSides(load));
    }
  } finally {
    for (const { service, proxy } of sides) {
      service.child.kill("SIGKILL");
      proxy.close();
    }
    await provider.close();
  }

  async function compareSides(load: Load): Promise<string> {
    const ids = await Promise.all(sides.map(({ service }) => createTasks(service, load.tasks, 1_000_000)));
    await sleep(WARM_MS);
    const windows: Cost[][] = [];
    for (let i = 0; i < Number(values.windows); i++) windows.push(await measureWindow(load));
    for (const [index, { service }] of sides.entries())
      for (const id of ids[index]!) await fetch(`${service.url}/tasks/${id}/cancel`, { method: "POST" });
    const of = (kind: keyof Cost, side: number) => median(windows.map((costs) => costs[side]![kind]));
    const ratios = windows.map(([old, now]) => now!.cpuMs / old!.cpuMs);
    const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
    return (
      `${load.name}: ${of("cpuMs", 0).toFixed(2)} -> ${of("cpuMs", 1).toFixed(2)} ms, ${median(ratios).toFixed(2)} x (${range}); ` +
      `${of("statements", 0).toFixed(2)} -> ${of("statements", 1).toFixed(2)} statements`
    );
  }

  interface Cost {
    readonly cpuMs: number;
    readonly statements: number;
  }

  /** For each side, for a second or for a step. */
  async function measureWindow(load: Load): Promise<Cost[]> {
    const read = () =>
      Promise.all(
        sides.map(async ({ service, proxy }) => ({
          steps: await metric(service, 'council_task_steps_total{outcome="decided"}'),
          sent: proxy.statements(),
          cpu: cpuMs(service),
        })),
      );
    const start = await read();
    await sleep(seconds * 1000);
    const end = await read();
    return sides.map((_, i) => {
      const units = load.tasks === 0 ? seconds : end[i]!.steps - start[i]!.steps;
      return {
        cpuMs: (end[i]!.cpu - start[i]!.cpu) / units,
        statements: (end[i]!.sent - start[i]!.sent) / units,
      };
    });
  }
});

async function createTasks(service: TaskService, count: number, steps: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push(await createTask(service, steps));
  return ids;
}

async function runTasks(service: TaskService, count: number, steps: number): Promise<void> {
  for (const id of await createTasks(service, count, steps))
    await eventually(async () => (await read(service, id)).status === "complete");
}

async function read({ url }: TaskService, id: string): Promise<{ status: string }> {
  return (await (await fetch(`${url}/tasks/${id}`)).json()) as { status: string };
}

/** Its folder had another name once. */
function programOf(root: string): string {
  const programs = ["council-server", "server"].map((name) =>
    resolve(root, `packages/${name}/bin/mci-council.cjs`),
  );
  const program = programs.find((path) => existsSync(path));
  if (program === undefined) throw new Error(`there is no service in ${root}`);
  return program;
}
