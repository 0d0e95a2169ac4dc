import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { CliError, usageError } from "../cli-error.ts";
import type { Context } from "../command.ts";
import { parseDotenv } from "./dotenv.ts";

export interface EnvOptions {
  /** The MCI file; its directory is the project. */
  readonly file: string;
  /** Where toolsets are, absolute. */
  readonly libraryDir: string;
  /** Files given with --dotenv; they take the place of the usual ones. */
  readonly envFiles?: readonly string[];
  /** `NAME=value` given with --env. */
  readonly assignments?: readonly string[];
}

export interface Environment {
  /** What templates see as `env`. */
  readonly values: Readonly<Record<string, string>>;
  /** Where a variable got its value: a file, "environment" or "--env". */
  readonly sources: ReadonlyMap<string, string>;
  /** What was ignored, with file and line. */
  readonly warnings: readonly string[];
}

/**
 * The environment of a project, each layer over the one before: env files (those of the library directory, then those of
 * the project), the process environment, `--env`. Of the files, `.env.mci` comes first: where one exists in either
 * place, no `.env` is read at all. Files given with `--dotenv` are read instead of the usual ones, in their order.
 */
export function readEnv(options: EnvOptions, context: Pick<Context, "cwd" | "env">): Environment {
  const values = new Map<string, string>();
  const sources = new Map<string, string>();
  const add = (source: string, entries: Iterable<readonly [string, string | undefined]>) => {
    for (const [name, value] of entries) {
      if (value === undefined) continue;
      values.set(name, value);
      sources.set(name, source);
    }
  };

  const warnings: string[] = [];
  for (const { file, text } of envFiles(options, context.cwd, warnings)) {
    const lookup = (name: string) => context.env[name] ?? values.get(name);
    const report = (line: number, problem: string) => void warnings.push(`${file}:${line}: ${problem}`);
    add(file, Object.entries(parseDotenv(text, lookup, report)));
  }
  add("environment", Object.entries(context.env));
  add("--env", (options.assignments ?? []).map(assignment));
  return { values: Object.fromEntries(values), sources, warnings };
}

interface EnvFile {
  readonly file: string;
  readonly text: string;
}

function envFiles(
  { file, libraryDir, envFiles: paths = [] }: EnvOptions,
  cwd: string,
  warnings: string[],
): EnvFile[] {
  const optional = (path: string) => readOptional(path, warnings);
  if (paths.length > 0) return paths.map((path) => required(resolve(cwd, path)));
  const folders = [libraryDir, dirname(file)];
  const own = folders.flatMap((folder) => optional(join(folder, ".env.mci")));
  return own.length > 0 ? own : folders.flatMap((folder) => optional(join(folder, ".env")));
}

function required(file: string): EnvFile {
  try {
    return { file, text: readFileSync(file, "utf8") };
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const message =
      code === "ENOENT" ? `Env file not found: ${file}` : `Env file cannot be read: ${file} (${code})`;
    throw new CliError(message, { hint: "Check the path given with --dotenv.", cause });
  }
}

/** Empty if the file is missing; one that cannot be read was not asked for by name, so it is a warning. */
function readOptional(file: string, warnings: string[]): EnvFile[] {
  try {
    return [{ file, text: readFileSync(file, "utf8") }];
  } catch (cause) {
    const { code = "" } = cause as NodeJS.ErrnoException;
    if (!["ENOENT", "ENOTDIR"].includes(code))
      warnings.push(`${file}: it cannot be read and is ignored (${code})`);
    return [];
  }
}

function assignment(text: string): [string, string] {
  const equals = text.indexOf("=");
  if (equals < 1) throw usageError(`--env cannot be '${text}'.`, "Write --env NAME=value.");
  return [text.slice(0, equals), text.slice(equals + 1)];
}
