import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { type Database, openDatabase } from "../../council-postgres/src/database/database.ts";
import {
  type EmbeddedPostgres,
  startEmbedded,
} from "../../council-postgres/src/database/embedded/embedded.ts";
import { migrate } from "../../council-postgres/src/database/migrate.ts";
import { HISTORY_TABLES } from "../../council-postgres/src/store/history-tables.ts";
import { openPostgresStore } from "../../council-postgres/src/store/store.ts";
import { copyCluster } from "../../council-postgres/test/cluster.ts";
import { createTestDatabase } from "../../council-postgres/test/database.ts";
import { startProxyTo } from "../../council-postgres/test/proxy.ts";
import { readConfig } from "../src/config/config.ts";
import { serve } from "../src/server.ts";
import type { KeyedRun } from "../src/store/backend.ts";
import { eventually } from "./eventually.ts";
import { post, startCouncil, startService } from "./harness.ts";
import { longTask } from "./long-task.ts";
import { startProcess } from "./process.ts";
import { readJson } from "./read-json.ts";
import { started } from "./store/records.ts";

// A server of its own: it is killed.
const dir = temporaryFolder({}, afterAll);
let server: EmbeddedPostgres;
let database: Database;
beforeAll(async () => {
  await copyCluster(dir);
  server = await startEmbedded(dir);
  database = openDatabase(server.url, { applicationName: "test", maxConnections: 2 });
});
afterAll(async () => {
  await database.close();
  await server.stop();
});

const question = { prompt: "What is the capital of France?" };

async function ask(
  url: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; id: string }> {
  const response = await post(`${url}/mcp/model`, question, { headers });
  await response.text();
  return { status: response.status, id: response.headers.get("x-request-id") ?? "" };
}

/** A role whose number of connections the test limits. */
async function createLimitedRole() {
  const address = new URL(await createTestDatabase());
  const admin = openDatabase(address.href, { applicationName: "test", maxConnections: 1 });
  const limited = `limited_${address.pathname.slice(1)}`;
  await admin.query(`CREATE ROLE ${limited} LOGIN PASSWORD 'limited' IN ROLE ${address.username}`);
  onTestFinished(async () => {
    await admin.query(`DROP ROLE ${limited}`);
    await admin.close();
  });
  Object.assign(address, { username: limited, password: "limited" });
  return { admin, limited, address: address.href };
}

const STEPS = 30;
/** Slow enough to be interrupted. */
const slow = { behaviour: { latency: { median_ms: 20 } } };
const BUSY_MACHINE = { timeout: 90_000, interval: 50 };

/** Resolves when the task has decided some steps. */
async function startTask(url: string): Promise<string> {
  const { id } = await readJson(await post(`${url}/tasks`, longTask(STEPS)));
  const decided = async () => (await readJson(await fetch(`${url}/tasks/${id}/steps?from=5`))).steps.length;
  await expect.poll(decided, BUSY_MACHINE).toBeGreaterThan(0);
  return id;
}

async function expectComplete(url: string, id: string): Promise<void> {
  const status = async () => (await readJson(await fetch(`${url}/tasks/${id}`))).status;
  await expect.poll(status, BUSY_MACHINE).toBe("complete");
  const { steps } = await readJson(await fetch(`${url}/tasks/${id}/steps?limit=200`));
  expect(steps.map(({ step }: { step: number }) => step)).toEqual(
    Array.from({ length: STEPS }, (_, i) => i + 1),
  );
}

