import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { cleanUpAfterFile } from "../../../test/clean-up/clean-up.ts";
import { type EmbeddedPostgres, startEmbedded } from "../src/database/embedded/embedded.ts";
import { copyCluster, keptFolder } from "./cluster.ts";

/** One server for each copy of the repository; its files stay for the next run. */
const dir = keptFolder("postgres");

let server: Promise<EmbeddedPostgres> | undefined;
const cleanups: (() => Promise<void>)[] = [];
cleanUpAfterFile(async () => {
  for (const cleanUp of cleanups.splice(0)) await cleanUp();
});

/** An empty database on a real server, dropped after the tests of the file. The server starts with the first, and stops after the run. */
export async function createTestDatabase(): Promise<string> {
  server ??= startServer();
  const { url } = await server;
  const name = `test_${randomBytes(6).toString("hex")}`;
  await execute(url, [`CREATE DATABASE ${name}`]);
  cleanups.push(() => execute(url, [`DROP DATABASE ${name} WITH (FORCE)`]));
  return url.replace(/\/postgres$/, `/${name}`);
}

/** Removes the rows of all tables, which takes less than to create the tables again. */
export async function emptyTables(url: string): Promise<void> {
  await execute(url, [
    `DO $$ DECLARE one text; BEGIN
       FOR one IN SELECT tablename FROM pg_tables WHERE schemaname = 'council' AND tablename <> 'versions'
       LOOP EXECUTE format('DELETE FROM council.%I', one); END LOOP;
     END $$`,
  ]);
}

/** Each process that runs tests uses the server until it ends. */
async function startServer(): Promise<EmbeddedPostgres> {
  await copyCluster(dir);
  const started = await startEmbedded(dir);
  // Survives a crash of PostgreSQL, as always; only one of the machine may lose what is written here.
  const settings = ["fsync = off", "full_page_writes = off", "autovacuum = off"];
  await execute(started.url, [
    ...settings.map((setting) => `ALTER SYSTEM SET ${setting}`),
    "SELECT pg_reload_conf()",
  ]);
  return started;
}

/** For the end of a run. The processes that ran the tests may still be ending; another run may use the server. */
export async function stopTestServer(): Promise<void> {
  const running = () => existsSync(join(dir, "postgres", "data", "postmaster.pid"));
  for (let tries = 0; running() && tries < 50; tries++) {
    if (tries > 0) await sleep(100);
    try {
      await (await startEmbedded(dir)).stop();
    } catch {
      // Another run may be stopping it at this moment.
    }
  }
}

async function execute(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  // A lost connection fails the statement.
  client.on("error", () => undefined);
  await client.connect();
  try {
    for (const sql of statements) await client.query(sql);
  } finally {
    await client.end();
  }
}
