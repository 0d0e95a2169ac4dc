/** One long task on three instances that are killed again and again. Only the model is simulated. */
import type { ChildProcess } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hanoiModel, hanoiMove, hanoiTask } from "../../packages/council/test/hanoi.ts";
import { seededRandom } from "../../packages/council/test/seeded-random.ts";
import { openTasks } from "../../packages/council-postgres/src/tasks/open-tasks.ts";
import { createTaskStore } from "../../packages/council-postgres/src/tasks/store/task-store.ts";
import { testEngine } from "../../packages/council-postgres/test/task-engine.ts";
import type { Row, Suite } from "../suite.ts";
import { type TaskDatabase, withTaskDatabase } from "./task-processes.ts";

const STEPS = 10_000;
const KILLS = 100;
const INSTANCES = 3;
const K = 3;
const ID = "hanoi";

export const suite: Suite = {
  title: "A long task under kill -9",
  about:
    `The first ${STEPS.toLocaleString("en")} moves of Towers of Hanoi with 14 disks as one task, k = ${K}, a simulated model that takes 5 ms, ` +
    `${INSTANCES} instances and one PostgreSQL. ${KILLS} times a random instance is killed with SIGKILL and started again, and once PostgreSQL itself.`,
  run: () => withTaskDatabase(run),
};

async function run(database: TaskDatabase): Promise<readonly Row[]> {
  const { db, folder } = database;
  const callsFile = join(folder, "calls");
  const engine = await testEngine(hanoiModel({ errorRate: 0 }));
  const spec = { ...hanoiTask(14, { k: K }), until: `step >= \`${STEPS}\`` };
  const store = createTaskStore(db);
  const insert = () =>
    store.insert({ id: ID, spec, progress: engine.steps(spec).start(), workflowVersion: 2 });

  const started = performance.now();
  const { takeovers, atWork } = await killAtRandom(database, callsFile, insert);
  const seconds = (performance.now() - started) / 1000;

  const reader = await openTasks({ db, engine, executorId: "reader", log: () => undefined });
  let wrong = 0;
  let recorded = 0;
  for (let from = 1; from <= STEPS; from += 1000) {
    for (const { step, answer } of await reader.steps(ID, from, 1000)) {
      if (step !== ++recorded) throw new Error(`step ${step} stands where ${recorded} should`);
      const { from: a, to: b } = answer as { from: string; to: string };
      const right = hanoiMove(step);
      if (a !== right.from || b !== right.to) wrong++;
    }
  }
  await reader.close();
  const votedAgain = [...(await callsByStep(callsFile)).values()].filter((calls) => calls > K).length;
  const worst = takeovers.at(-1) ?? 0;
  return [
    {
      what: "steps recorded, each once",
      ours: String(recorded),
      target: String(STEPS),
      met: recorded === STEPS,
    },
    { what: "steps decided wrongly", ours: String(wrong), target: "none", met: wrong === 0 },
    {
      what: "kills of instances",
      ours: `${KILLS}, of which ${atWork} hit the one at work`,
    },
    {
      what: "steps voted on again",
      ours: String(votedAgain),
      target: "at most one for each kill, of PostgreSQL too",
      met: votedAgain <= KILLS + 1,
    },
    {
      what: "from a kill to the next vote elsewhere",
      ours: `median ${takeovers[takeovers.length >> 1]?.toFixed(1)} s, worst ${worst.toFixed(1)} s`,
      target: "within 10 s",
      met: worst < 10,
    },
    { what: "time", ours: `${seconds.toFixed(0)} s` },
  ];
}

/** Returns how long it took until another instance voted, shortest first. */
async function killAtRandom(
  { db, folder, start }: TaskDatabase,
  callsFile: string,
  insert: () => Promise<unknown>,
) {
  const random = seededRandom(7);
  const takeovers: number[] = [];
  let atWork = 0;
  const instances: { id: string; child: ChildProcess }[] = [];
  for (let i = 0; i < INSTANCES; i++) instances.push(await launch(i, 0));
  await insert();
  for (let kill = 1; kill <= KILLS; kill++) {
    await until(async () => (await lastCall()).step >= (STEPS / (KILLS + 1)) * kill);
    await sleep(random() * 100);
    const place = Math.floor(random() * INSTANCES);
    const victim = instances[place]!;
    const { instance } = await lastCall();
    const killedAt = performance.now();
    victim.child.kill("SIGKILL");
    if (kill === KILLS / 2) {
      await killPostgres(folder);
      // The instances that run wait for it by themselves; a new one does not start before.
      await until(async () => (await db.query("SELECT 1")).length === 1);
    } else if (instance === victim.id) {
      atWork++;
      await until(async () => (await lastCall()).instance !== victim.id);
      takeovers.push((performance.now() - killedAt) / 1000);
    }
    instances[place] = await launch(place, kill);
    if (kill % 10 === 0) console.error(`${kill} kills, step ${(await lastCall()).step}`);
  }
  await until(async () => (await createTaskStore(db).find(ID)).status === "complete");
  for (const { child } of instances) child.kill("SIGKILL");
  return { takeovers: takeovers.sort((a, b) => a - b), atWork };

  async function launch(place: number, generation: number) {
    const id = `${"abc"[place]}${generation}`;
    return { id, child: await start(id, { callsFile, latencyMs: 5 }) };
  }

  async function lastCall(): Promise<{ step: number; instance: string }> {
    const text = await readFile(callsFile, "utf8").catch(() => "");
    const [step = "0", instance = ""] = text
      .slice(text.trimEnd().lastIndexOf("\n") + 1)
      .trim()
      .split(" ");
    return { step: Number(step), instance };
  }
}

async function killPostgres(folder: string): Promise<void> {
  const [pid] = (await readFile(join(folder, "postgres", "data", "postmaster.pid"), "utf8")).split("\n");
  process.kill(Number(pid), "SIGKILL");
}

async function callsByStep(file: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const line of (await readFile(file, "utf8")).trim().split("\n")) {
    const [step = ""] = line.split(" ");
    counts.set(step, (counts.get(step) ?? 0) + 1);
  }
  return counts;
}

/** Errors count as not yet: PostgreSQL may be down. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 120_000;
  while (!(await holds().catch(() => false))) {
    if (performance.now() > end) throw new Error(`not true within two minutes: ${holds}`);
    await sleep(20);
  }
}