describe("when the database fails", () => {
  it("killed and restarted in the middle, nothing that was acknowledged is lost [H-restart]", async () => {
    const { url, server: council } = await startCouncil({}, { DATABASE_URL: server.url });
    const before = await ask(url);
    const pid = readFileSync(join(dir, "postgres", "data", "postmaster.pid"), "utf8").split("\n")[0];
    process.kill(Number(pid), "SIGKILL");
    const during = await Promise.all([ask(url), ask(url), ask(url)]);
    expect(during.map(({ status }) => status)).toEqual([200, 200, 200]);
    await eventually(() => council.service.store.stats.ok).toBe(true);
    const after = await ask(url);
    for (const { id } of [before, ...during, after])
      expect(await readJson(await fetch(`${url}/runs/${id}`))).toMatchObject({ id, status: "complete" });
    expect(council.service.store.stats.dropped).toBe(0);
    expect(council.lost?.aborted).toBe(false);
  }, 60_000);

  it("out of connections, it says so with 503 and recovers; runs are served meanwhile [H-connections]", async () => {
    const { url } = await startCouncil(
      {},
      { DATABASE_URL: server.url, MCI_DATABASE_CONNECTIONS: "2", MCI_DURABILITY: "relaxed" },
    );
    const blocker = new pg.Client({ connectionString: server.url });
    await blocker.connect();
    await blocker.query("BEGIN; LOCK TABLE council.runs, council.idempotency_keys IN ACCESS EXCLUSIVE MODE");
    const [first, second, keyed, unkeyed] = await Promise.all([
      fetch(`${url}/runs`),
      fetch(`${url}/runs`),
      post(`${url}/mcp/model`, question, { headers: { "idempotency-key": "k" } }),
      ask(url),
    ]);
    for (const response of [first, second, keyed])
      expect([response.status, (await readJson(response)).error.code]).toEqual([503, "history_unavailable"]);
    expect(unkeyed.status).toBe(200);
    await blocker.query("ROLLBACK");
    await blocker.end();
    await eventually(async () => (await fetch(`${url}/runs`)).status).toBe(200);
    expect((await ask(url, { "idempotency-key": "k" })).status).toBe(200);
  }, 60_000);

  it("without a free connection for it, a task waits and goes on, every step once [H-connections]", async () => {
    const { admin, limited, address } = await createLimitedRole();
    const { url } = await startCouncil(slow, { DATABASE_URL: address });
    const id = await startTask(url);
    await admin.query(`ALTER ROLE ${limited} CONNECTION LIMIT 0`);
    await admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1", [limited]);
    await eventually(async () => (await fetch(`${url}/tasks/${id}`)).status).toBe(503);
    await admin.query(`ALTER ROLE ${limited} CONNECTION LIMIT -1`);
    await expectComplete(url, id);
  }, 200_000);

  it("a start of tasks that fails is repeated: once there are connections, tasks run in the same process", async () => {
    const { admin, limited, address } = await createLimitedRole();
    const { url } = await startCouncil(slow, { DATABASE_URL: address, MCI_DATABASE_WAIT_MS: "1000" });
    await admin.query(`ALTER ROLE ${limited} CONNECTION LIMIT 6`);
    for (let n = 0; n < 2; n++) {
      const refused = await post(`${url}/tasks`, longTask(STEPS));
      expect([refused.status, (await readJson(refused)).error.code]).toEqual([503, "tasks_unavailable"]);
    }
    await admin.query(`ALTER ROLE ${limited} CONNECTION LIMIT -1`);
    await expectComplete(url, await startTask(url));
  }, 200_000);

  it("so busy that the first reads take too long, a service that starts waits for them, and says so [H-busy-start]", async () => {
    const databaseUrl = await createTestDatabase();
    const blocker = new pg.Client({ connectionString: databaseUrl });
    await blocker.connect();
    await blocker.query("BEGIN; LOCK TABLE council.runs IN ACCESS EXCLUSIVE MODE");
    const logged: string[] = [];
    const config = readConfig({ PORT: "0", MCI_DETECT_LOCAL: "0", DATABASE_URL: databaseUrl });
    const starting = serve(config, { log: (message) => logged.push(message) });
    const waits = "history: no response within 5000 ms. Waiting up to 30 seconds for it";
    await Promise.race([starting, eventually(() => logged).toContain(waits)]);
    await blocker.query("ROLLBACK");
    await blocker.end();
    const service = await starting;
    onTestFinished(() => service.close());
    expect((await ask(service.url)).status).toBe(200);
  }, 60_000);

  it("upgraded by a newer version, an instance of the older one goes on, and none can start [H-upgrade]", async () => {
    const { url } = await startCouncil({}, { DATABASE_URL: server.url });
    const newer = [...HISTORY_TABLES.migrations, "ALTER TABLE council.runs ADD COLUMN note text"];
    await migrate(database, { ...HISTORY_TABLES, migrations: newer });
    onTestFinished(async () => {
      await database.query("ALTER TABLE council.runs DROP COLUMN note");
      await database.query("UPDATE council.versions SET version = version - 1 WHERE name = 'history'");
    });
    const { status, id } = await ask(url);
    expect(status).toBe(200);
    expect((await fetch(`${url}/runs/${id}`)).status).toBe(200);
    await expect(startService({ DATABASE_URL: server.url })).rejects.toThrow(
      /tables "history" have version \d+, this program knows \d+\. A newer version has upgraded/,
    );
  });

  it("taken for dead by others, an instance stops by itself and writes nothing more [H-lost]", async () => {
    const { url, server: council, logged } = await startCouncil({}, { DATABASE_URL: server.url });
    const { id } = await ask(url);
    const [row] = await database.query<{ owner: string }>("SELECT owner FROM council.runs WHERE id = $1", [
      id,
    ]);
    await database.query("DELETE FROM council.instances WHERE id = $1", [row!.owner]);
    await eventually(() => council.lost?.aborted).toBe(true);
    await eventually(() => fetch(`${url}/readyz`).then(String, () => "closed")).toBe("closed");
    expect(logged.join("\n")).toContain(`instance ${row!.owner} was declared dead`);
  });
});

