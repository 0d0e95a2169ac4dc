import { afterEach, beforeAll, expect, test } from "vitest";
import { hanoiTask } from "../../council/test/hanoi.ts";
import { createTaskProcesses, WAIT_MS } from "./task-processes.ts";
import { until } from "./until.ts";

/** A lease of one second. */
const timing = { heartbeatMs: 100, leaseMs: 1000, sweepMs: 100 };
let on: Awaited<ReturnType<typeof createTaskProcesses>>;

beforeAll(async () => {
  on = await createTaskProcesses();
});
afterEach(() => on.killAll());

const callsOf = (id: string) => on.calls().filter(({ instance }) => instance === id);

test("[TD-fence] an instance that is stopped for longer than its lease writes nothing when it wakes up, says why, and ends", async () => {
  await on.store("stopped", hanoiTask(7, { k: 2 }));
  const instances = await Promise.all(["s0", "s1"].map((id) => on.start(id, { timing })));
  await auditWrites();
  await until(async () => on.calls().length > 20, WAIT_MS);
  const stopped = instances.find(({ id }) => id === on.calls().at(-1)!.instance)!;
  const other = instances.find((one) => one !== stopped)!;
  stopped.child.kill("SIGSTOP");
  await until(async () => callsOf(other.id).length > 20, WAIT_MS);
  const [declared] = await on.db.query<{ at: Date }>("SELECT clock_timestamp() AS at");
  expect(await writesOf(stopped.id, new Date(0))).toBeGreaterThan(10);
  stopped.child.kill("SIGCONT");
  expect(await stopped.exited).toBe(3);
  expect(stopped.output()).toContain(`instance ${stopped.id} was declared dead by another instance`);
  expect(await writesOf(stopped.id, declared!.at)).toBe(0);
  await on.untilComplete("stopped");
  expect(await recordedSteps("stopped.1-0")).toBe(127);
}, 300_000);

test("[TD-crash] a plan goes on after kill -9 with what is solved: no finished step is paid for again, and the result is whole", async () => {
  const before = on.calls().length;
  await on.store("plan", { kind: "plan", prompt: "Write a report in four parts" });
  const instances = await Promise.all(["p0", "p1"].map((id) => on.start(id, { timing, latencyMs: 200 })));
  const calls = () => on.calls().slice(before);
  await until(async () => calls().some(({ work }) => work === "3"), WAIT_MS);
  const { instance } = calls().at(-1)!;
  instances.find(({ id }) => id === instance)!.child.kill("SIGKILL");
  await on.untilComplete("plan");
  const by = (work: string) => [
    ...new Set(calls().flatMap((call) => (call.work === work ? [call.instance] : []))),
  ];
  for (const finished of ["decompose", "1", "2"]) expect(by(finished)).toEqual([instance]);
  const [other] = by("4");
  expect(other).not.toBe(instance);
  expect(by("synthesis")).toEqual([other]);
  const { step, result, progress } = await on.find("plan");
  expect({ step, result }).toEqual({ step: 4, result: expect.stringContaining("part synthesis") });
  // What is charged is what was recorded: every call but those of the step that was cut off.
  expect(progress.spent.calls).toBeLessThanOrEqual(calls().length);
}, 300_000);

test("[I-clock] instances whose clocks differ by hours share tasks and take them over", async () => {
  const hour = 3_600_000;
  const before = on.calls().length;
  await on.store("skewed", hanoiTask(6, { k: 2 }));
  const instances = await Promise.all([
    on.start("early", { timing, skewMs: -hour }),
    on.start("late", { timing, skewMs: 2 * hour }),
  ]);
  await until(async () => on.calls().length > before + 20, WAIT_MS);
  const victim = instances.find(({ id }) => id === on.calls().at(-1)!.instance)!;
  victim.child.kill("SIGKILL");
  await on.untilComplete("skewed");
  expect(
    new Set(
      on
        .calls()
        .slice(before)
        .map(({ instance }) => instance),
    ).size,
  ).toBe(2);
  const { started_at, ended_at } = await on.find("skewed");
  // Times are those of the database.
  expect(ended_at!.getTime() - started_at!.getTime()).toBeLessThan(hour / 2);
  expect(Math.abs(started_at!.getTime() - Date.now())).toBeLessThan(hour / 2);
}, 300_000);

/** Every write of a task is noted with the connection's name and the time. */
async function auditWrites(): Promise<void> {
  await on.db.query("CREATE TABLE writes (by text, at timestamptz, what text)");
  await on.db.query(`CREATE FUNCTION note_write() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN
      INSERT INTO writes VALUES (current_setting('application_name'), clock_timestamp(), TG_TABLE_NAME || ' ' || TG_OP);
      RETURN NULL;
    END $$`);
  for (const table of [
    "council.tasks",
    "council.task_chunks",
    "dbos.operation_outputs",
    "dbos.workflow_status",
  ])
    await on.db.query(
      `CREATE TRIGGER note AFTER INSERT OR UPDATE OR DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION note_write()`,
    );
}

async function writesOf(instance: string, since: Date): Promise<number> {
  const rows = await on.db.query<{ what: string }>(
    "SELECT what FROM writes WHERE strpos(by, $1) > 0 AND at > $2",
    [instance, since],
  );
  if (since.getTime() > 0 && rows.length) console.log(rows);
  return rows.length;
}

async function recordedSteps(workflow: string): Promise<number> {
  const rows = await on.db.query(
    "SELECT function_id FROM dbos.operation_outputs WHERE workflow_uuid = $1 AND function_name = 'step'",
    [workflow],
  );
  return rows.length;
}
