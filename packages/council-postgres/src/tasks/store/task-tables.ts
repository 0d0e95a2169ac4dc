import type { TableSet } from "../../database/migrate.ts";

/**
 * A task is a row of `tasks` and a workflow of DBOS with the same id; its status is the workflow's (`task-query.ts`). Decided steps
 * are rows of `task_steps` with their numbers. `task_chunks` and the column `status` were
 * for workflows before version 2: nothing fills them.
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
    `CREATE TABLE council.task_crashes (
       workflow_id text PRIMARY KEY,
       task_id text NOT NULL REFERENCES council.tasks ON DELETE CASCADE,
       recorded integer NOT NULL,
       crashes integer NOT NULL
     );
     CREATE INDEX task_crashes_by_task ON council.task_crashes (task_id)`,
    // `progress` of a step: where the task stood after it; only some have one. `runner`: the instance that began it and has not
    // ended; empty, if that instance stopped in order.
    `CREATE TABLE council.task_steps (
       task_id text NOT NULL,
       step integer NOT NULL,
       record json NOT NULL,
       progress json,
       decided_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       PRIMARY KEY (task_id, step)
     );
     CREATE INDEX task_snapshots ON council.task_steps (task_id, step) WHERE progress IS NOT NULL;
     ALTER TABLE council.tasks ALTER COLUMN status DROP NOT NULL, ADD COLUMN workflow_version integer NOT NULL DEFAULT 1,
       ADD COLUMN runner text, ADD COLUMN running_since timestamptz, ADD COLUMN step_limit_ms bigint;
     CREATE INDEX tasks_unfinished ON council.tasks (created_at) WHERE ended_at IS NULL`,
    // `outages`: pauses in a row because the provider could not be reached; `outage_step`: how many steps were recorded at the last one.
    `ALTER TABLE council.tasks ADD COLUMN retry_at timestamptz, ADD COLUMN outages integer NOT NULL DEFAULT 0, ADD COLUMN outage_step integer;
     CREATE INDEX tasks_to_retry ON council.tasks (retry_at) WHERE retry_at IS NOT NULL`,
    // `webhook_at`: when the next attempt is due, once the task is over; null: none is, or it is done with.
    `ALTER TABLE council.tasks ADD COLUMN webhook text, ADD COLUMN webhook_at timestamptz, ADD COLUMN webhook_attempts integer NOT NULL DEFAULT 0;
     CREATE INDEX tasks_webhooks ON council.tasks (webhook_at) WHERE webhook_at IS NOT NULL;
     CREATE INDEX tasks_ended ON council.tasks (ended_at) WHERE ended_at IS NOT NULL`,
    // Lists by status go through one of these in their order, and stop after a page (`search-query.ts`).
    `CREATE INDEX tasks_newest ON council.tasks (created_at DESC, id DESC);
     CREATE INDEX tasks_unfinished_newest ON council.tasks (created_at DESC, id DESC) WHERE ended_at IS NULL;
     CREATE INDEX tasks_paused_newest ON council.tasks (created_at DESC, id DESC) WHERE ended_at IS NULL AND error IS NOT NULL;
     CREATE INDEX tasks_complete_newest ON council.tasks (created_at DESC, id DESC) WHERE ended_at IS NOT NULL AND result IS NOT NULL;
     CREATE INDEX tasks_failed_newest ON council.tasks (created_at DESC, id DESC) WHERE ended_at IS NOT NULL AND result IS NULL AND error IS NOT NULL;
     CREATE INDEX tasks_cancelled_newest ON council.tasks (created_at DESC, id DESC) WHERE ended_at IS NOT NULL AND result IS NULL AND error IS NULL;
     CREATE INDEX tasks_before_version_2 ON council.tasks (status) WHERE status IS NOT NULL;
     CREATE INDEX tasks_by_name ON council.tasks USING gin (to_tsvector('simple', regexp_replace(lower(coalesce(name, '')), '[^[:alnum:]]+', ' ', 'g')))`,
    // `open_calls`: as many may be open; `lost_calls`: were open when an execution ended without a word, and belong to no record yet.
    `ALTER TABLE council.tasks ADD COLUMN open_calls integer NOT NULL DEFAULT 0, ADD COLUMN lost_calls integer NOT NULL DEFAULT 0`,
    // Stored, so that the words of a name need not be found again for every row that a search looks at.
    `DROP INDEX council.tasks_by_name;
     ALTER TABLE council.tasks ADD COLUMN name_words tsvector GENERATED ALWAYS AS (to_tsvector('simple', regexp_replace(lower(coalesce(name, '')), '[^[:alnum:]]+', ' ', 'g'))) STORED;
     CREATE INDEX tasks_by_name ON council.tasks USING gin (name_words)`,
    // The name of the schedule that started it.
    `ALTER TABLE council.tasks ADD COLUMN schedule text;
     CREATE INDEX tasks_by_schedule ON council.tasks (schedule, created_at DESC) WHERE schedule IS NOT NULL`,
    // Whose task it is, behind an issuer. Tasks of before, and those of schedules, have none: only an admin sees them.
    `ALTER TABLE council.tasks ADD COLUMN subject text;
     CREATE INDEX tasks_by_subject ON council.tasks (subject, created_at DESC, id DESC) WHERE subject IS NOT NULL`,
    // A strip of a million steps shows which were contested: those are few, and found without the others (`strip-query.ts`).
    `CREATE INDEX task_steps_contested ON council.task_steps (task_id, step) 
       WHERE (json_typeof(record -> 'votes') = 'object' OR record -> 'flagged' IS NOT NULL)`,
    // The same without IS NOT NULL, of which the planner expects nearly all rows, and reads the whole table instead.
    `DROP INDEX council.task_steps_contested;
     CREATE INDEX task_steps_contested ON council.task_steps (task_id, step)
       WHERE (json_typeof(record -> 'votes') = 'object' OR json_typeof(record -> 'flagged') = 'number')`,
  ],
};
