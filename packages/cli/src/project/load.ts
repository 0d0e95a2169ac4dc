import { readFileSync } from "node:fs";
import { dirname, extname, resolve } from "node:path";
import type { LoadOptions, MCIClient, ToolFilter } from "mci-ts";
import type { Context } from "../command.ts";
import { problemPrinter } from "../print/problems.ts";
import { type Environment, readEnv } from "./env.ts";

export interface EnvValues {
  readonly env: readonly string[];
  readonly "env-file": readonly string[];
}

const DEFAULT_LIBRARY = "./mci";

/** Loads the file for real: toolsets, MCP servers and all. What went wrong without being fatal is said on stderr. */
export async function loadClient(
  file: string,
  values: EnvValues,
  context: Context,
  options: Omit<LoadOptions, "env"> & { filter?: ToolFilter } = {},
): Promise<MCIClient> {
  const [{ MCIClient }, env] = await Promise.all([import("mci-ts"), projectEnv(file, values, context)]);
  const client = await MCIClient.load(file, { ...options, env: env.values });
  client.warnings.forEach(problemPrinter(context, context.stderr));
  return client;
}

/** The environment a file's templates see: see `readEnv`. */
export async function projectEnv(file: string, values: EnvValues, context: Context): Promise<Environment> {
  const options = { file, envFiles: values["env-file"], assignments: values.env };
  const written = await writtenLibraryDir(file);
  const libraryDir = resolve(dirname(file), written);
  return readEnv({ ...options, libraryDir }, context);
}

/** `libraryDir` as the file has it. A file that cannot be read or parsed is reported by the loader, not here. */
async function writtenLibraryDir(file: string): Promise<string> {
  try {
    const text = readFileSync(file, "utf8");
    // Most files do not say; then nothing is parsed twice.
    if (!text.includes("libraryDir")) return DEFAULT_LIBRARY;
    const document: unknown =
      extname(file).toLowerCase() === ".json" ? JSON.parse(text) : (await import("yaml")).parse(text);
    const { libraryDir } = document as { libraryDir?: unknown };
    return typeof libraryDir === "string" && libraryDir !== "" ? libraryDir : DEFAULT_LIBRARY;
  } catch {
    return DEFAULT_LIBRARY;
  }
}
