import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../src/database/database.ts";
import { serverUser } from "../src/database/embedded/system-user.ts";
import { requireOwnSessions } from "../src/database/own-session.ts";
import { waitForDatabase } from "../src/database/wait.ts";
import { createTestDatabase } from "./database.ts";
import { until } from "./until.ts";

const pgbouncer = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"].find(existsSync);

/** The address of a database behind a real pgbouncer. */
async function startPooler(mode: "session" | "transaction", more = ""): Promise<string> {
  const url = new URL(await createTestDatabase());
  const user = await serverUser("", undefined);
  const folder = mkdtempSync(join(tmpdir(), "council-pooler-"));
  const port = await freePort();
  const [users, settings] = [join(folder, "users.txt"), join(folder, "pgbouncer.ini")];
  writeFileSync(users, `"${url.username}" "${decodeURIComponent(url.password)}"\n`);
  writeFileSync(
    settings,
    `[databases]\n* = host=127.0.0.1 port=${url.port}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = scram-sha-256\nauth_file = ${users}\npool_mode = ${mode}\n${more}`,
  );
  if (user) for (const path of [folder, users, settings]) chownSync(path, user.uid, user.gid);
  const child = spawn(pgbouncer!, [settings], { cwd: folder, stdio: "ignore", ...user });
  onTestFinished(() => void child.kill("SIGKILL"));
  url.port = String(port);
  return url.href;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function open(url: string) {
  const database = openDatabase(url, { applicationName: `council-${randomBytes(2).toString("hex")}` });
  onTestFinished(() => database.close());
  return database;
}

test.skipIf(pgbouncer === undefined)(
  "[D-pooler] through pgbouncer in session mode everything works; transaction mode is refused with what to do (needs pgbouncer)",
  async () => {
    const session = open(await startPooler("session"));
    await until(async () => (await session.query("SELECT 1")).length === 1);
    await waitForDatabase(session, { waitMs: 10_000, log: () => undefined });
    const [settings] = await session.query(
      "SELECT current_setting('statement_timeout') AS statement, current_setting('idle_in_transaction_session_timeout') AS idle",
    );
    expect(settings).toEqual({ statement: "30s", idle: "2s" });
    for (const turns of [0, 1]) {
      const shared = open(
        await startPooler("transaction", `server_round_robin = ${turns}\nmin_pool_size = 3\n`),
      );
      await until(async () => (await shared.query("SELECT 1")).length === 1);
      await expect(waitForDatabase(shared, { waitMs: 10_000, log: () => undefined })).rejects.toMatchObject({
        code: "database_pooler",
        message: expect.stringMatching(/pool_mode = session/),
      });
    }
  },
);

test("[D-pooler] two connections that show one process of the server are refused, two with their own are not", async () => {
  const database = open(await createTestDatabase());
  await requireOwnSessions(database);
  const client = await database.connect();
  onTestFinished(() => client.end());
  const pooled = Object.assign(Object.create(client), { end: async () => undefined });
  const pooler = { description: "postgresql://pooler/db", connect: async () => pooled };
  await expect(requireOwnSessions(pooler)).rejects.toMatchObject({ code: "database_pooler" });
  // As pgbouncer does with server_round_robin: no two statements that follow each other meet.
  let turn = 0;
  const query = async () => ({ rows: [{ pid: turn++ % 3 }] });
  const taking = { ...pooler, connect: async () => Object.assign(Object.create(pooled), { query }) };
  await expect(requireOwnSessions(taking)).rejects.toMatchObject({ code: "database_pooler" });
});
