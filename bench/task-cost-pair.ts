/**
 *   node bench/task-cost-pair.ts ../before [--rounds=3] [--window=15]
 *
 * What a step of a task costs in this checkout and in another one, both as built, in turns on one PostgreSQL with one simulated
 * provider: statements, and processor time of the service's process. A round measures each side once, and the side that goes
 * first changes.
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
  startBuiltService,
  type TaskService,
} from "./suites/task-services.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string", default: "3" }, window: { type: "string", default: "15" } },
});
const [before] = positionals;
if (before === undefined) throw new Error("Name the other checkout: node bench/task-cost-pair.ts ../before");
const windowMs = Number(values.window) * 1000;

const LOADS = [
  { name: "idle, a second", tasks: 0, latencyMs: 250, warmMs: 3000 },
  { name: "one task, 250 ms a call, a step", tasks: 1, latencyMs: 250, warmMs: 5000 },
  { name: "a hundred tasks, 2 s a call, a step", tasks: 100, latencyMs: 2000, warmMs: 6000 },
] as const;
type Load = (typeof LOADS)[number];

interface Side {
  readonly service: TaskService;
  readonly proxy: CountingProxy;
  readonly cpu: Map<Load, number[]>;
  readonly statements: Map<Load, number[]>;
}

await withTaskDatabase(async ({ url, db }) => {
  const provider = await startFakeProvider({ behaviour: { latency: { median_ms: 250 } } });
  const sides: Side[] = [];
  try {
    for (const [name, root] of [
      ["before", resolve(before)],
      ["now", fileURLToPath(new URL("..", import.meta.url))],
    ] as const) {
      await db.query(`CREATE DATABASE ${name}_cost`);
      const proxy = await openCountingProxy(url.replace(/\/[^/?]*(\?|$)/, `/${name}_cost$1`));
      const service = await startBuiltService(programOf(root), {
        ...{ DATABASE_URL: proxy.url, MAKER_API_URL: provider.url, MAKER_API_MODEL: "sim" },
        ...{ MCI_MAX_TASKS: "100", MCI_RATE_LIMIT: "0" },
      });
      sides.push({ service, proxy, cpu: new Map(), statements: new Map() });
      // The votes, the calls and the statements are compiled before the first window.
      provider.script({ behaviour: { latency: { median_ms: 5 } } });
      const first = await createTask(service, 1000);
      await eventually(async () => (await status(service, first)) === "complete");
    }
    for (let round = 0; round < Number(values.rounds); round++)
      for (const load of LOADS) {
        provider.script({ behaviour: { latency: { median_ms: load.latencyMs } } });
        for (const side of round % 2 === 0 ? sides : sides.toReversed()) await measure(side, load);
      }
    for (const load of LOADS) {
      const [old, now] = sides.map((side) => side.cpu.get(load)!);
      const [oldStatements, nowStatements] = sides.map((side) => median(side.statements.get(load)!));
      const ratio = median(now!.map((value, index) => value / old![index]!));
      console.log(
        `${load.name}: ${median(old!).toFixed(2)} -> ${median(now!).toFixed(2)} ms (${ratio.toFixed(2)} x), ` +
          `${oldStatements!.toFixed(2)} -> ${nowStatements!.toFixed(2)} statements`,
      );
    }
  } finally {
    for (const { service, proxy } of sides) {
      service.child.kill("SIGKILL");
      proxy.close();
    }
    await provider.close();
  }

  async function measure({ service, proxy, cpu, statements }: Side, load: Load): Promise<void> {
    const ids: string[] = [];
    for (let task = 0; task < load.tasks; task++) ids.push(await createTask(service, 100_000));
    for (const id of ids) await eventually(async () => (await status(service, id)) === "running");
    await sleep(load.warmMs);
    // A vote takes two calls, and nothing else calls the provider.
    const at = () => ({ cpu: cpuMs(service), sent: proxy.statements(), calls: provider.stats.answered });
    const start = at();
    await sleep(windowMs);
    const end = at();
    const units = load.tasks === 0 ? windowMs / 1000 : (end.calls - start.calls) / 2;
    for (const [into, value] of [
      [cpu, (end.cpu - start.cpu) / units],
      [statements, (end.sent - start.sent) / units],
    ] as const)
      into.set(load, [...(into.get(load) ?? []), value]);
    console.error(load.name, units, cpu.get(load)!.at(-1)!.toFixed(3));
    for (const id of ids) await fetch(`${service.url}/tasks/${id}/cancel`, { method: "POST" });
    await sleep(2 * load.latencyMs);
  }
});

function programOf(root: string): string {
  const programs = ["council-server", "server"].map((name) =>
    resolve(root, `packages/${name}/bin/mci-council.cjs`),
  );
  const program = programs.find((path) => existsSync(path));
  if (program === undefined) throw new Error(`no service in ${root}`);
  return program;
}

async function status({ url }: TaskService, id: string): Promise<string> {
  return ((await (await fetch(`${url}/tasks/${id}`)).json()) as { status: string }).status;
}
