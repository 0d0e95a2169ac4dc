import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { openDatabase } from "../src/database/database.ts";
import { exclusively } from "../src/database/exclusively.ts";
import { migrate } from "../src/database/migrate.ts";
import { INSTANCE_TABLES } from "../src/instances/instance-tables.ts";
import { HISTORY_TABLES } from "../src/store/history-tables.ts";
import { TASK_TABLES } from "../src/tasks/store/task-tables.ts";

const TABLES = [INSTANCE_TABLES, HISTORY_TABLES, TASK_TABLES];

/** Named by what its tables are made of: one of earlier sources is never used. */
export const TEMPLATE = `template_${createHash("sha256")
  .update(JSON.stringify(TABLES))
  // With the version of DBOS.
  .update(readFileSync(new URL("../package.json", import.meta.url)))
  .digest("hex")
  .slice(0, 12)}`;

/**
 * A database with all tables, of ours and of DBOS, that stays on the server for the next run. To copy it takes a fraction of what
 * the hundred migrations of DBOS take.
 */
export async function createTemplate(url: string): Promise<void> {
  const server = openDatabase(url, { applicationName: "template", maxConnections: 1 });
  try {
    // Files of tests begin side by side.
    await exclusively(server, async () => {
      const found = await server.query("SELECT 1 FROM pg_database WHERE datname = $1", [TEMPLATE]);
      if (found.length > 0) return;
      const draft = `${TEMPLATE}_draft`;
      const old = await server.query<{ datname: string }>(
        "SELECT datname FROM pg_database WHERE datname LIKE 'template\\__%'",
      );
      for (const { datname } of old) await server.query(`DROP DATABASE ${datname} WITH (FORCE)`);
      await server.query(`CREATE DATABASE ${draft}`);
      await createTables(url.replace(/[^/]+$/, draft));
      await server.query(`ALTER DATABASE ${draft} RENAME TO ${TEMPLATE}`);
    });
  } finally {
    await server.close();
  }
}

async function createTables(url: string): Promise<void> {
  const database = openDatabase(url, { applicationName: "template", maxConnections: 1 });
  for (const tables of TABLES) await migrate(database, tables);
  await database.close();
  const { DBOS } = await import("@dbos-inc/dbos-sdk");
  await DBOS.migrate(url);
}
