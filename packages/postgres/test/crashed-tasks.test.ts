import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hanoiModel, hanoiMove, hanoiTask } from "../../council/test/hanoi.ts";
import { type Database, openDatabase } from "../src/database/database.ts";
import { migrate } from "../src/database/migrate.ts";
import { TASK_TABLES } from "../src/tasks/tables.ts";
import { insertTask, type TaskRow } from "../src/tasks/task-rows.ts";
import { openTasks } from "../src/tasks/tasks.ts";
import { createTestDatabase } from "./database.ts";
import { testEngine } from "./task-engine.ts";
import { until } from "./until.ts";

const DISKS = 6;
const STEPS = 2 ** DISKS - 1;
const K = 2;
const KILLS = 3;
let url: string;
let db: Database;
let folder: string;
const children = new Map<string, ChildProcess>();

beforeAll(async () => {
  url = await createTestDatabase();
  db = openDatabase(url, { applicationName: "observer" });
  folder = mkdtempSync(join(tmpdir(), "council-crash-"));
});
afterAll(async () => {
  for (const child of children.values()) child.kill("SIGKILL");
  await db.close();
  rmSync(folder, { recursive: true, force: true });
});

const program = fileURLToPath(new URL("./fixtures/task-instance.ts", import.meta.url));

async function start(id: string): Promise<void> {
  const child = spawn(process.execPath, [program, url, id, join(folder, "calls")]);
  children.set(id, child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
  await until(async () => output.includes("ready"), 30_000).catch(() => expect.fail(output));
}

/** `step instance`, one for each call. */
const calls = () =>
  readFileSync(join(folder, "calls"), "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(" ") as [step: string, instance: string]);

test("[TD-crash] kill -9 of the instance at work, again and again: every step once, at most one voted on again for each kill", async () => {
  const engine = await testEngine(hanoiModel({ errorRate: 0 }));
  const spec = hanoiTask(DISKS, { k: K });
  // Stored but not queued, as by a process that was killed between the two.
  await migrate(db, TASK_TABLES);
  await insertTask(db, { id: "crash", spec, progress: engine.steps(spec).start() });
  await db.query("UPDATE council.tasks SET updated_at = now() - interval '1 hour'");
  await Promise.all([start("a0"), start("b0")]);
  for (let kill = 1; kill <= KILLS; kill++) {
    await until(async () => Number(calls().at(-1)?.[0]) >= (STEPS / (KILLS + 1)) * kill, 60_000);
    const [, victim] = calls().at(-1)!;
    children.get(victim)!.kill("SIGKILL");
    await start(`${victim[0]}${kill}`);
  }
  const task = async () => (await db.query<TaskRow>("SELECT * FROM council.tasks"))[0]!;
  await until(async () => (await task()).status === "complete", 60_000);
  for (const child of children.values()) child.kill("SIGKILL");

  const reader = await openTasks({ db, engine, executorId: "reader", log: () => {} });
  const steps = await reader.steps("crash", 1, 1000);
  await reader.close();
  expect(steps.map(({ step }) => step)).toEqual(Array.from({ length: STEPS }, (_, i) => i + 1));
  for (const { step, answer } of steps) expect(answer).toMatchObject(hanoiMove(step));
  const perStep = Map.groupBy(calls(), ([step]) => step);
  const votedAgain = [...perStep.values()].filter(({ length }) => length > K).length;
  expect(votedAgain).toBeLessThanOrEqual(KILLS);
  expect(new Set(calls().map(([, instance]) => instance)).size).toBe(KILLS + 1);
  // The budget knows what was recorded, and an estimate of what the killed ones spent.
  const { spent: usage } = (await task()).progress;
  expect(usage.calls).toBeGreaterThanOrEqual(STEPS * K);
  expect(usage.calls).toBeLessThanOrEqual((STEPS + KILLS) * K);
}, 120_000);
