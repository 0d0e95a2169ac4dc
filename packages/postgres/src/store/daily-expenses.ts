import type { SharedExpense } from "@mci-ts/council-server";
import type { Database } from "../database/database.ts";

/** Adds to today's expenses of all instances and gives the totals. The day is that of the database (UTC). */
export async function addExpense(
  database: Database,
  { calls, tokens, usd }: SharedExpense,
): Promise<SharedExpense & { readonly day: string }> {
  const [totals] = await database.query<SharedExpense & { readonly day: string }>(
    `INSERT INTO council.daily_expenses AS today (day, calls, tokens, usd)
     VALUES ((clock_timestamp() AT TIME ZONE 'UTC')::date, $1, $2, $3)
     ON CONFLICT (day) DO UPDATE
       SET calls = today.calls + excluded.calls, tokens = today.tokens + excluded.tokens, usd = today.usd + excluded.usd
     RETURNING day::text, calls, tokens, usd`,
    [calls, tokens, usd],
  );
  return totals!;
}
