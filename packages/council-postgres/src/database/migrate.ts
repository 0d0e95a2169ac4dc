import type { Database, Queryable } from "./database.ts";
import { DatabaseError } from "./database-error.ts";

/** For a user who may not create schemas. */
export const SCHEMA_ADVICE =
  "Let an administrator create the schemas: CREATE SCHEMA council AUTHORIZATION <user>; CREATE SCHEMA dbos AUTHORIZATION <user>";

/** The tables of one part of the program. Each entry of `migrations` takes them one version further; entries are never changed. */
export interface TableSet {
  readonly name: string;
  readonly migrations: readonly string[];
}

/**
 * Brings tables to the version of this program. Forward only, each version in a transaction of its own, under a lock: instances
 * that start side by side take turns. All tables are in the schema `council`.
 */
export async function migrate(database: Database, tables: TableSet): Promise<void> {
  // Most starts find nothing to do: they need no lock, and one statement.
  if ((await versionOf(database, tables.name).catch(ifMissing)) === tables.migrations.length) return;
  for (;;) {
    const version = await database.transaction((connection) => migrateOnce(connection, tables, database), {
      queryTimeoutMs: MIGRATION_TIMEOUT_MS,
    });
    if (version === tables.migrations.length) return;
  }
}

/** Any number, the same in every version of the program. */
const MIGRATION_LOCK = 7_303_014;
/** A large history takes its time. */
const MIGRATION_TIMEOUT_MS = 60 * 60_000;

async function migrateOnce(
  connection: Queryable,
  { name, migrations }: TableSet,
  { description }: Database,
): Promise<number> {
  await connection.query("SELECT pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
  await createVersionTable(connection, description);
  const version = await versionOf(connection, name);
  if (version > migrations.length) {
    throw new DatabaseError(
      "database_newer",
      `${description}: the tables "${name}" have version ${version}, this program knows ${migrations.length}. A newer version has upgraded the database: start that version, or restore a backup from before the upgrade`,
    );
  }
  const next = migrations[version];
  if (next === undefined) return version;
  await connection.query(next);
  await connection.query(
    "INSERT INTO council.versions (name, version) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET version = excluded.version",
    [name, version + 1],
  );
  return version + 1;
}

async function versionOf(connection: Queryable, name: string): Promise<number> {
  const [row] = await connection.query<{ version: number }>(
    "SELECT version FROM council.versions WHERE name = $1",
    [name],
  );
  return row?.version ?? 0;
}

/** 42P01: no such table. */
function ifMissing(error: unknown): 0 {
  if ((error as { code?: string }).code === "42P01") return 0;
  throw error;
}

/** An administrator may have created the schema for a user who may not. */
async function createVersionTable(connection: Queryable, description: string): Promise<void> {
  const [found] = await connection.query<{ schema: string | null; versions: string | null }>(
    "SELECT to_regnamespace('council')::text AS schema, to_regclass('council.versions')::text AS versions",
  );
  if (!found?.schema)
    await connection.query("CREATE SCHEMA council").catch((error: Error & { code?: string }) => {
      if (error.code !== "42501") throw error;
      throw new DatabaseError("database_unavailable", `${description}: ${error.message}. ${SCHEMA_ADVICE}`, {
        cause: error,
      });
    });
  if (!found?.versions) {
    await connection.query("CREATE TABLE council.versions (name text PRIMARY KEY, version integer NOT NULL)");
  }
}
