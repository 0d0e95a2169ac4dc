import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { cleanUpAfterFile } from "../../../test/clean-up/clean-up.ts";
import { type EmbeddedPostgres, startEmbedded } from "../src/database/embedded/embedded.ts";
import { copyCluster, keptFolder } from "./cluster.ts";
import { createTemplate, TEMPLATE } from "./template.ts";

/** One server for each copy of the repository; its files stay for the next run. */
const dir = keptFolder("postgres");

let server: Promise<EmbeddedPostgres> | undefined;
const cleanups: (() => Promise<void>)[] = [];
cleanUpAfterFile(async () => {
  for (const cleanUp of cleanups.splice(0)) await cleanUp();
});

/**
 * A database with all tables on a real server, dropped after the tests of the file. The server starts with the first, and stops
 * after the run.
 */
export async function createTestDatabase(): Promise<string> {
  try {
    return await createDatabase(TEMPLATE);
  } catch (error) {
    if ((error as { code?: string }).code !== NO_SUCH_DATABASE) throw error;
    await createTemplate(await serverUrl());
    return createDatabase(TEMPLATE);
  }
}

const NO_SUCH_DATABASE = "3D000";

/** One without our tables, for tests of what creates them. */
export const createEmptyDatabase = (): Promise<string> => createDatabase("template1");

/** The database of administrators, for tests that only connect. */
export async function serverUrl(): Promise<string> {
  server ??= startServer();
  return (await server).url;
}

async function createDatabase(template: string): Promise<string> {
  const url = await serverUrl();
  const name = `test_${randomBytes(6).toString("hex")}`;
  await execute(url, [`CREATE DATABASE ${name} TEMPLATE ${template}`]);
  cleanups.push(() => execute(url, [`DROP DATABASE ${name} WITH (FORCE)`]));
  return databaseOf(url, name);
}

/** Removes the rows of all tables; instances that live go on. */
export async function emptyTables(url: string): Promise<void> {
  await execute(url, [
    `DO $$ DECLARE one text; BEGIN
       FOR one IN SELECT tablename FROM pg_tables WHERE schemaname = 'council' AND tablename NOT IN ('versions', 'instances')
       LOOP EXECUTE format('DELETE FROM council.%I', one); END LOOP;
     END $$`,
  ]);
}

/** Each process that runs tests uses the server until it ends. */
async function startServer(): Promise<EmbeddedPostgres> {
  await copyCluster(dir);
  // Over TCP: tests put proxies in front of it.
  const { url, stop } = await startEmbedded(dir, { endpoint: "tcp" });
  return { url: url.replace(/\?.*$/, ""), stop };
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

const databaseOf = (url: string, name: string) => url.replace(/\/postgres$/, `/${name}`);

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
