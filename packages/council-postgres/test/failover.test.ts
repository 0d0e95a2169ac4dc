import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { freePort } from "../../../chaos/world/free-port.ts";
import { type Database, openDatabase } from "../src/database/database.ts";
import { type Cluster, openCluster, runProgram, USER_NAME } from "../src/database/embedded/cluster.ts";
import { connectionName, joinInstances } from "../src/instances/instance.ts";
import { copyCluster } from "./cluster.ts";
import { serverUrl } from "./database.ts";
import { until } from "./until.ts";

// A server of its own: it becomes a standby and is promoted.
const dir = mkdtempSync(join(tmpdir(), "council-failover-"));
let cluster: Cluster;
let port: number;
const control = (...args: string[]) =>
  runProgram(cluster, cluster.binaries.pg_ctl, [...args, "-D", cluster.data, "-w"]);
const start = () => control("start", "-l", cluster.logFile, "-o", `-p ${port} -c listen_addresses=127.0.0.1`);

beforeAll(async () => {
  await copyCluster(dir);
  cluster = await openCluster(dir);
  port = await freePort();
  expect(await start()).toBe(0);
});
afterAll(async () => {
  await control("stop", "-m", "immediate");
  rmSync(dir, { recursive: true, force: true });
});

function open(applicationName: string): Database {
  const url = `postgresql://${USER_NAME}:${cluster.password}@127.0.0.1:${port}/postgres`;
  const database = openDatabase(url, { applicationName, connectTimeoutMs: 20_000 });
  onTestFinished(() => database.close());
  return database;
}

it("an instance waits for a standby, and stops when it is promoted: its memory may be ahead of that server [I-failover]", async () => {
  const database = open(connectionName("before"));
  const logged: string[] = [];
  const timing = { heartbeatMs: 100, leaseMs: 3000 };
  const log = (message: string) => void logged.push(message);
  const instance = await joinInstances(database, { id: "before", log, timing });
  onTestFinished(() => instance.close());
  const engine = database.createPool(1);
  onTestFinished(() => engine.end());
  await engine.query("SELECT 1");

  await control("stop", "-m", "fast");
  writeFileSync(join(cluster.data, "standby.signal"), "");
  expect(await start()).toBe(0);
  // Reads would be answered: a connection that cannot write is not taken.
  await until(async () => logged.some((line) => line.includes("is a standby")));
  await expect(database.query("SELECT 1")).rejects.toMatchObject({ code: "database_unavailable" });
  expect(instance.lost.aborted).toBe(false);

  expect(await control("promote")).toBe(0);
  await until(async () => instance.lost.aborted);
  const failedOver =
    /failed over to another server \(\d+ timeline 00000001 before, \d+ timeline 00000002 now\)/;
  expect((instance.lost.reason as Error).message).toMatch(failedOver);
  // Nothing of this process reaches the new server, not even what a library sends.
  await expect(database.query("SELECT 1")).rejects.toMatchObject({ code: "instance_lost" });
  await expect(engine.query("SELECT 1")).rejects.toThrow(failedOver);
  // The next start continues.
  expect(await open("after").query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
}, 120_000);

it("a server that tells nothing about itself is used, and the log says what goes unnoticed [I-failover]", async () => {
  const admin = openDatabase(await serverUrl(), { applicationName: "test", maxConnections: 1 });
  const hidden = ["pg_control_system()", "pg_control_checkpoint()", "pg_walfile_name(pg_lsn)"];
  const address = new URL(await serverUrl());
  const role = `plain_${process.pid}`;
  const database = `hidden_${process.pid}`;
  await admin.query(`CREATE DATABASE ${database}`);
  await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'plain'`);
  onTestFinished(async () => {
    await admin.query(`DROP DATABASE ${database} WITH (FORCE)`);
    await admin.query(`DROP ROLE ${role}`);
    await admin.close();
  });
  // Rights on functions belong to one database.
  const owner = openDatabase(address.href.replace(/[^/]+$/, database), { applicationName: "test" });
  for (const name of hidden) await owner.query(`REVOKE EXECUTE ON FUNCTION ${name} FROM PUBLIC`);
  await owner.close();
  Object.assign(address, { username: role, password: "plain", pathname: `/${database}` });
  const logged: string[] = [];
  const plain = openDatabase(address.href, {
    applicationName: "test",
    log: (message) => void logged.push(message),
  });
  onTestFinished(() => plain.close());
  expect(await plain.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
  expect(logged).toEqual([expect.stringMatching(/neither timeline nor identity .* Grant EXECUTE on/)]);
});
