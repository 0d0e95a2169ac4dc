import type { CachedResponse, StoredResponse, UnpricedUsage, VoteAgreement } from "@mci-ts/council-server";
import type { Queryable } from "../database/database.ts";

/** The newest successful run under an idempotency key. Failures are left out, so that they can be retried. */
export async function findByKey(database: Queryable, key: string): Promise<StoredResponse | undefined> {
  const [found] = await database.query<StoredResponse>(
    `SELECT id, fingerprint, http_status AS "httpStatus", response FROM council.runs
     WHERE idempotency_key = $1 AND http_status < 500 AND status IN ('complete', 'partial', 'degraded')
     ORDER BY started_at DESC LIMIT 1`,
    [key],
  );
  return found;
}

/** The newest complete run with the cache key that ended since a moment. */
export async function findCached(
  database: Queryable,
  key: string,
  since: number,
): Promise<CachedResponse | undefined> {
  const [found] = await database.query<CachedResponse>(
    `SELECT id, ended_at AS "endedAt", response FROM council.runs
     WHERE cache_key = $1 AND status = 'complete' AND ended_at >= $2 ORDER BY ended_at DESC LIMIT 1`,
    [key, Math.round(since)],
  );
  return found;
}

/** How often each model voted for the winner. */
export function agreements(database: Queryable): Promise<VoteAgreement[]> {
  return database.query(
    "SELECT model, sum(agreed) AS agreed, sum(votes) AS total FROM council.runs WHERE votes > 0 AND model IS NOT NULL GROUP BY model",
  );
}

/** Usage of runs since a moment, as far as known; for runs without an end it comes from their events. */
export async function spentSince(
  database: Queryable,
  since: number,
): Promise<{ calls: number; tokens: number; usd: number }> {
  const [ended] = await database.query<{ calls: number; tokens: number; usd: number }>(
    `SELECT coalesce(sum(calls), 0) AS calls, coalesce(sum(input_tokens + output_tokens), 0)::bigint AS tokens,
       coalesce(sum(cost_usd), 0) AS usd FROM council.runs WHERE started_at >= $1 AND calls IS NOT NULL`,
    [since],
  );
  const calls = callsOf(await callEvents(database, since, "runs.calls IS NULL"));
  return {
    calls: (ended?.calls ?? 0) + calls.length,
    tokens: calls.reduce((sum, call) => sum + call.inputTokens + call.outputTokens, ended?.tokens ?? 0),
    usd: ended?.usd ?? 0,
  };
}

/** Tokens by model of runs since a moment whose cost is unknown, or that were interrupted before it was recorded. */
export async function unpricedSince(database: Queryable, since: number): Promise<UnpricedUsage[]> {
  const calls = callsOf(await callEvents(database, since, "runs.cost_usd IS NULL"));
  const byModel = Map.groupBy(
    calls.filter(({ finished }) => finished),
    ({ model }) => model,
  );
  return [...byModel].map(([model, ofModel]) => ({
    model,
    inputTokens: ofModel.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
    outputTokens: ofModel.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
  }));
}

interface CallEvent {
  readonly run_id: string;
  readonly data: string;
}

function callEvents(
  database: Queryable,
  since: number,
  condition: "runs.calls IS NULL" | "runs.cost_usd IS NULL",
): Promise<CallEvent[]> {
  return database.query(
    `SELECT run_id, data FROM council.runs JOIN council.events ON run_id = id
     WHERE started_at >= $1 AND ${condition} AND type IN ('call.started', 'call.finished') ORDER BY run_id, seq`,
    [since],
  );
}

interface Call extends UnpricedUsage {
  readonly finished: boolean;
}

/** The start of a call names its model, the end its tokens. */
function callsOf(events: readonly CallEvent[]): Call[] {
  const calls = new Map<string, Call>();
  for (const { run_id, data } of events) {
    const { type, call, model, input_tokens = 0, output_tokens = 0 } = JSON.parse(data);
    const key = `${run_id} ${call}`;
    if (type === "call.started") calls.set(key, { model, inputTokens: 0, outputTokens: 0, finished: false });
    const known = calls.get(key);
    if (type === "call.finished" && known)
      calls.set(key, { ...known, inputTokens: input_tokens, outputTokens: output_tokens, finished: true });
  }
  return [...calls.values()];
}
