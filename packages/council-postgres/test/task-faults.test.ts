import { afterAll, beforeAll, expect, test } from "vitest";
import { hanoiTask } from "../../council/test/hanoi.ts";
import { planProgress } from "../src/tasks/plan/plan-progress.ts";
import type { PlanCharges, PlanRecord } from "../src/tasks/store/task-records.ts";
import { createTaskProcesses, type TaskProcess, WAIT_MS } from "./task-processes.ts";
import { until } from "./until.ts";

const HOUR_MS = 3_600_000;
/** A lease of one second; calls of a plan are slow enough to be interrupted. */
const options = { timing: { heartbeatMs: 200, leaseMs: 1000 }, planLatencyMs: 200 };
let on: Awaited<ReturnType<typeof createTaskProcesses>>;
/** The clocks of their machines are wrong. */
let instances: TaskProcess[];

beforeAll(async () => {
  on = await createTaskProcesses();
  instances = await Promise.all([
    on.start("early", { ...options, skewMs: -HOUR_MS }),
    on.start("late", { ...options, skewMs: 2 * HOUR_MS }),
  ]);
}, WAIT_MS);
afterAll(() => on.close());

/** The instance that made the last call, and another one. */
function atWork(): [TaskProcess, TaskProcess] {
  const last = on.calls().at(-1)!.instance;
  return [instances.find(({ id }) => id === last)!, instances.find(({ id }) => id !== last)!];
}

test("[TD-crash] [I-clock] a plan goes on after kill -9 with what is solved: no finished step is paid for again, and the result is whole", async () => {
  await on.store("plan", { kind: "plan", prompt: "Write a report in four parts" });
  await until(async () => on.calls().some(({ work }) => work === "plan-3"), WAIT_MS);
  const [killed, other] = atWork();
  killed.child.kill("SIGKILL");
  await on.untilComplete("plan");
  const by = (work: string) => [
    ...new Set(on.calls().flatMap((call) => (call.work === work ? [call.instance] : []))),
  ];
  for (const finished of ["decompose", "plan-1", "plan-2"]) expect(by(finished)).toEqual([killed.id]);
  for (const open of ["plan-4", "synthesis"]) expect(by(open)).toEqual([other.id]);
  const { result, progress, started_at, ended_at } = await on.find("plan");
  const { step, spent } = planProgress(progress as PlanCharges, await on.steps<PlanRecord>("plan", 0, 100));
  expect({ step, result }).toEqual({ step: 4, result: expect.stringContaining("the text of synthesis") });
  // Charged is what was recorded and, for the step that was cut off, what a step takes: a council of four calls.
  expect(Math.abs(spent.calls - on.calls().length)).toBeLessThanOrEqual(4);
  // Times are those of the database.
  expect(Math.abs(started_at!.getTime() - Date.now())).toBeLessThan(HOUR_MS / 2);
  expect(Math.abs(ended_at!.getTime() - Date.now())).toBeLessThan(HOUR_MS / 2);
  instances = [other, await on.start("third", options)];
}, 300_000);

test("[TD-fence] an instance that is stopped for longer than its lease writes nothing when it wakes up, says why, and ends", async () => {
  const before = on.calls().length;
  const callsOf = ({ id }: TaskProcess) =>
    on
      .calls()
      .slice(before)
      .filter(({ instance }) => instance === id);
  await auditWrites();
  await on.store("steps", hanoiTask(6, { k: 2 }));
  await until(async () => on.calls().length > before + 20, WAIT_MS);
  const [stopped, other] = atWork();
  stopped.child.kill("SIGSTOP");
  await until(async () => callsOf(other).length > 20, WAIT_MS);
  const [taken] = await on.db.query<{ at: Date }>("SELECT clock_timestamp() AS at");
  stopped.child.kill("SIGCONT");
  expect(await stopped.exited).toBe(3);
  expect(stopped.output()).toContain(`instance ${stopped.id} was declared dead by another instance`);
  await on.untilComplete("steps");
  const writes = await writesOf(stopped.id);
  // It did write before: the test would see it.
  expect(writes.filter(({ at }) => at < taken!.at).length).toBeGreaterThan(10);
  expect(writes.filter(({ at }) => at >= taken!.at)).toEqual([]);
  expect((await on.steps("steps", 1, 100)).map(({ step }) => step)).toEqual(
    Array.from({ length: 63 }, (_, i) => i + 1),
  );
}, 300_000);

/** Every write of a task is noted with the connection's name and the time. */
async function auditWrites(): Promise<void> {
  await on.db.query("CREATE TABLE public.writes (by text, at timestamptz, what text)");
  await on.db.query(`CREATE FUNCTION note_write() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN
      INSERT INTO public.writes VALUES (current_setting('application_name'), clock_timestamp(), TG_TABLE_NAME || ' ' || TG_OP);
      RETURN NULL;
    END $$`);
  for (const table of ["council.tasks", "council.task_steps", "dbos.workflow_status"])
    await on.db.query(
      `CREATE TRIGGER note AFTER INSERT OR UPDATE OR DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION note_write()`,
    );
}

async function writesOf(instance: string): Promise<{ what: string; at: Date }[]> {
  return on.db.query("SELECT what, at FROM public.writes WHERE by = $1", [`council-${instance}`]);
}
