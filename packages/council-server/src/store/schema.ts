/**
 * The tables of the history. Events are the record of a run: its samples and votes are read from them, so they are as complete as
 * the events, whenever the process ends. Each entry migrates a database by one version; entries are never changed.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE owners (
    id TEXT PRIMARY KEY, pid INTEGER NOT NULL, host TEXT NOT NULL, seen_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE runs (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    front TEXT NOT NULL,
    status TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    ended_at INTEGER,
    prompt TEXT NOT NULL,
    request TEXT NOT NULL,
    idempotency_key TEXT,
    fingerprint TEXT NOT NULL,
    http_status INTEGER,
    response TEXT,
    tool TEXT,
    model TEXT,
    calls INTEGER,
    input_tokens INTEGER,
    output_tokens INTEGER,
    cost_usd REAL,
    cost_source TEXT,
    agreed INTEGER,
    votes INTEGER
  ) STRICT;
  CREATE INDEX runs_by_time ON runs (started_at DESC, id DESC);
  CREATE INDEX runs_by_key ON runs (idempotency_key) WHERE idempotency_key IS NOT NULL;
  CREATE INDEX runs_unfinished ON runs (owner) WHERE status = 'running';

  CREATE TABLE events (
    run_id TEXT NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL, type TEXT NOT NULL, data TEXT NOT NULL,
    PRIMARY KEY (run_id, seq)
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER events_follow_their_run AFTER DELETE ON runs BEGIN
    DELETE FROM events WHERE run_id = OLD.id;
  END;

  CREATE VIEW samples AS
    SELECT
      started.run_id,
      started.data ->> 'call' AS call,
      started.data ->> 'purpose' AS purpose,
      started.data ->> 'model' AS model,
      started.data ->> 'temperature' AS temperature,
      finished.data ->> 'finish_reason' AS finish_reason,
      finished.data ->> 'input_tokens' AS input_tokens,
      finished.data ->> 'output_tokens' AS output_tokens,
      finished.data ->> 'latency_ms' AS latency_ms,
      sample.data ->> 'answer' AS answer,
      sample.data ->> 'rule' AS red_flag,
      CASE finished.type WHEN 'call.failed' THEN finished.data ->> 'error' WHEN 'call.aborted' THEN 'aborted' END AS error
    FROM events started
    LEFT JOIN events finished ON finished.run_id = started.run_id
      AND finished.type IN ('call.finished', 'call.failed', 'call.aborted')
      AND finished.data ->> 'call' = started.data ->> 'call'
    LEFT JOIN events sample ON sample.run_id = started.run_id
      AND sample.type IN ('sample.accepted', 'sample.flagged')
      AND sample.data ->> 'call' = started.data ->> 'call'
    WHERE started.type = 'call.started';

  CREATE VIEW votes AS
    SELECT
      run_id,
      data ->> 'call' AS call,
      data ->> 'answer' AS answer,
      data ->> 'leader' AS leader,
      data ->> 'leader_votes' AS leader_votes,
      data ->> 'runner_up_votes' AS runner_up_votes
    FROM events WHERE type = 'vote.counted';

  CREATE VIEW costs AS
    SELECT
      date(started_at / 1000, 'unixepoch') AS day,
      model,
      count(*) AS runs,
      sum(calls) AS calls,
      sum(input_tokens) AS input_tokens,
      sum(output_tokens) AS output_tokens,
      sum(cost_usd) AS cost_usd
    FROM runs GROUP BY 1, 2;
  `,
  "ALTER TABLE runs RENAME COLUMN front TO channel",
  // Lists are filtered by tool, by status or by both, always from the newest to the oldest.
  `
  CREATE INDEX runs_by_tool ON runs (tool, started_at DESC, id DESC);
  CREATE INDEX runs_by_status ON runs (status, started_at DESC, id DESC);
  CREATE INDEX runs_by_tool_and_status ON runs (tool, status, started_at DESC, id DESC);
  CREATE INDEX runs_with_votes ON runs (model, agreed, votes) WHERE votes > 0;
  `,
  // Equal for runs that a cache may answer from one another.
  `
  ALTER TABLE runs ADD COLUMN cache_key TEXT;
  CREATE INDEX runs_by_cache_key ON runs (cache_key, ended_at DESC) WHERE status = 'complete';
  `,
  // Full-text search in prompts and results of runs that are over, written once for each. The key is a table's own: VACUUM may change the row ids of runs.
  `
  CREATE TABLE search_keys (key INTEGER PRIMARY KEY, run_id TEXT NOT NULL UNIQUE) STRICT;
  CREATE VIRTUAL TABLE search_text USING fts5(prompt, result, tokenize = 'unicode61 remove_diacritics 2');
  CREATE TRIGGER search_follows_ended_runs AFTER UPDATE OF status ON runs
    WHEN OLD.status = 'running' AND NEW.status <> 'running'
  BEGIN
    INSERT INTO search_keys (run_id) VALUES (NEW.id);
    INSERT INTO search_text (rowid, prompt, result)
      SELECT key, substr(NEW.prompt, 1, 20000),
        substr(CASE WHEN json_valid(NEW.response) THEN NEW.response ->> '$.result' END, 1, 20000)
      FROM search_keys WHERE run_id = NEW.id;
  END;
  CREATE TRIGGER search_follows_removed_runs AFTER DELETE ON runs BEGIN
    DELETE FROM search_text WHERE rowid = (SELECT key FROM search_keys WHERE run_id = OLD.id);
    DELETE FROM search_keys WHERE run_id = OLD.id;
  END;
  INSERT INTO search_keys (run_id) SELECT id FROM runs WHERE status <> 'running';
  INSERT INTO search_text (rowid, prompt, result)
    SELECT key, substr(prompt, 1, 20000),
      substr(CASE WHEN json_valid(response) THEN response ->> '$.result' END, 1, 20000)
    FROM runs JOIN search_keys ON run_id = id;
  `,
  // Webhooks that are not delivered yet: another process takes over those of a dead one.
  `
  CREATE TABLE webhooks (
    run_id TEXT PRIMARY KEY, owner TEXT NOT NULL, url TEXT NOT NULL, attempts INTEGER NOT NULL, next_at INTEGER NOT NULL
  ) STRICT;
  CREATE TRIGGER webhooks_follow_their_run AFTER DELETE ON runs BEGIN
    DELETE FROM webhooks WHERE run_id = OLD.id;
  END;
  `,
  // What the steps of tasks spend; `unpriced_…` are the tokens whose cost is unknown.
  `
  CREATE TABLE task_expenses (
    day INTEGER NOT NULL,
    model TEXT NOT NULL,
    calls INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    usd REAL NOT NULL,
    unpriced_input INTEGER NOT NULL,
    unpriced_output INTEGER NOT NULL,
    unpriced_calls INTEGER NOT NULL,
    PRIMARY KEY (day, model)
  ) STRICT, WITHOUT ROWID;
  `,
  // What events say is read by `run-projection.ts`, for every kind of database.
  "DROP VIEW samples; DROP VIEW votes; DROP VIEW costs",
  // The steps of one agent.
  `
  ALTER TABLE runs ADD COLUMN session TEXT;
  CREATE INDEX runs_by_session ON runs (session, started_at DESC, id DESC) WHERE session IS NOT NULL;
  `,
  // What was measured about models; it outlives the runs it comes from.
  `
  CREATE TABLE measurements (
    subject TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, data TEXT NOT NULL, PRIMARY KEY (subject, id)
  ) STRICT, WITHOUT ROWID;
  `,
  // Model calls with their whole prompts and replies, and what each run decided, for lists.
  `
  ALTER TABLE runs ADD COLUMN answer TEXT;
  CREATE TABLE calls (
    run_id TEXT NOT NULL, call INTEGER NOT NULL, data TEXT NOT NULL, PRIMARY KEY (run_id, call)
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER calls_follow_their_run AFTER DELETE ON runs BEGIN
    DELETE FROM calls WHERE run_id = OLD.id;
  END;
  `,
  // Whose run it is, behind an issuer. Runs of before have none: only an admin sees them.
  `
  ALTER TABLE runs ADD COLUMN subject TEXT;
  CREATE INDEX runs_by_subject ON runs (subject, started_at DESC, id DESC) WHERE subject IS NOT NULL;
  `,
  // Whose task spent it, and what deleted runs have spent; '': the service's own.
  `
  ALTER TABLE task_expenses RENAME TO expenses_of_before;
  CREATE TABLE task_expenses (
    day INTEGER NOT NULL,
    model TEXT NOT NULL,
    subject TEXT NOT NULL,
    calls INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    usd REAL NOT NULL,
    unpriced_input INTEGER NOT NULL,
    unpriced_output INTEGER NOT NULL,
    unpriced_calls INTEGER NOT NULL,
    PRIMARY KEY (day, model, subject)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO task_expenses
    SELECT day, model, '', calls, tokens, usd, unpriced_input, unpriced_output, unpriced_calls FROM expenses_of_before;
  DROP TABLE expenses_of_before;
  `,
];
