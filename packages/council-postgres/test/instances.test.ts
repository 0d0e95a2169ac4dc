import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { fixtureProgram } from "../../../test/programs/programs.ts";
import { type Database, openDatabase } from "../src/database/database.ts";
import { connectionName, joinInstances } from "../src/instances/instance.ts";
import { createTestDatabase } from "./database.ts";
import { until } from "./until.ts";

let url: string;
let database: Database;
const children: ChildProcess[] = [];

beforeAll(async () => {
  url = await createTestDatabase();
  database = openDatabase(url, { applicationName: "observer" });
  await database.query(
    "CREATE TABLE written (owner text, at timestamptz DEFAULT clock_timestamp()); CREATE TABLE taken (owner text PRIMARY KEY, at timestamptz DEFAULT clock_timestamp())",
  );
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});
afterAll(() => database.close());

const HOUR_MS = 3_600_000;
const program = fixtureProgram("packages/council-postgres/test/fixtures/instance.ts");

/** A process of its own, with a clock that may be wrong. */
async function start(id: string, skewMs = 0) {
  return launch(program, id, String(skewMs));
}

async function launch(file: string, ...args: string[]) {
  const child = spawn(process.execPath, [file, url, ...args]);
  children.push(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  await until(async () => output.includes("joined")).catch(() => expect.fail(`${args}: ${output}`));
  return { child, exited, output: () => output };
}

async function livingIds(): Promise<string[]> {
  const rows = await database.query<{ id: string }>("SELECT id FROM council.instances ORDER BY id");
  return rows.map(({ id }) => id);
}

async function isTaken(id: string): Promise<boolean> {
  return (await database.query("SELECT 1 FROM taken WHERE owner = $1", [id])).length > 0;
}

async function writes(id: string): Promise<number> {
  const [row] = await database.query<{ n: number }>("SELECT count(*) AS n FROM written WHERE owner = $1", [
    id,
  ]);
  return row!.n;
}

describe("instances on one database", { timeout: 120_000 }, () => {
  /** Lives through these tests; its clock is an hour fast. */
  let late: Awaited<ReturnType<typeof launch>>;
  beforeAll(async () => {
    late = await start("late", HOUR_MS);
    children.splice(0);
  });
  afterAll(() => void late.child.kill("SIGKILL"));

  it("take over the work of one that was killed [I-killed]", async () => {
    const killed = await start("killed");
    await until(async () => (await writes("killed")) > 0);
    killed.child.kill("SIGKILL");
    await until(() => isTaken("killed"));
    expect(await livingIds()).toEqual(["late"]);
    await until(async () => late.output().includes("instance killed is dead; its work is taken over"));
  });

  it("keep one that was stopped for longer than its lease from writing when it wakes up [I-fence]", async () => {
    const stopped = await start("stopped");
    await until(async () => (await writes("stopped")) > 0);
    stopped.child.kill("SIGSTOP");
    await until(() => isTaken("stopped"));
    const before = await writes("stopped");
    stopped.child.kill("SIGCONT");
    expect(await stopped.exited).toBe(3);
    expect(stopped.output()).toContain("declared dead");
    expect(await writes("stopped")).toBe(before);
  });

  it("trust each other whatever their clocks say [I-clock]", async () => {
    const [, right] = await Promise.all([start("early", -HOUR_MS), start("right")]);
    // Longer than a lease.
    await sleep(1500);
    expect(await livingIds()).toEqual(expect.arrayContaining(["early", "late", "right"]));
    right.child.kill("SIGKILL");
    await until(() => isTaken("right"));
    expect(await livingIds()).toEqual(expect.arrayContaining(["early", "late"]));
  });

  it("survive a moment without connections [I-reconnect]", async () => {
    const one = await start("one");
    await database.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name IN ('council-one', 'council-late')",
    );
    const before = await writes("one");
    await until(async () => (await writes("one")) > before + 5);
    expect(await livingIds()).toEqual(expect.arrayContaining(["one", "late"]));
    for (const { output } of [one, late]) expect(output()).not.toContain("lost");
  });
});

describe("instances whose database fails", { timeout: 120_000 }, () => {
  it("survive a while in which none can connect: free locks mean nothing then [I-reconnect]", async () => {
    const ids = ["three", "four"];
    const databases = ids.map((id) => openDatabase(url, { applicationName: connectionName(id) }));
    const timing = { heartbeatMs: 200, leaseMs: 1000 };
    const instances = await Promise.all(
      databases.map((own, n) => joinInstances(own, { id: ids[n]!, log: () => {}, timing })),
    );
    const lost = () => instances.map((instance) => instance.lost.aborted);
    for (let round = 0; round < 3; round++) {
      const back = await withoutConnections(700);
      const renewed = async () =>
        (
          await database.query("SELECT 1 FROM council.instances WHERE id = ANY($1) AND seen_at > $2", [
            ids,
            back,
          ])
        ).length === ids.length;
      await until(async () => lost().includes(true) || (await renewed()));
      expect(lost()).toEqual([false, false]);
    }
    for (const instance of instances) await instance.close();
    for (const own of databases) await own.close();
  });
});

/** Ends all connections and allows no new ones for that time; returns when they are allowed again, by the database's clock. */
async function withoutConnections(ms: number): Promise<Date> {
  const name = new URL(url).pathname.slice(1);
  const server = openDatabase(url.replace(/[^/]+$/, "postgres"), { applicationName: "outage" });
  await server.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  await server.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [name]);
  await sleep(ms);
  await server.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
  const [row] = await server.query<{ at: Date }>("SELECT clock_timestamp() AS at");
  await server.close();
  return row!.at;
}
