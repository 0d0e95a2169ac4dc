import { expect, onTestFinished, test } from "vitest";
import { hanoiModel, hanoiMove, hanoiTask } from "../../council/test/hanoi.ts";
import { openTasks } from "../src/tasks/tasks.ts";
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
  await reader.close();
  expect(steps.map(({ step }) => step)).toEqual(Array.from({ length: STEPS }, (_, i) => i + 1));
  for (const { step, answer } of steps) expect(answer).toMatchObject(hanoiMove(step));
  const perStep = Map.groupBy(on.calls(), ({ work }) => work);
  const votedAgain = [...perStep.values()].filter(({ length }) => length > K).length;
  expect(votedAgain).toBeLessThanOrEqual(KILLS);
  // The last kill may come too late on a busy machine.
  expect(new Set(on.calls().map(({ instance }) => instance)).size).toBeGreaterThanOrEqual(KILLS);
  // The budget knows what was recorded, and an estimate of what the killed ones spent.
  const { spent: usage } = (await on.find("crash")).progress;
  expect(usage.calls).toBeGreaterThanOrEqual(STEPS * K);
  expect(usage.calls).toBeLessThanOrEqual((STEPS + KILLS) * K);
}, 300_000);
