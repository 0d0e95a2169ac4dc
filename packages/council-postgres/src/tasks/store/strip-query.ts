import type { StripRange, TaskStrip } from "@mci-ts/council";
import type { Queryable } from "../../database/database.ts";

/**
 * As `isContested` of the engine; word for word the condition of the index `task_steps_contested`, so that it is used. Never as text:
 * a record may hold what PostgreSQL has no text for.
 */
const CONTESTED =
  "(json_typeof(record -> 'votes') = 'object' OR json_typeof(record -> 'flagged') = 'number')";

/**
 * Parts of a task of steps, with how many steps of each were contested. Steps have numbers without gaps, so that only the contested
 * ones and the first of each part are read, however many there are.
 */
export async function readStrip(
  database: Queryable,
  id: string,
  decided: number,
  { from = 1, to = decided, parts }: StripRange,
): Promise<TaskStrip> {
  const last = Math.min(to, decided);
  const first = Math.max(1, from);
  const count = Math.max(0, last - first + 1);
  const size = Math.max(1, Math.ceil(count / parts));
  const starts = Array.from({ length: Math.ceil(count / size) }, (_, index) => first + index * size);
  if (starts.length === 0) return { from: first, to: last, size, parts: [] };
  const [contested, times] = await Promise.all([
    database.query<{ part: number; count: number }>(
      `SELECT ((step - $2::integer) / $4::integer)::integer AS part, count(*)::integer AS count FROM council.task_steps
       WHERE task_id = $1 AND step BETWEEN $2 AND $3 AND ${CONTESTED} GROUP BY 1`,
      [id, first, last, size],
    ),
    database.query<{ step: number; decided_at: Date }>(
      "SELECT step, decided_at FROM council.task_steps WHERE task_id = $1 AND step = ANY($2::integer[])",
      [id, starts],
    ),
  ]);
  const counts = new Map(contested.map((row) => [row.part, row.count]));
  const decidedAt = new Map(times.map((row) => [row.step, row.decided_at.toISOString()]));
  return {
    from: first,
    to: last,
    size,
    parts: starts.map((start, index) => ({
      from: start,
      to: Math.min(last, start + size - 1),
      contested: counts.get(index) ?? 0,
      decided_at: decidedAt.get(start) ?? null,
    })),
  };
}
