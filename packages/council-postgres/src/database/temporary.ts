import { DatabaseError } from "./database-error.ts";

/** A server that is down, starting, full or out of connections: what is to be written waits until it is back. */
export function isTemporary(error: unknown): boolean {
  const code = error instanceof DatabaseError ? error.code : ((error as { code?: string }).code ?? "");
  return (
    code === "database_unavailable" || code === "database_busy" || /^(08|25006|25P03|53|57|58|40)/.test(code)
  );
}
