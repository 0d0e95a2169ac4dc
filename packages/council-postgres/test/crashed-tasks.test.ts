import { expect, onTestFinished, test } from "vitest";
import { hanoiModel, hanoiMove, hanoiTask } from "../../council/test/hanoi.ts";
import { openTasks } from "../src/tasks/open-tasks.ts";
import { testEngine } from "./task-engine.ts";
import { createTaskProcesses, type TaskProcess, WAIT_MS } from "./task-processes.ts";
import { until } from "./until.ts";

const DISKS = 5;
const STEPS = 2 ** DISKS - 1;
const K = 2;
const KILLS = 2;

test("[TD-crash] kill -9 of the instance at work, again and again: every step once, at most one voted on again for each kill", async () => {
  const on = await createTaskProcesses();
  onTestFinished(() => on.close());
  await on.store("crash", hanoiTask(DISKS, { k: K }));
  const instances = new Map<string, TaskProcess>();
  const start = async (id: string) => instances.set(id, await on.start(id));
  await Promise.all([start("a0"), start("b0")]);
  for (let kill = 1; kill <= KILLS; kill++) {
    await until(async () => Number(on.calls().at(-1)?.work) >= (STEPS / (KILLS + 1)) * kill, WAIT_MS);
    const { instance } = on.calls().at(-1)!;
    instances.get(instance)!.child.kill("SIGKILL");
    await start(`${instance[0]}${kill}`);
  }
  await on.untilComplete("crash");
  on.killAll();

  const engine = await testEngine(hanoiModel({ errorRate: 0 }));
  const reader = await openTasks({ db: on.db, engine, executorId: "reader", log: () => {} });
  const steps = await reader.steps("crash", 1, 1000);
  const { usage } = await reader.get("crash");
  await reader.close();
  expect(steps.map(({ step }) => step)).toEqual(Array.from({ length: STEPS }, (_, i) => i + 1));
  for (const { step, answer } of steps) expect(answer).toMatchObject(hanoiMove(step));
  const perStep = Map.groupBy(on.calls(), ({ work }) => work);
  const votedAgain = [...perStep.values()].filter(({ length }) => length > K).length;
  expect(votedAgain).toBeLessThanOrEqual(KILLS);
  // The last kill may come too late on a busy machine.
  expect(new Set(on.calls().map(({ instance }) => instance)).size).toBeGreaterThanOrEqual(KILLS);
  // The budget knows what was recorded, and an estimate of what the killed ones spent.
  expect(usage.calls).toBeGreaterThanOrEqual(STEPS * K);
  expect(usage.calls).toBeLessThanOrEqual((STEPS + KILLS) * K);
}, 300_000);

/** Others need not wait long for a process that was killed. */
const timing = { heartbeatMs: 200, leaseMs: 1000 };

/** Ends instances one after the other while each waits for the model at the second move. */
async function endWhileWaiting(
  on: Awaited<ReturnType<typeof createTaskProcesses>>,
  ends: readonly (readonly [id: string, signal: "SIGTERM" | "SIGKILL"])[],
): Promise<void> {
  for (const [id, signal] of ends) {
    const { child, exited } = await on.start(id, { timing, hangAt: ["2"] });
    const waits = () => on.calls().filter((call) => call.work === "2" && call.instance === id).length === K;
    await until(async () => waits(), WAIT_MS);
    child.kill(signal);
    expect(await exited).toBe(signal === "SIGTERM" ? 0 : null);
  }
}

test("[TD-crasher] a step that ends the process again and again while it is evaluated fails its task, and the next instance lives; processes that end while they wait for the model do not count", async () => {
  const on = await createTaskProcesses();
  onTestFinished(() => on.close());
  await on.store("crasher", hanoiTask(2, { k: K }));
  await endWhileWaiting(on, [
    ["k1", "SIGKILL"],
    ["k2", "SIGKILL"],
    ["k3", "SIGKILL"],
    ["k4", "SIGKILL"],
    ["s1", "SIGTERM"],
  ]);
  for (const id of ["c1", "c2", "c3"]) {
    const { exited } = await on.start(id, { timing, dieAt: ["2"] });
    await exited;
    expect((await on.find("crasher")).status).toBe("running");
  }
  const survivor = await on.start("c4", { timing, dieAt: ["2"] });
  await until(async () => (await on.find("crasher")).status === "failed", WAIT_MS);
  const { error } = await on.find("crasher");
  expect(error?.code).toBe("crashed");
  expect(error?.message).toContain("2 times");
  expect(survivor.child.exitCode).toBeNull();
}, 300_000);

test("[TD-budget] calls of processes that were killed are counted: nothing is spent above max_calls", async () => {
  const on = await createTaskProcesses();
  onTestFinished(() => on.close());
  const task = hanoiTask(2, { k: K });
  const max_calls = 3 * K;
  await on.store("budget", { ...task, config: { ...task.config, max_calls } });
  await endWhileWaiting(on, [
    ["k1", "SIGKILL"],
    ["k2", "SIGKILL"],
  ]);
  await on.start("last", { timing });
  await until(async () => (await on.find("budget")).status === "paused", WAIT_MS);
  expect((await on.find("budget")).error?.code).toBe("budget");
  expect(on.calls()).toHaveLength(max_calls);
}, 300_000);
