import { expect, onTestFinished, test } from "vitest";
import { createEmptyDatabase } from "../../council-postgres/test/database.ts";
import { startFakeProvider } from "../../fake-provider/src/server.ts";
import { post, readEvents } from "./harness.ts";
import { longTask } from "./long-task.ts";
import { type Started, startProcess } from "./process.ts";
import { readJson } from "./read-json.ts";

const STEPS = longTask(2000);
const PLAN = { kind: "plan", prompt: "Write a report" };
/** A loaded machine is slow. */
const WAIT = { timeout: 120_000, interval: 50 };

async function task(at: Started, path: string, sent?: unknown) {
  const url = `${at.url}/tasks${path}`;
  const response = await (sent === undefined ? fetch(url) : post(url, sent));
  expect(response.status, url).toBeLessThan(300);
  return readJson(response);
}

test("[TS-shared] two services on one database are one: what starts on one is followed, steered and answered on the other, and outlives kill -9", async () => {
  const databaseUrl = await createEmptyDatabase();
  const provider = await startFakeProvider({ behaviour: { latency: { median_ms: 10 } } });
  onTestFinished(() => provider.close());
  const env = { DATABASE_URL: databaseUrl, MAKER_API_URL: provider.url, MAKER_API_MODEL: "sim" };
  const [one, other] = await Promise.all([startProcess(env), startProcess(env)]);
  const status = async (id: string) => (await task(other, `/${id}`)).status;

  const steps = (await task(one, "", STEPS)).id;
  await expect
    .poll(async () => (await task(other, `/${steps}/steps?from=5`)).steps.length, WAIT)
    .toBeGreaterThan(0);
  expect((await task(other, "")).tasks.map(({ id }: { id: string }) => id)).toEqual([steps]);
  const followed = fetch(`${other.url}/tasks/${steps}/events`);
  await task(other, `/${steps}/pause`, {});
  await expect.poll(() => status(steps), WAIT).toBe("paused");
  const { step } = await task(one, `/${steps}`);
  await task(one, `/${steps}/resume`, {});
  await expect.poll(async () => (await task(other, `/${steps}`)).step, WAIT).toBeGreaterThan(step);
  expect(await task(other, `/${steps}/cancel`, {})).toMatchObject({ status: "cancelled" });
  const events = await readEvents(await followed);
  const decided = events.filter(({ event }) => event === "step.decided").map(({ id }) => Number(id));
  expect(decided).toEqual(Array.from(decided, (_, i) => i + 1));
  expect(decided.length).toBeGreaterThan(step);
  expect(events.at(-1)).toMatchObject({ event: "task.end" });

  provider.script({ rules: [{ contains: "Do step 2", reply: { kind: "refusal" } }] });
  const answered = (await task(one, "", PLAN)).id;
  await expect.poll(() => status(answered), WAIT).toBe("paused");
  provider.script({});
  await task(other, `/${answered}/steps/2`, { answer: "as a person knows it" });
  await expect.poll(() => status(answered), WAIT).toBe("complete");
  expect((await task(one, `/${answered}/steps`)).steps).toMatchObject([
    { step: 1 },
    { step: 2, by: "person", answer: "as a person knows it" },
    { step: 3 },
  ]);

  // Only one is left, and gets the plan; its third step hangs until there is another service.
  other.child.kill("SIGKILL");
  await other.exited;
  provider.script({ rules: [{ contains: "Do step 3", reply: { kind: "hang" } }] });
  const killed = (await task(one, "", PLAN)).id;
  await expect.poll(async () => (await task(one, `/${killed}`)).step, WAIT).toBe(2);
  const before = (await task(one, `/${killed}`)).usage.calls;
  const third = await startProcess(env);
  one.child.kill("SIGKILL");
  await one.exited;
  // What was solved is not asked again: it would stay undecided now.
  const refused = ["Do step 1", "Do step 2"].map((contains) => ({
    contains,
    reply: { kind: "refusal" as const },
  }));
  provider.script({ rules: refused });
  await expect.poll(async () => (await task(third, `/${killed}`)).status, WAIT).toBe("complete");
  const { result, usage, step: done } = await task(third, `/${killed}`);
  expect({ result, done }).toEqual({ result: expect.stringMatching(/\w/), done: 3 });
  // Every call is counted, and an estimate of what the killed service spent.
  expect(usage.calls - before).toBeGreaterThanOrEqual(provider.stats.arrivals);
}, 300_000);