describe("an instance that is cut off from the database", () => {
  it("ends when it is told to, also with tasks open [H-signal]", async () => {
    const proxy = await startProxyTo(await createTestDatabase());
    const service = await startProcess({ DATABASE_URL: proxy.url, MCI_DURABILITY: "full" });
    expect((await fetch(`${service.url}/tasks`)).status).toBe(200);
    proxy.weather.blackHole = true;
    service.child.kill("SIGTERM");
    expect(await service.exited).not.toBeNull();
  }, 40_000);

  it("answers 503 where others may have taken it for dead, and stops when it finds out: never 200 for a run that is not recorded [H-zombie]", async () => {
    const database = openDatabase(await createTestDatabase(), { applicationName: "test", maxConnections: 2 });
    onTestFinished(() => database.close());
    const proxy = await startProxyTo(database.url);
    const { url, server: council } = await startCouncil({}, { DATABASE_URL: proxy.url });
    const { id, status } = await ask(url);
    expect(status).toBe(200);
    proxy.weather.blackHole = true;
    // What another instance would do five seconds later.
    await database.query("DELETE FROM council.instances");
    const response = await post(`${url}/mcp/model`, question);
    expect([response.status, (await readJson(response)).error.code]).toEqual([503, "not_recorded"]);
    const background = await post(`${url}/mcp/model`, question, { headers: { prefer: "respond-async" } });
    expect([background.status, (await readJson(background)).error.code]).toEqual([
      503,
      "history_unavailable",
    ]);
    proxy.calm();
    await eventually(() => council.lost?.aborted).toBe(true);
    await eventually(() => fetch(`${url}/readyz`).then(String, () => "closed")).toBe("closed");
    expect(await database.query("SELECT id, status FROM council.runs")).toEqual([{ id, status: "complete" }]);
  }, 90_000);

  it("has recorded the run of every key it claimed: a client that joins it learns that it was interrupted [H-claim]", async () => {
    const databaseUrl = await createTestDatabase();
    const [first, second] = await Promise.all(
      [1, 2].map(() => openPostgresStore({ ...readConfig({}).store, databaseUrl, log: () => {} })),
    );
    onTestFinished(async () => void (await Promise.all([first!.close(), second!.close()])));
    const run = (id: string) => ({ ...started(id), idempotencyKey: "key", fingerprint: "print" }) as KeyedRun;
    expect(await first!.shared!.claimRun(run("a"))).toEqual({ kind: "claimed" });
    // The instance ends here: it wrote nothing of its own accord.
    const joined = await second!.shared!.claimRun(run("b"));
    expect(joined).toEqual({ kind: "running", runId: "a", fingerprint: "print" });
    expect(await second!.shared!.runState("a")).toMatchObject({ status: "running" });
    await first!.close();
    await eventually(async () => (await second!.shared!.runState("a"))?.status).toBe("interrupted");
    expect(await second!.shared!.claimRun(run("c"))).toEqual({ kind: "claimed" });
    // One that never began leaves nothing.
    await second!.shared!.releaseKey("key", "c", { neverBegan: true });
    expect(await second!.shared!.runState("c")).toBeUndefined();
    expect(await second!.shared!.claimRun(run("d"))).toEqual({ kind: "claimed" });
  });
});

/** Only root may mount a file system that is small enough to fill. */
const isRoot = process.getuid?.() === 0 && process.platform === "linux";

describe.skipIf(!isRoot)("a full disk under the database", () => {
  it("costs no response, what was recorded meanwhile is written once there is space, and a task goes on [H-disk]", async () => {
    const small = temporaryFolder();
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=100m,mode=711", "tmpfs", small]);
    await copyCluster(small);
    const full = await startEmbedded(small);
    onTestFinished(async () => {
      await full.stop();
      execFileSync("umount", ["-l", small]);
    });
    const { url, server: council } = await startCouncil(slow, {
      DATABASE_URL: full.url,
      MCI_DURABILITY: "relaxed",
    });
    const before = await ask(url);
    const task = await startTask(url);
    const filler = join(small, "filler");
    mkdirSync(filler);
    // Until nothing fits any more.
    for (let n = 0, size = 4 * 1024 * 1024; size >= 4096; n++) {
      try {
        writeFileSync(join(filler, String(n)), Buffer.alloc(size));
      } catch {
        size /= 2;
      }
    }
    const large = { prompt: "x".repeat(200_000) };
    const during = await Promise.all(
      [1, 2, 3, 4].map(async () => {
        const response = await post(`${url}/mcp/model`, large);
        await response.text();
        return { status: response.status, id: response.headers.get("x-request-id") };
      }),
    );
    expect(during.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await eventually(() => council.service.store.stats.failures).toBeGreaterThan(0);
    rmSync(filler, { recursive: true });
    await eventually(() => council.service.store.stats.ok).toBe(true);
    for (const { id } of [before, ...during])
      expect(await readJson(await fetch(`${url}/runs/${id}`))).toMatchObject({ status: "complete" });
    expect(council.service.store.stats.dropped).toBe(0);
    await expectComplete(url, task);
  }, 200_000);
});
