import type { TableSet } from "../database/migrate.ts";

/**
 * Decided steps are the recorded steps of DBOS; these tables hold the tasks themselves and where their steps are found. `progress`
 * of a task is exact whenever it rests; while it runs it lags behind by up to a second.
 */
export const TASK_TABLES: TableSet = {
  name: "tasks",
  migrations: [
    `CREATE TABLE council.tasks (
       id text PRIMARY KEY,
       kind text NOT NULL,
       name text,
       spec json NOT NULL,
       status text NOT NULL,
       segment integer NOT NULL DEFAULT 1,
       control text,
       step integer NOT NULL DEFAULT 0,
       progress json NOT NULL,
       given json,
       rate double precision NOT NULL DEFAULT 0,
       result json,
       error json,
       forked_from text,
       fork_step integer,
       created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       started_at timestamptz,
       updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       ended_at timestamptz
     ) WITH (fillfactor = 70);
     CREATE INDEX tasks_by_time ON council.tasks (created_at DESC, id);
     CREATE INDEX tasks_queued ON council.tasks (updated_at) WHERE status = 'queued';
     CREATE TABLE council.task_chunks (
       task_id text NOT NULL REFERENCES council.tasks ON DELETE CASCADE,
       first_step integer NOT NULL,
       last_step integer,
       workflow_id text NOT NULL,
       progress json NOT NULL,
       PRIMARY KEY (task_id, first_step)
     )`,
    `ALTER TABLE council.tasks ADD COLUMN idempotency_key text, ADD COLUMN fingerprint text, ADD COLUMN answers json;
     CREATE UNIQUE INDEX tasks_by_key ON council.tasks (idempotency_key) WHERE idempotency_key IS NOT NULL`,
    // Whether there are any is asked by every instance, several times a second.
    "CREATE INDEX tasks_open ON council.tasks (status) WHERE status IN ('queued', 'running', 'paused')",
  ],
};
