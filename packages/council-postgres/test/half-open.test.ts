import { beforeAll, expect, it, onTestFinished } from "vitest";
import { type Database, type DatabaseOptions, openDatabase } from "../src/database/database.ts";
import { connectionName, joinInstances } from "../src/instances/instance.ts";
import { createTestDatabase } from "./database.ts";
import { startProxyTo } from "./proxy.ts";
import { until } from "./until.ts";

let url: string;
beforeAll(async () => {
  url = await createTestDatabase();
});

function open(address: string, options: Partial<DatabaseOptions> = {}): Database {
  const database = openDatabase(address, { applicationName: "test", queryTimeoutMs: 500, ...options });
  onTestFinished(() => database.close());
  return database;
}

it("a connection that carries nothing any more fails its statement in time, and no idle one is trusted then [D-half-open]", async () => {
  const proxy = await startProxyTo(url);
  const database = open(proxy.url, { queryTimeoutMs: 1500 });
  const engine = database.createPool(4);
  onTestFinished(() => engine.end());
  const select = () => engine.query("SELECT 1 AS one").then(({ rows }) => rows);
  const one = [{ one: 1 }];
  // Four connections each.
  await Promise.all([1, 2, 3, 4].map(() => database.query("SELECT pg_sleep(0.2)")));
  await Promise.all([1, 2, 3, 4].map(() => engine.query("SELECT pg_sleep(0.2)")));
  proxy.freeze();
  const cutOff = { code: "database_unavailable" };
  await Promise.all([
    expect(database.query("SELECT 1")).rejects.toMatchObject(cutOff),
    // As the engine recognizes a connection that is worth another attempt.
    expect(select()).rejects.toThrow("Connection terminated unexpectedly"),
  ]);
  // The other three were given up with it: each would have cost as much time. New ones work.
  await expect.poll(() => [database.stats.total, engine.totalCount]).toEqual([0, 0]);
  expect(await database.query("SELECT 1 AS one")).toEqual(one);
  expect(await select()).toEqual(one);
  proxy.freeze();
  // The unanswered BEGIN carried nothing of the caller, so that the transaction begins over another connection.
  expect(await database.transaction((on) => on.query("SELECT 1 AS one"))).toEqual(one);
});

it("closing waits for no server that is cut off [D-half-open]", async () => {
  const proxy = await startProxyTo(url);
  const database = openDatabase(proxy.url, { applicationName: "test" });
  await Promise.all([1, 2].map(() => database.query("SELECT pg_sleep(0.1)")));
  const client = await database.connect();
  proxy.freeze();
  const waiting = database.query("SELECT 1").then(
    () => "answered",
    () => "failed",
  );
  await Promise.all([client.end(), database.close()]);
  expect(await waiting).toBe("failed");
}, 20_000);

it("an instance whose connections are all cut off renews its lease over a new one [I-half-open]", async () => {
  const proxy = await startProxyTo(url);
  const observer = open(url);
  const database = open(proxy.url, { applicationName: connectionName("cut-off"), queryTimeoutMs: 30_000 });
  const timing = { heartbeatMs: 100, leaseMs: 3000 };
  const instance = await joinInstances(database, { id: "cut-off", log: () => {}, timing });
  onTestFinished(() => instance.close());
  expect(instance.isCertain()).toBe(true);
  proxy.weather.blackHole = true;
  await until(async () => !instance.isCertain(), 20_000);
  proxy.freeze();
  proxy.calm();
  await until(async () => instance.isCertain(), 20_000);
  expect(instance.lost.aborted).toBe(false);
  const rows = await observer.query("SELECT 1 FROM council.instances WHERE id = 'cut-off'");
  expect(rows).toHaveLength(1);
}, 60_000);

it("an instance that finds itself dead in any statement stops at once [I-lost]", async () => {
  const database = open(url, { applicationName: connectionName("found-out") });
  // No heartbeat that could find it out first.
  const timing = { heartbeatMs: 600_000, leaseMs: 3_000_000 };
  const instance = await joinInstances(database, { id: "found-out", log: () => {}, timing });
  onTestFinished(() => instance.close());
  await database.query("DELETE FROM council.instances WHERE id = 'found-out'");
  await expect(database.transaction(instance.assertAlive)).rejects.toMatchObject({ code: "instance_lost" });
  expect(instance.lost.aborted).toBe(true);
});
