import type { TableSet } from "../database/migrate.ts";

/**
 * The history of runs and what instances agree on. Instances of the version before may still be running when a migration ends: it
 * adds, and what is no longer needed is removed one version later.
 */
export const HISTORY_TABLES: TableSet = {
  name: "history",
  migrations: [
    `CREATE TABLE council.runs (
       id text PRIMARY KEY,
       owner text NOT NULL,
       channel text NOT NULL,
       status text NOT NULL,
       started_at bigint NOT NULL,
       ended_at bigint,
       prompt text NOT NULL,
       request text NOT NULL,
       idempotency_key text,
       fingerprint text NOT NULL,
       cache_key text,
       http_status integer,
       response text,
       tool text,
       model text,
       calls integer,
       input_tokens bigint,
       output_tokens bigint,
       cost_usd double precision,
       cost_source text,
       agreed integer,
       votes integer,
       search tsvector NOT NULL
     );
     CREATE INDEX runs_by_time ON council.runs (started_at DESC, id DESC);
     CREATE INDEX runs_by_tool ON council.runs (tool, started_at DESC, id DESC);
     CREATE INDEX runs_by_status ON council.runs (status, started_at DESC, id DESC);
     CREATE INDEX runs_in_flight ON council.runs (owner) WHERE status = 'running';
     CREATE INDEX runs_by_key ON council.runs (idempotency_key) WHERE idempotency_key IS NOT NULL;
     CREATE INDEX runs_by_cache_key ON council.runs (cache_key, ended_at DESC) WHERE status = 'complete';
     CREATE INDEX runs_with_votes ON council.runs (model, agreed, votes) WHERE votes > 0;
     CREATE INDEX runs_by_words ON council.runs USING gin (search);

     CREATE TABLE council.events (
       run_id text NOT NULL REFERENCES council.runs ON DELETE CASCADE,
       seq integer NOT NULL,
       at bigint NOT NULL,
       type text NOT NULL,
       data text NOT NULL,
       PRIMARY KEY (run_id, seq)
     );

     CREATE TABLE council.webhooks (
       run_id text PRIMARY KEY,
       owner text NOT NULL,
       url text NOT NULL,
       attempts integer NOT NULL,
       next_at bigint NOT NULL
     );

     CREATE TABLE council.idempotency_keys (
       key text PRIMARY KEY,
       run_id text NOT NULL,
       fingerprint text NOT NULL,
       owner text NOT NULL,
       claimed_at timestamptz NOT NULL DEFAULT clock_timestamp()
     );

     CREATE TABLE council.daily_expenses (
       day date PRIMARY KEY,
       calls double precision NOT NULL,
       tokens double precision NOT NULL,
       usd double precision NOT NULL
     )`,
    // The steps of one agent.
    `ALTER TABLE council.runs ADD COLUMN session text;
     CREATE INDEX runs_by_session ON council.runs (session, started_at DESC, id DESC) WHERE session IS NOT NULL`,
    // What was measured about models; it outlives the runs it comes from.
    `CREATE TABLE council.measurements (
       subject text NOT NULL,
       id text NOT NULL,
       at bigint NOT NULL,
       data text NOT NULL,
       PRIMARY KEY (subject, id)
     )`,
    // Model calls with their whole prompts and replies, and what each run decided, for lists.
    `ALTER TABLE council.runs ADD COLUMN answer text;
     CREATE TABLE council.calls (
       run_id text NOT NULL REFERENCES council.runs ON DELETE CASCADE,
       call integer NOT NULL,
       data text NOT NULL,
       PRIMARY KEY (run_id, call)
     )`,
    // Whose run it is, behind an issuer. Runs of before have none: only an admin sees them.
    `ALTER TABLE council.runs ADD COLUMN subject text;
     CREATE INDEX runs_by_subject ON council.runs (subject, started_at DESC, id DESC) WHERE subject IS NOT NULL`,
    // What each subject has taken of its part of the day.
    `CREATE TABLE council.subject_expenses (
       day date NOT NULL,
       subject text NOT NULL,
       calls double precision NOT NULL,
       tokens double precision NOT NULL,
       usd double precision NOT NULL,
       PRIMARY KEY (day, subject)
     )`,
  ],
};
