import { afterAll, beforeAll, expect, test } from "vitest";
import { hanoiTask } from "../../council/test/hanoi.ts";
import { createTaskProcesses, WAIT_MS } from "./task-processes.ts";
import { until } from "./until.ts";

const timing = { heartbeatMs: 200, leaseMs: 1000 };
/** The first instance gets no further than this, so that there is something left for the next. */
const hangAt = ["40", "plan-3"];
const steps = hanoiTask(6, { k: 2 });
let on: Awaited<ReturnType<typeof createTaskProcesses>>;

beforeAll(async () => {
  on = await createTaskProcesses();
}, WAIT_MS);
afterAll(() => on.close());

const asked = (work: string) => on.calls().filter((call) => call.work === work);
const by = (work: string) => [...new Set(asked(work).map(({ instance }) => instance))];

test("[TD-upgrade] a newer version continues what the last instance of the older one left, and an older one leaves alone what it does not know", async () => {
  const first = await on.start("first", { timing, hangAt, workflowVersion: 2 });
  await on.store("steps", steps);
  await on.store("plan", { kind: "plan", prompt: "Write a report in four parts" });
  await until(async () => asked("40").length > 0 && asked("plan-3").length > 0, WAIT_MS);
  const second = await on.start("second", { timing, workflowVersion: 3 });
  expect(by("41")).toEqual([]);
  first.child.kill("SIGKILL");
  await Promise.all([on.untilComplete("steps"), on.untilComplete("plan")]);
  expect(second.output()).toContain("task steps goes on in this version (workflows 2 before)");
  // Nothing that was decided is asked again.
  expect([by("39"), by("40"), by("63")]).toEqual([["first"], ["first", "second"], ["second"]]);
  expect([by("decompose"), by("plan-2"), by("plan-4")]).toEqual([["first"], ["first"], ["second"]]);
  expect(await on.find("steps")).toMatchObject({ step: 63, result: { b: "abcdef" } });
  expect(await on.find("plan")).toMatchObject({ step: 4, result: expect.stringContaining("synthesis") });

  second.child.kill("SIGKILL");
  const third = await on.start("third", { timing, hangAt, workflowVersion: 4 });
  await on.store("newer", steps, 4);
  await until(async () => by("40").includes("third"), WAIT_MS);
  const older = await on.start("older", { timing, workflowVersion: 3 });
  third.child.kill("SIGKILL");
  await until(
    async () => older.output().includes("task newer waits for an instance of a newer version"),
    WAIT_MS,
  );
  await until(async () => (await on.find("newer")).status === "queued", WAIT_MS);
  await on.start("fourth", { timing, workflowVersion: 4 });
  await on.untilComplete("newer");
  expect(by("63")).toEqual(["second", "fourth"]);
  expect(on.calls().some(({ instance }) => instance === "older")).toBe(false);
}, 600_000);
