import type { DatabaseSync } from "node:sqlite";
import type { UnpricedUsage } from "./records.ts";
import { type ModelUsage, usageByModel } from "./run-projection.ts";

/** Usage of runs and tasks since a moment, as far as known; for interrupted runs it comes from their events. */
export function spentSince(
  db: DatabaseSync,
  since: number,
  subject?: string,
): { calls: number; tokens: number; usd: number } {
  const ended = db
    .prepare(
      `SELECT coalesce(sum(calls), 0) AS calls, coalesce(sum(tokens), 0) AS tokens, coalesce(sum(usd), 0) AS usd FROM (
         SELECT calls, input_tokens + output_tokens AS tokens, cost_usd AS usd FROM runs
         WHERE started_at >= :since${of(subject)}
         UNION ALL
         SELECT calls, tokens, usd FROM task_expenses WHERE day >= :since${of(subject)})`,
    )
    .get(named(since, subject)) as { calls: number; tokens: number; usd: number };
  return callUsage(db, "calls", since, subject).reduce(
    ({ calls, tokens, usd }, call) => ({
      calls: calls + call.calls,
      tokens: tokens + call.inputTokens + call.outputTokens,
      usd,
    }),
    ended,
  );
}

/** Tokens by model of runs and tasks since a moment whose cost is unknown, or that were interrupted before it was recorded. */
export function unpricedSince(db: DatabaseSync, since: number, subject?: string): UnpricedUsage[] {
  const runs = callUsage(db, "cost_usd", since, subject).filter(({ finished }) => finished > 0);
  const tasks = db.prepare(
    `SELECT model, unpriced_input AS inputTokens, unpriced_output AS outputTokens FROM task_expenses
     WHERE day >= :since AND unpriced_calls > 0${of(subject)}`,
  );
  return [
    ...runs.map(({ model, inputTokens, outputTokens }) => ({ model, inputTokens, outputTokens })),
    ...(tasks.all(named(since, subject)) as unknown as UnpricedUsage[]),
  ];
}

const of = (subject: string | undefined) => (subject === undefined ? "" : " AND subject = :subject");
const named = (since: number, subject: string | undefined) => ({
  since,
  ...(subject === undefined ? {} : { subject }),
});

/** The usage of runs that have no value in a column. */
function callUsage(
  db: DatabaseSync,
  missing: "calls" | "cost_usd",
  since: number,
  subject?: string,
): ModelUsage[] {
  const rows = db.prepare(callEvents(missing, of(subject))).iterate(named(since, subject));
  return usageByModel(rows as unknown as Iterable<{ run_id: string; data: string }>);
}

/** CROSS JOIN keeps this order of the tables: by itself SQLite would read the events of all runs. */
export const callEvents = (missing: "calls" | "cost_usd", condition = "") =>
  `SELECT run_id, data FROM runs CROSS JOIN events ON run_id = id
   WHERE started_at >= :since AND ${missing} IS NULL${condition} AND type IN ('call.started', 'call.finished')
   ORDER BY started_at DESC, id DESC, seq`;

/** Expenses of one day, model and subject are one row. */
export const ADD_EXPENSE = `ON CONFLICT (day, model, subject) DO UPDATE SET
  calls = calls + excluded.calls, tokens = tokens + excluded.tokens, usd = usd + excluded.usd,
  unpriced_calls = unpriced_calls + excluded.unpriced_calls,
  unpriced_input = unpriced_input + excluded.unpriced_input,
  unpriced_output = unpriced_output + excluded.unpriced_output`;

/** What a run has spent, for the day on which it is deleted. */
export const KEEP_EXPENSE = `
  INSERT INTO task_expenses (day, model, subject, calls, tokens, usd, unpriced_calls, unpriced_input, unpriced_output)
  SELECT started_at - started_at % 86400000, coalesce(model, ''), coalesce(subject, ''), calls,
    coalesce(input_tokens + output_tokens, 0), coalesce(cost_usd, 0), cost_usd IS NULL,
    iif(cost_usd IS NULL, coalesce(input_tokens, 0), 0), iif(cost_usd IS NULL, coalesce(output_tokens, 0), 0)
  FROM runs WHERE id = ? AND calls > 0
  ${ADD_EXPENSE}`;
