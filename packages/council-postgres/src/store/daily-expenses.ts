import type { BudgetExchange, BudgetState } from "@mci-ts/council-server";
import type { Database } from "../database/database.ts";

/**
 * Takes from today's budget of all instances, or of one subject on them, as far as the limits leave room, and adds what was spent beyond what had been taken.
 * The row is locked first, so that no two instances take the same. The day is that of the database (UTC).
 */
export async function exchangeBudget(database: Database, exchange: BudgetExchange): Promise<BudgetState> {
  const { add, take, limits, subject } = exchange;
  const amounts = [add, take, limits].flatMap(({ calls, tokens, usd }) => [calls, tokens, usd]);
  const [row] = await (subject === undefined
    ? database.query<ExchangeRow>(EXCHANGE, amounts)
    : database.query<ExchangeRow>(EXCHANGE_OF_SUBJECT, [...amounts, subject]));
  if (row) return toState(row);
  await (subject === undefined
    ? database.query(
        `INSERT INTO council.daily_expenses (day, calls, tokens, usd) VALUES (${TODAY}, 0, 0, 0) ON CONFLICT DO NOTHING`,
      )
    : database.query(
        `INSERT INTO council.subject_expenses (day, subject, calls, tokens, usd) VALUES (${TODAY}, $1, 0, 0, 0)
         ON CONFLICT DO NOTHING`,
        [subject],
      ));
  return exchangeBudget(database, exchange);
}

interface ExchangeRow {
  readonly day: string;
  readonly calls: number;
  readonly tokens: number;
  readonly usd: number;
  readonly taken_calls: number;
  readonly taken_tokens: number;
  readonly taken_usd: number;
}

const TODAY = "(clock_timestamp() AT TIME ZONE 'UTC')::date";

const exchangeIn = (table: string, condition = "") => `
  WITH before AS (
    SELECT day, calls, tokens, usd FROM ${table} AS today WHERE day = ${TODAY}${condition} FOR UPDATE
  ), taken AS (
    SELECT
      day,
      least($4::float8, greatest($7::float8 - before.calls - $1::float8, 0)) AS calls,
      least($5::float8, greatest($8::float8 - before.tokens - $2::float8, 0)) AS tokens,
      least($6::float8, greatest($9::float8 - before.usd - $3::float8, 0)) AS usd
    FROM before
  )
  UPDATE ${table} AS today
  SET
    calls = today.calls + $1 + taken.calls,
    tokens = today.tokens + $2 + taken.tokens,
    usd = today.usd + $3 + taken.usd
  FROM taken WHERE today.day = taken.day${condition}
  RETURNING today.day::text, today.calls, today.tokens, today.usd,
    taken.calls AS taken_calls, taken.tokens AS taken_tokens, taken.usd AS taken_usd`;

const EXCHANGE = exchangeIn("council.daily_expenses");
const EXCHANGE_OF_SUBJECT = exchangeIn("council.subject_expenses", " AND today.subject = $10");

function toState({
  day,
  calls,
  tokens,
  usd,
  taken_calls,
  taken_tokens,
  taken_usd,
}: ExchangeRow): BudgetState {
  return {
    day,
    taken: { calls: taken_calls, tokens: taken_tokens, usd: taken_usd },
    totals: { calls, tokens, usd },
  };
}
