import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { longTask } from "../../packages/council-server/test/long-task.ts";

export interface TaskService {
  readonly child: ChildProcess;
  readonly url: string;
  readonly output: () => string;
}

const main = fileURLToPath(new URL("../../packages/council-server/src/main.ts", import.meta.url));
/** The package for PostgreSQL from its sources, as the service. */
const hook = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from "node:module";
  const url = ${JSON.stringify(new URL("../../packages/council-postgres/src/index.ts", import.meta.url).href)};
  registerHooks({ resolve: (name, context, next) =>
    name === "@mci-ts/council-postgres" ? { url, shortCircuit: true } : next(name, context) });`)}`;

/** A service as a process of its own, from source. The caller ends it. */
export const startTaskService = (env: Record<string, string>): Promise<TaskService> =>
  start(["--import", hook, main], env);

/** A service as it was built, in this checkout or another. The caller ends it. */
export const startBuiltService = (program: string, env: Record<string, string>): Promise<TaskService> =>
  start([program], env);

async function start(args: readonly string[], env: Record<string, string>): Promise<TaskService> {
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(process.execPath, args, {
    env: { PATH, HOME, PORT: "0", MCI_DETECT_LOCAL: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
  await eventually(async () => output.includes("openapi.json") || child.exitCode !== null);
  const [, url] = /listening on (\S+)/.exec(output) ?? [];
  if (url === undefined) throw new Error(`the service did not start: ${output}`);
  return { child, url, output: () => output };
}

/** A task of so many steps; its id. */
export async function createTask({ url }: TaskService, steps: number): Promise<string> {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ ...longTask(steps), max_steps: 1_000_000 });
  const response = await fetch(`${url}/tasks`, { method: "POST", headers, body });
  if (response.status !== 202) throw new Error(`${response.status}: ${await response.text()}`);
  return ((await response.json()) as { id: string }).id;
}

/** One value of the page of metrics. */
export async function metric({ url }: TaskService, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const line = text.split("\n").find((one) => one.startsWith(`${name} `));
  return Number(line?.split(" ").at(-1) ?? 0);
}

/** User and system time of the process, all of its threads together. */
export function cpuMs({ child }: TaskService): number {
  const threads = `/proc/${child.pid}/task`;
  const times = readdirSync(threads).map((id) => readFileSync(`${threads}/${id}/schedstat`, "utf8"));
  return times.reduce((sum, time) => sum + Number(time.split(" ")[0]) / 1e6, 0);
}

/** Errors count as not yet. */
export async function eventually(holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 180_000;
  while (!(await holds().catch(() => false))) {
    if (performance.now() > end) throw new Error(`not true within three minutes: ${holds}`);
    await sleep(50);
  }
}
