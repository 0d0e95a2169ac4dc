import type { Queryable } from "../database/database.ts";
import { DatabaseError } from "../database/database-error.ts";

/**
 * Begins what only a living instance may write. Until the transaction ends no other instance can declare this one dead; one that
 * is dead already writes nothing, however late it wakes up.
 */
export async function assertAlive(connection: Queryable, id: string, onDead?: () => void): Promise<void> {
  const found = await connection.query("SELECT 1 FROM council.instances WHERE id = $1 FOR KEY SHARE", [id]);
  if (found.length > 0) return;
  onDead?.();
  throw new DatabaseError(
    "instance_lost",
    `instance ${id} was declared dead by another instance; it writes no more`,
  );
}
