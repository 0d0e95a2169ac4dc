import { readFileSync } from "node:fs";
import { dirname, extname, resolve } from "node:path";
import type { LoadOptions, MCIClient } from "mci-ts";
import type { Context } from "../command.ts";
import { problemPrinter } from "../print/problems.ts";
import { spinner } from "../print/spinner.ts";
import { type Environment, readEnv } from "./env.ts";

export interface EnvValues {
  readonly env: readonly string[];
  readonly "env-file": readonly string[];
}

/** The client of a command that lists or calls. */
export async function loadClient(
  file: string,
  values: EnvValues,
  context: Context,
  options: Omit<LoadOptions, "env" | "onMcpServer"> = {},
): Promise<MCIClient> {
  const env = await projectEnv(file, values, context);
  // Templates nobody calls are the business of 'mci validate'; a list of a thousand tools need not wait for them.
  return loadVisibly(file, { parseTemplates: "call", ...options, env: env.values }, context);
}

/**
 * Loads the file for real: toolsets, MCP servers and all. Whom it waits for is shown, and what went wrong without being
 * fatal is said on stderr.
 */
export async function loadVisibly(
  file: string,
  options: Omit<LoadOptions, "onMcpServer">,
  context: Context,
): Promise<MCIClient> {
  const { MCIClient } = await import("mci-ts");
  const waiting = new Set<string>();
  const progress = spinner(context.stderr);
  try {
    const client = await MCIClient.load(file, {
      ...options,
      onMcpServer: (server, state) => {
        if (state === "asked") waiting.add(server);
        else waiting.delete(server);
        progress.show(waiting.size === 0 ? "" : `Waiting for MCP servers: ${[...waiting].join(", ")}`);
      },
    });
    progress.stop();
    client.warnings.forEach(problemPrinter(context, context.stderr));
    return client;
  } finally {
    progress.stop();
  }
}

const DEFAULT_LIBRARY = "./mci";

/** The environment a file's templates see: see `readEnv`. */
export async function projectEnv(file: string, values: EnvValues, context: Context): Promise<Environment> {
  const root = dirname(file);
  const options = { file, envFiles: values["env-file"], assignments: values.env };
  const written = await writtenLibraryDir(file);
  if (!written.includes("{{")) return readEnv({ ...options, libraryDir: resolve(root, written) }, context);
  // The folder's own env file cannot say where the folder is; everything else can.
  const { inspectFile } = await import("mci-ts");
  const { libraryDir = root } = await inspectFile(file, {
    env: readEnv({ ...options, libraryDir: root }, context).values,
  });
  return readEnv({ ...options, libraryDir }, context);
}

/** `libraryDir` as the file has it. A file that cannot be read or parsed is reported by the loader, not here. */
async function writtenLibraryDir(file: string): Promise<string> {
  try {
    const bytes = readFileSync(file);
    // Most files do not say; then nothing is parsed twice.
    if (!bytes.includes("libraryDir")) return DEFAULT_LIBRARY;
    const text = bytes.toString("utf8");
    const isJson = extname(file).toLowerCase() === ".json";
    const document: unknown = isJson ? JSON.parse(text) : (await import("yaml")).parse(text);
    const { libraryDir } = document as { libraryDir?: unknown };
    return typeof libraryDir === "string" && libraryDir !== "" ? libraryDir : DEFAULT_LIBRARY;
  } catch {
    return DEFAULT_LIBRARY;
  }
}
