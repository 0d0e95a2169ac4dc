import { afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type Database, openDatabase } from "../src/database/database.ts";
import { migrate } from "../src/database/migrate.ts";
import { createEmptyDatabase } from "./database.ts";
import { startDyingServer } from "./dying-server.ts";

let url: string;
const opened: Database[] = [];
beforeAll(async () => {
  url = await createEmptyDatabase();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((database) => database.close()));
});

function open(options: Partial<Parameters<typeof openDatabase>[1]> = {}, address = url): Database {
  const database = openDatabase(address, { applicationName: "test", ...options });
  opened.push(database);
  return database;
}

describe("a database", () => {
  it("says of a statement that was cancelled, or of a transaction that was idle for too long, that it may pass [D-passing]", async () => {
    const database = open({ queryTimeoutMs: 100 });
    const passing = {
      code: "database_unavailable",
      message: expect.stringMatching(/^postgresql:.*try again/),
    };
    await expect(database.query("SELECT pg_sleep(5)")).rejects.toMatchObject(passing);
    const idle = database.transaction(async (on) => {
      await on.query("SET LOCAL idle_in_transaction_session_timeout = 10");
      await new Promise((resolve) => setTimeout(resolve, 200));
      await on.query("SELECT 1");
    });
    await expect(idle).rejects.toMatchObject(passing);
    await expect(database.query("SELECT nothing")).rejects.toMatchObject({ code: "42703" });
  });

  it("that is closed, as while its process stops, is unavailable like any other [D-unreachable]", async () => {
    const database = open();
    await database.query("SELECT 1");
    opened.length = 0;
    await database.close();
    const closed = { code: "database_unavailable", message: expect.stringMatching(/this process stops/) };
    await expect(database.query("SELECT 1")).rejects.toMatchObject(closed);
    await expect(database.transaction(async () => undefined)).rejects.toMatchObject(closed);
  });

  it("names its connections, and no address can change the name", async () => {
    const database = open({ applicationName: "council-7" }, `${url}?application_name=other`);
    expect(
      await database.query("SELECT current_setting('application_name') AS name, 5::bigint AS n"),
    ).toEqual([{ name: "council-7", n: 5 }]);
  });

  it.each([
    ["a wrong password", (good: string) => good.replace(/:[^:@]+@/, ":hunter2@")],
    ["a wrong port", (good: string) => good.replace(/:[^:@]+@127.0.0.1:\d+/, ":hunter2@127.0.0.1:1")],
    ["a wrong name", (good: string) => good.replace(/\/[^/]+$/, "/absent")],
  ])(
    "that cannot be reached is named with its host and without the password: %s [D-unreachable]",
    async (_, change) => {
      const error = await open({}, change(url))
        .query("SELECT 1")
        .then(
          () => undefined,
          (reason: Error) => reason,
        );
      expect(error).toMatchObject({ name: "DatabaseError", code: "database_unavailable" });
      expect(error?.message).toContain("postgresql://127.0.0.1:");
      expect(error?.message).toContain("DATABASE_URL");
      expect(error?.message).not.toMatch(new RegExp(`hunter2|${new URL(url).password}`));
    },
  );

  it.each(["mysql://host/x", "secret words"])("refuses the address %s without repeating it", (address) => {
    expect(() => open({}, address)).toThrow(/DATABASE_URL must be an address/);
    expect(() => open({}, address)).toThrow(/^((?!secret|mysql).)*$/);
  });

  it("that dies in the moment it accepts a connection fails a query, not the process [D-lost]", async () => {
    const database = open({}, await startDyingServer());
    const unavailable = { code: "database_unavailable" };
    await expect(database.query("SELECT 1")).rejects.toMatchObject(unavailable);
    await expect(database.transaction((on) => on.query("SELECT 1"))).rejects.toMatchObject(unavailable);
    await expect(database.connect()).rejects.toMatchObject(unavailable);
    const pool = database.createPool(1);
    onTestFinished(() => pool.end());
    await expect(pool.connect()).rejects.toThrow();
  });

  it("that ends a connection before anything is sent over it costs nothing: another connection is used [D-lost]", async () => {
    const dying = async () => open({}, await startDyingServer({ url, after: 1 }));
    expect(await (await dying()).query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
    const transaction = (await dying()).transaction((on) => on.query("SELECT 1 AS one"));
    expect(await transaction).toEqual([{ one: 1 }]);
  });

  it("whose connection is lost between two statements of a transaction says that, not what follows from it [D-lost]", async () => {
    const [database, admin] = [open(), open()];
    const work = database.transaction(async (on) => {
      const [own] = await on.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
      await admin.query("SELECT pg_terminate_backend($1)", [own!.pid]);
      await new Promise((resolve) => setTimeout(resolve, 100));
      await on.query("SELECT 1");
    });
    await expect(work).rejects.toMatchObject({ code: "database_unavailable" });
    await expect(work).rejects.toThrow(/terminating connection due to administrator command/);
  });

  it("rolls back work that fails and keeps the connection usable", async () => {
    const database = open({ maxConnections: 1 });
    await database.query("CREATE TABLE kept (n integer)");
    const failing = database.transaction(async (connection) => {
      await connection.query("INSERT INTO kept VALUES (1)");
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await database.query("SELECT n FROM kept")).toEqual([]);
  });

  it("whose connections are all in use says so, and recovers [D-busy]", async () => {
    // Also the time to open the first connection, on a busy machine.
    const database = open({ maxConnections: 1, connectTimeoutMs: 1000 });
    const held = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const holding = database.transaction(async () => {
      begun.resolve();
      await held.promise;
    });
    await Promise.race([begun.promise, holding]);
    await expect(database.query("SELECT 1")).rejects.toMatchObject({ code: "database_busy" });
    held.resolve();
    await holding;
    expect(await database.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  it("gives up on a statement that takes too long", async () => {
    await expect(open({ queryTimeoutMs: 50 }).query("SELECT pg_sleep(5)")).rejects.toThrow(/timeout/);
  });
});

describe("migrations", () => {
  const first = "CREATE TABLE council.things (n integer)";
  const second = "INSERT INTO council.things VALUES (2)";

  it("run once each, in order, also when several instances start at once [D-migrate]", async () => {
    const instances = Array.from({ length: 4 }, () => open());
    await Promise.all(
      instances.map((database) => migrate(database, { name: "once", migrations: [first, second] })),
    );
    expect(await open().query("SELECT n FROM council.things")).toEqual([{ n: 2 }]);
  });

  it("that fail leave the database as it was", async () => {
    const tables = { name: "half", migrations: ["CREATE TABLE council.half (n integer); SELECT 1/0"] };
    await expect(migrate(open(), tables)).rejects.toThrow("division by zero");
    expect(await open().query("SELECT to_regclass('council.half') AS found")).toEqual([{ found: null }]);
    await migrate(open(), { name: "half", migrations: ["CREATE TABLE council.half (n integer)"] });
  });

  it("of a newer program are refused, with what to do [D-newer]", async () => {
    await migrate(open(), { name: "newer", migrations: ["SELECT 1", "SELECT 1"] });
    const refused = migrate(open(), { name: "newer", migrations: ["SELECT 1"] });
    await expect(refused).rejects.toMatchObject({ code: "database_newer" });
    await expect(refused).rejects.toThrow(
      /"newer" have version 2, this program knows 1.*start that version/s,
    );
  });
});
