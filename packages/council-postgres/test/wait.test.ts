import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../council-server/src/config/config.ts";
import { type Database, openDatabase } from "../src/database/database.ts";
import { DatabaseError } from "../src/database/database-error.ts";
import { repeatWhileAway, waitForDatabase } from "../src/database/wait.ts";
import { openPostgresStore } from "../src/store/store.ts";
import { createTestDatabase, serverUrl } from "./database.ts";

let url: string;
beforeAll(async () => {
  url = await serverUrl();
});

function open(address: string): Database {
  const database = openDatabase(address, { applicationName: "test", connectTimeoutMs: 2000 });
  onTestFinished(() => database.close());
  return database;
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

/** A server in front of the real one: for its first connections it is still starting, as PostgreSQL says it. */
async function startProxy(port: number, refusals: number): Promise<{ readonly refused: () => number }> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let refused = 0;
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => undefined));
    if (refused < refusals) {
      refused++;
      socket.once("data", () => socket.end(fatal("57P03", "the database system is starting up")));
      return;
    }
    const real = connect(Number(target.port), target.hostname).on("error", () => socket.destroy());
    sockets.add(real);
    socket.pipe(real).pipe(socket);
  }).listen(port, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { refused: () => refused };
}

/** ErrorResponse of the protocol of PostgreSQL. */
function fatal(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.from("E\0\0\0\0");
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const port = portOf(server);
  server.close();
  await once(server, "close");
  return port;
}

const at = (port: number) => url.replace(/:\d+\//, `:${port}/`);

test("[D-wait] a server that is down and then starting is waited for, with one message", async () => {
  const port = await freePort();
  const database = open(at(port));
  const logged: string[] = [];
  const ready = waitForDatabase(database, { waitMs: 60_000, log: (message) => logged.push(message) });
  await expect.poll(() => logged.length, { timeout: 15_000 }).toBe(1);
  const { refused } = await startProxy(port, 2);
  await ready;
  expect(refused()).toBe(2);
  expect(logged).toEqual([
    expect.stringMatching(
      /^postgresql:\/\/127\.0\.0\.1:\d+\/postgres: ECONNREFUSED\. .*Waiting up to 60 seconds for it$/,
    ),
    `${database.description}: the database is ready`,
  ]);
  expect(await database.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
});

test("[D-wait] one that does not come up in time is an error that says how long it was waited for", async () => {
  const port = await freePort();
  await startProxy(port, Number.POSITIVE_INFINITY);
  const waiting = waitForDatabase(open(at(port)), { waitMs: 300, log: () => undefined });
  await expect(waiting).rejects.toMatchObject({ code: "database_unavailable" });
  await expect(waiting).rejects.toThrow(
    /the database system is starting up\. Check DATABASE_URL.*Waited 0\.3 seconds for it/,
  );
});

test("[D-wait] a start that is begun again says how long it waited in all, once", async () => {
  const away = (message: string) =>
    new DatabaseError("database_unavailable", message, {
      cause: Object.assign(new Error(), { code: "57P03" }),
    });
  const messages = ["timeout expired", "timeout expired. Waited 0.1 seconds for it"];
  const starting = (message: string) =>
    repeatWhileAway(() => Promise.reject(away(message)), { waitMs: 300, log: () => undefined });
  for (const message of messages)
    await expect(starting(message)).rejects.toThrow(/^timeout expired\. Waited 0\.3 seconds for it$/);
});

test("[D-wait] one that accepts connections and answers no statement is not waited for any longer than asked", async () => {
  // As pgbouncer while it is paused, or a server whose processes stand still after the login.
  const welcome = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);
  const server = createServer((socket) => {
    socket.on("error", () => undefined).once("data", () => socket.write(welcome));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { store: config } = readConfig({ MCI_DATABASE_WAIT_MS: "1000" });
  const started = performance.now();
  const opening = openPostgresStore({ ...config, databaseUrl: at(portOf(server)), log: () => {} });
  await expect(opening).rejects.toMatchObject({ code: "database_unavailable" });
  // Connecting may take five seconds, and begins once.
  expect(performance.now() - started).toBeLessThan(15_000);
}, 60_000);

test("[D-wait] what waiting does not change is an error at once", async () => {
  const logged: string[] = [];
  const wrong = open(url.replace(/:[^:@]+@/, ":wrong@"));
  await expect(
    waitForDatabase(wrong, { waitMs: 60_000, log: (message) => logged.push(message) }),
  ).rejects.toThrow(/password authentication failed/);
  expect(logged).toEqual([]);
});

test("[D-wait] a connection that is lost at any point of the start begins it again", async () => {
  const databaseUrl = await createTestDatabase();
  const cuts = ["pg_backend_pid", "council.versions", "INSERT INTO council.instances", "LISTEN"];
  const target = new URL(databaseUrl);
  const realPort = Number(target.port);
  const server = createServer((socket) => {
    const real = connect(realPort, target.hostname);
    socket.on("data", (data) => {
      const at = cuts.findIndex((text) => data.includes(text));
      if (at < 0) return real.write(data);
      cuts.splice(at, 1);
      return socket.resetAndDestroy();
    });
    real.pipe(socket);
    for (const one of [socket, real])
      one
        .on("error", () => undefined)
        .on("close", () => {
          socket.destroy();
          real.destroy();
        });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  target.port = String(portOf(server));
  const { store: config } = readConfig({ MCI_DATABASE_WAIT_MS: "60000" });
  const store = await openPostgresStore({ ...config, databaseUrl: target.href, log: () => {} });
  expect(cuts).toEqual([]);
  expect(await store.list({ limit: 1 })).toEqual([]);
  await store.close();
}, 90_000);
