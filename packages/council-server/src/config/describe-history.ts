import { join } from "node:path";
import type { StoreConfig } from "./config.ts";

/** Where runs and tasks are stored, for people: without user and password. */
export function describeHistory({ databaseUrl, dir }: Pick<StoreConfig, "databaseUrl" | "dir">): string {
  if (databaseUrl !== undefined) {
    const { hostname, port, pathname, searchParams } = new URL(databaseUrl);
    const host = hostname === "" ? (searchParams.get("host") ?? "localhost") : hostname;
    return `PostgreSQL at ${host}:${port || "5432"}, database ${decodeURIComponent(pathname.slice(1)) || "of the user"}`;
  }
  if (dir !== undefined) return `SQLite in ${join(dir, "history.db")}`;
  return "in memory, lost when the service stops (set MCI_DATA_DIR or DATABASE_URL to keep it)";
}
