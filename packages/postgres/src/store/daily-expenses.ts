import type { SharedExpense } from "@mci-ts/council-server";
import type { Database } from "../database/database.ts";

/** Adds to today's expenses of all instances and gives the totals. The day is that of the database (UTC). */
export async function addExpense(
  database: Database,
  { calls, tokens, usd }: SharedExpense,
): Promise<SharedExpense> {
  const [totals] = await database.query<SharedExpense>(
    `INSERT INTO council.daily_expenses AS today (day, calls, tokens, usd)
     VALUES ((clock_timestamp() AT TIME ZONE 'UTC')::date, $1, $2, $3)
     ON CONFLICT (day) DO UPDATE
       SET calls = today.calls + excluded.calls, tokens = today.tokens + excluded.tokens, usd = today.usd + excluded.usd
     RETURNING calls, tokens, usd`,
    [calls, tokens, usd],
  );
  return totals!;
}
