import type { Queryable } from "../database/database.ts";

/** The channel on which followers of a run wait for news. */
export function runChannel(runId: string): string {
  return `council_run_${runId}`;
}

/** The channel on which an instance gets messages of others. */
export function instanceChannel(id: string): string {
  return `council_instance_${id}`;
}

export async function notifyChange(connection: Queryable, runId: string): Promise<void> {
  await connection.query("SELECT pg_notify($1, '')", [runChannel(runId)]);
}
