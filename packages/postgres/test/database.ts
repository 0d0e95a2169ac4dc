import { createHash, randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { cleanUpAfterFile } from "../../../test/clean-up/clean-up.ts";
import { startEmbedded } from "../src/database/embedded/embedded.ts";

const cleanups: (() => Promise<void>)[] = [];
cleanUpAfterFile(async () => {
  for (const cleanUp of cleanups.splice(0)) await cleanUp();
});

/**
 * An empty database on a real server, dropped after the tests of the file. Test files share one server for each copy of the
 * repository: it starts with the first and stops with the last, and its folder stays for the next run.
 */
export async function createTestDatabase(): Promise<string> {
  const copy = createHash("sha256")
    .update(import.meta.url)
    .digest("hex")
    .slice(0, 12);
  const dir = join(tmpdir(), `council-test-postgres-${copy}`);
  mkdirSync(dir, { recursive: true });
  const server = await startEmbedded(dir);
  const name = `test_${randomBytes(6).toString("hex")}`;
  await execute(server.url, `CREATE DATABASE ${name}`);
  cleanups.push(async () => {
    await execute(server.url, `DROP DATABASE ${name} WITH (FORCE)`);
    await server.stop();
  });
  return server.url.replace(/\/postgres$/, `/${name}`);
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql);
  await client.end();
}
