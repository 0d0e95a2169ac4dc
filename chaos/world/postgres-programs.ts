import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { findBinaries } from "../../packages/council-postgres/src/database/embedded/binaries.ts";

/** Where PostgreSQL's programs are. Only an installed one has `pg_basebackup`, which makes a replica. */
export interface PostgresPrograms {
  readonly postgres: string;
  readonly initdb: string;
  readonly basebackup?: string;
  /** As it says itself. */
  readonly version: string;
}

/** The newest installed PostgreSQL, where Debian and its relatives put it; else the embedded one from npm. */
export async function findPostgres(folder = "/usr/lib/postgresql"): Promise<PostgresPrograms> {
  const versions = existsSync(folder) ? readdirSync(folder).filter((name) => /^\d+$/.test(name)) : [];
  const newest = versions.sort((a, b) => Number(b) - Number(a))[0];
  const bin = newest ? join(folder, newest, "bin") : dirname((await findBinaries()).postgres);
  const basebackup = join(bin, "pg_basebackup");
  const { stdout } = await promisify(execFile)(join(bin, "postgres"), ["--version"]);
  return {
    postgres: join(bin, "postgres"),
    initdb: join(bin, "initdb"),
    ...(existsSync(basebackup) ? { basebackup } : {}),
    version: stdout.trim().replace("postgres (PostgreSQL)", "PostgreSQL"),
  };
}
