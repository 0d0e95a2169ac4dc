import { afterAll, beforeAll, expect, test } from "vitest";
import { hanoiTask } from "../../council/test/hanoi.ts";
import { createTaskProcesses, WAIT_MS } from "./task-processes.ts";
import { until } from "./until.ts";

const timing = { heartbeatMs: 200, leaseMs: 1000 };
const LIMIT = 4;
const TASKS = 6;
/** A step takes so long that no task ends while the test waits; a task moves between two steps. */
const options = { timing, latencyMs: 150, maxTasks: LIMIT };
let on: Awaited<ReturnType<typeof createTaskProcesses>>;

beforeAll(async () => {
  on = await createTaskProcesses();
}, WAIT_MS);
afterAll(() => on.close());

/** Running tasks by instance; those that wait are not among them. */
async function running(): Promise<Record<string, number>> {
  const rows = await on.db.query<{ id: string; count: number }>(
    "SELECT executor_id AS id, count(*) AS count FROM dbos.workflow_status WHERE status = 'PENDING' GROUP BY 1 ORDER BY 1",
  );
  return Object.fromEntries(rows.map(({ id, count }) => [id, count]));
}

const is = (expected: Record<string, number>) => async () =>
  JSON.stringify(await running()) === JSON.stringify(expected);

test("[TD-limit] a takeover respects the limit of the instance that is left, and tasks spread evenly over those that come", async () => {
  const [a] = await Promise.all([on.start("a", options), on.start("b", { ...options, maxTasks: LIMIT })]);
  for (let i = 0; i < TASKS; i++) await on.store(`task${i}`, { ...hanoiTask(12, { k: 2 }), max_steps: 4000 });
  await until(is({ a: 3, b: 3 }), WAIT_MS);
  // Watched all the time: a limit that is exceeded for a moment is exceeded.
  let most = 0;
  const watch = setInterval(async () => {
    const counts = await running().catch(() => ({}) as Record<string, number>);
    most = Math.max(most, counts.b ?? 0);
  }, 20);
  try {
    a.child.kill("SIGKILL");
    await until(is({ b: LIMIT }), WAIT_MS);
    expect((await on.find("task0")).status).toMatch(/queued|running/);
    // The limit is each instance's own, not that of the last one started.
    await on.start("c", { ...options, maxTasks: 1 });
    await until(is({ b: LIMIT, c: 1 }), WAIT_MS);
    await on.start("d", options);
    await until(async () => {
      const { b = 0, c = 0, d = 0 } = await running();
      return c === 1 && Math.abs(b - d) <= 1 && b + c + d === TASKS;
    }, WAIT_MS);
  } finally {
    clearInterval(watch);
  }
  expect(most).toBe(LIMIT);
}, 300_000);
