import type { Database } from "./database.ts";
import { DatabaseError } from "./database-error.ts";

/**
 * Refuses a pooler that gives one session to several clients, as in transaction mode: leases, locks and notifications belong to
 * a session. Two connections that are open at the same time then show the same process of the server or, where the pooler takes turns
 * or other clients come between, one connection shows several.
 */
export async function requireOwnSessions(database: Pick<Database, "connect" | "description">): Promise<void> {
  const first = await database.connect();
  try {
    const second = await database.connect();
    try {
      const sessions = [new Set<number>(), new Set<number>()] as const;
      for (let i = 0; i < ATTEMPTS; i++) {
        sessions[0].add(await processOf(first));
        sessions[1].add(await processOf(second));
      }
      if (new Set([...sessions[0], ...sessions[1]]).size === 2 && sessions[0].size === 1) return;
      throw new DatabaseError(
        "database_pooler",
        `${database.description}: connections do not have a session of their own, as behind a pooler in transaction mode. Set it to session mode (pgbouncer: pool_mode = session), or connect to PostgreSQL directly`,
      );
    } finally {
      await second.end().catch(() => undefined);
    }
  } finally {
    await first.end().catch(() => undefined);
  }
}

const ATTEMPTS = 5;

async function processOf(client: Awaited<ReturnType<Database["connect"]>>): Promise<number> {
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  return rows[0]!.pid;
}
