import { fileURLToPath } from "node:url";
import type { Log, TaskInstance, TaskServiceOptions } from "@mci-ts/council";
import { ConfigError, type StoreConfig } from "./config/config.ts";
import type { StoreBackend } from "./store/backend.ts";
import { VERSION } from "./version.ts";

/** What the service uses of the package for PostgreSQL, which is installed and loaded only where it is needed. */
export interface PostgresModule {
  openPostgresStore(options: PostgresStoreOptions): Promise<StoreBackend>;
  openTaskService(options: TaskServiceOptions): Promise<TaskInstance>;
}

export interface PostgresStoreOptions extends StoreConfig {
  readonly databaseUrl: string;
  /** The name of this process in the log; the id of its lease begins with it. */
  readonly instance?: string | undefined;
  readonly log: Log;
}

/** Not a literal: bundlers and declarations must not look for a package that may be missing. */
const PACKAGE: string = "@mci-ts/council-postgres";

/** The only place that loads the package. */
export async function loadPostgres(): Promise<PostgresModule> {
  try {
    return (await import(PACKAGE)) as PostgresModule;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== "ERR_MODULE_NOT_FOUND" || !message.includes(PACKAGE)) throw error;
    // A program that npm installed globally finds only what is installed there.
    const global = fileURLToPath(import.meta.url).startsWith(process.cwd()) ? "" : "-g ";
    throw new ConfigError([
      `PostgreSQL, for DATABASE_URL and long tasks, needs one more package. Run: npm install ${global}${PACKAGE}@${VERSION}. Until it is on the registry: npm pack -w ${PACKAGE} in a clone, and install that file`,
    ]);
  }
}
