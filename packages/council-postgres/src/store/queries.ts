import type {
  CachedResponse,
  Measurement,
  MeasurementSubject,
  SessionCost,
  StoredResponse,
  VoteAgreement,
} from "@mci-ts/council-server";
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

/** What the steps of one agent cost, as far as known, whichever instances took them. */
export async function sessionCost(database: Queryable, session: string): Promise<SessionCost> {
  const [cost] = await database.query<SessionCost>(
    `SELECT coalesce(sum(cost_usd), 0) AS usd, count(*) FILTER (WHERE calls > 0 AND cost_usd IS NULL)::integer AS unpriced
     FROM council.runs WHERE session = $1`,
    [session],
  );
  return cost!;
}

/** The newest measurements of a subject, oldest first. */
export function measurements(database: Queryable, subject: MeasurementSubject): Promise<Measurement[]> {
  return database.query(
    `SELECT id, data FROM (SELECT id, data, at FROM council.measurements WHERE subject = $1 ORDER BY at DESC LIMIT 20000) AS newest
     ORDER BY at`,
    [subject],
  );
}

export async function measurement(
  database: Queryable,
  subject: MeasurementSubject,
  id: string,
): Promise<Measurement | undefined> {
  const [found] = await database.query<Measurement>(
    "SELECT id, data FROM council.measurements WHERE subject = $1 AND id = $2",
    [subject, id],
  );
  return found;
}

/** How often each model voted for the winner. */
export function agreements(database: Queryable): Promise<VoteAgreement[]> {
  return database.query(
    "SELECT model, sum(agreed) AS agreed, sum(votes) AS total FROM council.runs WHERE votes > 0 AND model IS NOT NULL GROUP BY model",
  );
}
