/** A service that stands still for a minute with a task of its own. Real services and leases; only the model provider is simulated. */
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../packages/council-postgres/src/database/database.ts";
import { longTask } from "../../packages/council-server/test/long-task.ts";
import { startFakeProvider } from "../../packages/fake-provider/src/server.ts";
import type { Row, Suite } from "../suite.ts";
import { withTaskDatabase } from "./task-processes.ts";
import { eventually, startTaskService, type TaskService } from "./task-services.ts";

const STOP_MS = 60_000;
const TASK = longTask(2000);

export const suite: Suite = {
  title: "A service that is stopped for a minute",
  about:
    "Two services on one PostgreSQL, with the leases they have in production, and a task of 2,000 steps at a simulated provider that takes 20 ms. The service at work " +
    `gets SIGSTOP and ${STOP_MS / 1000} seconds later SIGCONT. Every write to a table of tasks is noted by a trigger with the connection it came from.`,
  run: () => withTaskDatabase(({ db, url }) => run(db, url)),
};

async function run(db: Database, databaseUrl: string): Promise<readonly Row[]> {
  const provider = await startFakeProvider({ behaviour: { latency: { median_ms: 20 } } });
  const services: TaskService[] = [];
  try {
    const env = { DATABASE_URL: databaseUrl, MAKER_API_URL: provider.url, MAKER_API_MODEL: "sim" };
    // The first is alone and gets the task.
    services.push(await startTaskService(env));
    await eventually(async () => (await owners(db)).length === 1);
    const [owner] = await owners(db);
    await noteWrites(db);
    const [stopped, other] = [services[0]!, await startTaskService(env)];
    services.push(other);
    const created = await fetch(`${stopped.url}/tasks`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(TASK),
    });
    const { id } = (await created.json()) as { id: string };
    const executor = async () =>
      (
        await db.query<{ by: string }>(
          "SELECT executor_id AS by FROM dbos.workflow_status WHERE workflow_uuid = $1",
          [id],
        )
      )[0]?.by;
    await eventually(async () => (await steps(db, id)) > 50);
    // Either may have taken it from the queue.
    const victim = (await executor()) === owner ? stopped : other;
    const victimId = (await executor())!;
    const survivor = victim === stopped ? other : stopped;
    victim.child.kill("SIGSTOP");
    const stoppedAt = performance.now();
    const before = await steps(db, id);
    // One step may have been on its way to the database.
    await eventually(async () => (await steps(db, id)) > before + 2);
    const takeover = (performance.now() - stoppedAt) / 1000;
    await sleep(STOP_MS - (performance.now() - stoppedAt));
    const [now] = await db.query<{ at: Date }>("SELECT clock_timestamp() AS at");
    const exited = once(victim.child, "exit");
    victim.child.kill("SIGCONT");
    const wokenAt = performance.now();
    const [code] = await exited;
    const ended = (performance.now() - wokenAt) / 1000;
    await eventually(async () => (await status(survivor, id)) === "complete");
    const [late] = await db.query<{ n: number }>(
      "SELECT count(*) AS n FROM public.writes WHERE by = $1 AND at >= $2",
      [`council-${victimId}`, now!.at],
    );
    const [early] = await db.query<{ n: number }>("SELECT count(*) AS n FROM public.writes WHERE by = $1", [
      `council-${victimId}`,
    ]);
    const recorded = await steps(db, id);
    const said = /instance \w+ was declared dead by another instance: it stops/.test(victim.output());
    return [
      {
        what: "from SIGSTOP to the next steps elsewhere",
        ours: `${takeover.toFixed(1)} s`,
        target: "within 10 s",
        met: takeover < 10,
      },
      {
        what: "writes to tables of tasks by the stopped one before, and after SIGCONT",
        ours: `${early!.n - late!.n}, ${late!.n}`,
        target: "none after",
        met: late!.n === 0,
      },
      {
        what: "what it does after SIGCONT",
        ours: `${said ? "says that it was declared dead, and" : "says nothing, and"} exits with ${code} after ${ended.toFixed(1)} s`,
        target: "says so and exits with 1",
        met: said && code === 1,
      },
      {
        what: "steps recorded, each once",
        ours: String(recorded),
        target: "2000",
        met: recorded === 2000,
      },
    ];
  } finally {
    for (const { child } of services) child.kill("SIGKILL");
    await provider.close();
  }
}

/** Instances that run tasks. */
async function owners(db: Database): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    "SELECT id FROM council.instances WHERE workflow_version IS NOT NULL",
  );
  return rows.map(({ id }) => id);
}

async function steps(db: Database, id: string): Promise<number> {
  const [row] = await db.query<{ n: number }>(
    "SELECT count(*) AS n FROM council.task_steps WHERE task_id = $1",
    [id],
  );
  return row!.n;
}

async function status({ url }: TaskService, id: string): Promise<string> {
  const response = await fetch(`${url}/tasks/${id}`);
  return ((await response.json()) as { status: string }).status;
}

async function noteWrites(db: Database): Promise<void> {
  await eventually(async () => (await db.query("SELECT 1 FROM dbos.workflow_status LIMIT 1")).length >= 0);
  await db.query("CREATE TABLE public.writes (by text, at timestamptz)");
  await db.query(`CREATE FUNCTION note_write() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN INSERT INTO public.writes VALUES (current_setting('application_name'), clock_timestamp()); RETURN NULL; END $$`);
  for (const table of ["council.tasks", "council.task_steps", "dbos.workflow_status"])
    await db.query(
      `CREATE TRIGGER note AFTER INSERT OR UPDATE OR DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION note_write()`,
    );
}
