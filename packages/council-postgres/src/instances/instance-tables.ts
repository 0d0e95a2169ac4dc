import type { TableSet } from "../database/migrate.ts";

/** A row for each living instance. An instance without a row was declared dead, and may write nothing. */
export const INSTANCE_TABLES: TableSet = {
  name: "instances",
  migrations: [
    `CREATE TABLE council.instances (
       id text PRIMARY KEY,
       lock_key integer NOT NULL,
       started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       seen_at timestamptz NOT NULL DEFAULT clock_timestamp()
     ) WITH (fillfactor = 50)`,
    // The version of the workflows it runs; null without tasks.
    "ALTER TABLE council.instances ADD COLUMN workflow_version integer",
  ],
};
