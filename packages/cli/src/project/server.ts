import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MCIClient, ToolFilter } from "mci-ts";
import { CliError, usageError } from "../cli-error.ts";
import type { Context, Options } from "../command.ts";
import { shellWords } from "../import/curl/words.ts";
import { style } from "../print/style.ts";
import { readEnv } from "./env.ts";
import { type EnvValues, loadWithProgress, mcpTimeouts } from "./load.ts";
import { namesOf } from "./unread-env.ts";

/** An MCP server instead of a file. */
export const SERVER = {
  server: {
    type: "string",
    value: "URL|COMMAND",
    help: "Use the tools of this MCP server instead of a file. Only --env reaches its environment.",
  },
} as const satisfies Options;

/** The tools of one MCP server, without a file. Nothing is written, and a server that cannot be reached is an error. */
export async function loadServer(
  server: string,
  values: EnvValues & { readonly file?: string },
  context: Context,
  filter?: ToolFilter,
): Promise<MCIClient> {
  if (values.file !== undefined)
    throw usageError("--server and --file exclude each other.", "Leave one of them out.");
  // The library stores fetched tool lists; these are of no use later.
  const libraryDir = mkdtempSync(join(tmpdir(), "mci-server-"));
  try {
    const document = { schemaVersion: "1.0", libraryDir, mcp_servers: { server: entry(server, values) } };
    const env = readEnv(
      { file: join(context.cwd, "mci.json"), libraryDir, envFiles: values.dotenv, assignments: values.env },
      context,
    );
    for (const name of namesOf(values.env))
      if (isAddress(server) && !server.includes(`env.${name}`))
        context.stderr.write(
          `${style(context.stderr, "yellow", "warning")}: --env ${name}: a server at an address has no environment, so it is not used.\n`,
        );
    const options = { env: env.values, strict: true, filter, mcp: mcpTimeouts(values["mcp-timeout"]) };
    return await loadWithProgress({ document, baseDir: context.cwd }, options, context);
  } catch (error) {
    const { MCIClientError } = await import("mci-ts");
    if (!(error instanceof MCIClientError) || error.code !== "mcp_server_failed") throw error;
    // There is no entry in a file that could be corrected.
    const [problem] = error.problems;
    throw new CliError(problem?.message ?? error.message, {
      hint: "Check the address or the command after --server.",
      cause: error,
    });
  } finally {
    rmSync(libraryDir, { recursive: true, force: true });
  }
}

const isAddress = (server: string) => /^https?:\/\//i.test(server.trim());

function entry(server: string, { env }: EnvValues): object {
  if (isAddress(server)) return { url: server.trim() };
  const [command, ...args] = shellWords(server);
  if (command === undefined)
    throw usageError("--server cannot be empty.", "Write an address, or a command line in quotes.");
  return { command, args, env: Object.fromEntries(namesOf(env).map((name) => [name, `{{env.${name}}}`])) };
}
