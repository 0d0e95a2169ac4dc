/**
 * Towers of Hanoi as one long task: 17 disks are 131,071 steps. Nothing but the model is simulated: votes, checks and records are
 * those of the service, on an embedded PostgreSQL.
 *
 *   npm run bench -- tasks
 *   npm run bench -- tasks --disks=20 --data=/var/tmp/hanoi     1,048,575 steps; started again with the same folder, it goes on
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { chanceRight, expectedVotes, type Tasks, type TaskView } from "@mci-ts/council";
import { hanoiModel, hanoiMove, hanoiTask } from "../../packages/council/test/hanoi.ts";
import { type Database, openDatabase } from "../../packages/council-postgres/src/database/database.ts";
import { startEmbedded } from "../../packages/council-postgres/src/database/embedded/embedded.ts";
import { openTasks } from "../../packages/council-postgres/src/tasks/open-tasks.ts";
import { testEngine } from "../../packages/council-postgres/test/task-engine.ts";
import type { Row, Suite } from "../suite.ts";

const K = 3;
/** That of gpt-4.1-mini in the MAKER paper. */
const ERROR_RATE = 0.0022;
const option = (name: string) =>
  process.argv.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
const DISKS = Number(option("disks") ?? 17);
const STEPS = 2 ** DISKS - 1;

export const suite: Suite = {
  title: "A long task",
  about:
    `Towers of Hanoi with ${DISKS} disks, ${STEPS.toLocaleString("en")} steps, k = ${K}, on a simulated model that errs in ` +
    `${ERROR_RATE * 100} % of its answers, always with the same wrong move. One task, one instance, one embedded PostgreSQL; every ` +
    "decided step is on disk before the next begins. Bare is what the theory of the paper says.",
  run,
};

async function run(): Promise<readonly Row[]> {
  const kept = option("data");
  const folder = kept ?? (await mkdtemp(join(tmpdir(), "council-bench-")));
  const postgres = await startEmbedded(folder);
  const db = openDatabase(postgres.url, { applicationName: "council-bench" });
  const engine = await testEngine(hanoiModel({ errorRate: ERROR_RATE, seed: Date.now() }));
  const tasks = await openTasks({ db, engine, executorId: "bench", log: console.error });
  try {
    const sizeBefore = await databaseSize(db);
    const [open] = await tasks.list({ limit: 1 });
    const { id, step: before } = open ?? (await tasks.create(hanoiTask(DISKS, { k: K })));
    const { task, seconds, memory } = await watch(tasks, id);
    const bytes = ((await databaseSize(db)) - (before === 0 ? sizeBefore : 0)) / STEPS;
    const errors = await countErrors(tasks, id);
    return rows({ task, seconds, memory, bytes, errors, decided: task.step - before });
  } finally {
    await tasks.close();
    await db.close();
    await postgres.stop();
    if (kept === undefined) await rm(folder, { recursive: true, force: true });
  }
}

interface Measured {
  readonly task: TaskView;
  readonly seconds: number;
  /** The size of the heap in MB, at ten moments. */
  readonly memory: readonly number[];
  readonly bytes: number;
  readonly errors: number;
  readonly decided: number;
}

function rows({ task, seconds, memory, bytes, errors, decided }: Measured): Row[] {
  const perStep = task.usage.calls / STEPS;
  const theory = expectedVotes(1 - ERROR_RATE, K);
  const chance = 1 - chanceRight(1 - ERROR_RATE, K) ** STEPS;
  const ratio = perStep / theory;
  return [
    {
      what: "steps decided wrongly",
      bare: `${(chance * 100).toFixed(2)} % chance of any`,
      ours: String(errors),
      target: "none",
      met: errors === 0 && task.step === STEPS,
      note: "in the paper: 0 of 1,048,575",
    },
    {
      what: "calls per step",
      bare: theory.toFixed(4),
      ours: perStep.toFixed(4),
      ratio,
      target: "within 2 % of theory",
      met: Math.abs(ratio - 1) < 0.02,
    },
    { what: "steps per second", ours: (decided / seconds).toFixed(0) },
    { what: "time", ours: `${(seconds / 60).toFixed(1)} min` },
    {
      what: "bytes per step in the database",
      ours: bytes.toFixed(0),
      target: "under 1000",
      met: bytes < 1000,
    },
    { what: "heap in use, at ten moments", ours: `${memory.join(", ")} MB` },
    { what: "contested steps", ours: String(task.contested) },
  ];
}

/** A bar on a terminal; elsewhere a line with the time now and then, so that a run that is cut short leaves its figures. */
async function watch(tasks: Tasks, id: string): Promise<Pick<Measured, "task" | "seconds" | "memory">> {
  const started = performance.now();
  const memory: number[] = [];
  for (let tick = 0; ; tick++) {
    const task = await tasks.get(id);
    const seconds = (performance.now() - started) / 1000;
    const share = task.step / STEPS;
    const heap = Math.round(process.memoryUsage().heapUsed / 1e6);
    while (memory.length < Math.floor(share * 10)) memory.push(heap);
    const left = task.rate > 0 ? `${((STEPS - task.step) / task.rate / 60).toFixed(0)} min left` : "";
    const figures = `${task.step}/${STEPS}  ${(share * 100).toFixed(1)} %  ${task.rate.toFixed(0)} steps/s  ${left}`;
    if (process.stderr.isTTY) {
      const filled = Math.round(share * 30);
      process.stderr.write(`\r[${"#".repeat(filled)}${"-".repeat(30 - filled)}] ${figures}\x1b[K`);
    } else if (tick % 15 === 0 || share === 1) {
      const rss = Math.round(process.memoryUsage.rss() / 1e6);
      const calls = (task.usage.calls / Math.max(1, task.step)).toFixed(4);
      process.stderr.write(
        `${new Date().toISOString()} ${seconds.toFixed(0)} s  ${figures}  ${calls} calls/step  ${task.contested} contested  heap ${heap} MB  rss ${rss} MB\n`,
      );
    }
    if (task.status !== "queued" && task.status !== "running") {
      // The table begins on a line of its own.
      if (process.stderr.isTTY) process.stderr.write("\n");
      if (task.status !== "complete") throw new Error(`${task.status}: ${JSON.stringify(task.error)}`);
      return { task, seconds, memory };
    }
    await sleep(2000);
  }
}

async function countErrors(tasks: Tasks, id: string): Promise<number> {
  let errors = 0;
  for (let from = 1; from <= STEPS; ) {
    const page = await tasks.steps(id, from, 1000);
    if (page.length === 0) throw new Error(`step ${from} is not recorded`);
    for (const { step, answer } of page) {
      const { from: a, to: b } = hanoiMove(step);
      const given = answer as { from: string; to: string };
      if (given.from !== a || given.to !== b) errors++;
    }
    from += page.length;
  }
  return errors;
}

async function databaseSize(db: Database): Promise<number> {
  const [row] = await db.query<{ size: number }>("SELECT pg_database_size(current_database()) AS size");
  return row!.size;
}
