import { readFileSync } from "node:fs";
import { dirname, extname, resolve } from "node:path";
import { shellWord } from "@mci-ts/primitives/shell-word";
import type { LoadOptions, MCIClient } from "mci-ts";
import { DEFAULT_LIBRARY_DIR } from "mci-ts/authoring";
import type { Context } from "../command.ts";
import { oneLine } from "../print/escape-controls.ts";
import { problemPrinter } from "../print/problems.ts";
import { spinner } from "../print/spinner.ts";
import { style } from "../print/style.ts";
import { fileOption } from "./discover.ts";
import { type Environment, readEnv } from "./env.ts";
import { loginStore } from "./login-store.ts";
import { MILLISECONDS, readNumber } from "./options.ts";
import { proxyFromEnv } from "./proxy.ts";
import { describeUnread } from "./unread-env.ts";

export interface EnvValues {
  readonly env: readonly string[];
  readonly dotenv: readonly string[];
  /** Milliseconds; see `MCP_TIMEOUT`. */
  readonly "mcp-timeout"?: string;
}

/** What clients of ours may support, and servers behind are told: pages of tools (MCP Apps) pass through as they are. */
const EXTENSIONS = { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } };

/** What a person runs to log in to a server, or an API, of the file. */
export function loginCommand(file: string, cwd: string): (name: string) => string {
  return (name) => `mci login ${shellWord(name)}${fileOption(file, cwd)}`;
}

/** After this time the command prints what it waits for. */
const WAITING_NOTICE_MS = 2000;

/** The client for commands that list or call tools. */
export async function loadClient(
  file: string,
  values: EnvValues,
  context: Context,
  options: Omit<LoadOptions, "env" | "onMcpServer"> = {},
): Promise<MCIClient> {
  const env = await projectEnv(file, values, context);
  // Templates are parsed when a tool is called; 'mci validate' checks them all. Keeps a list of a thousand tools fast.
  const mcp = mcpTimeouts(values["mcp-timeout"]);
  return loadWithProgress(file, { parseTemplates: "call", ...options, mcp, env: env.values }, context);
}

/** Fetches tools from MCP servers only if the file and its toolsets do not have this one. */
export async function loadFor(
  tool: string,
  file: string,
  values: EnvValues,
  context: Context,
  options: Pick<LoadOptions, "onInput"> = {},
): Promise<MCIClient> {
  const warnings = deferredOutput(context);
  const local = await loadClient(file, values, warnings.context, { ...options, fetchMcpTools: false });
  if (local.listTools().includes(tool)) {
    warnings.write();
    return local;
  }
  await local.close();
  // The second load prints the same warnings, and those of servers.
  return loadClient(file, values, context, options);
}

/** Standard error that is written later, or never. */
function deferredOutput(context: Context): { context: Context; write: () => void } {
  let text = "";
  const stderr: Context["stderr"] = Object.assign(Object.create(context.stderr), {
    write: (more: string) => {
      text += more;
    },
  });
  const deferred: Context = Object.create(context, { stderr: { value: stderr } });
  return { context: deferred, write: () => void (text === "" || context.stderr.write(text)) };
}

/**
 * Loads the file with its toolsets and MCP servers. Shows which servers it waits for, and prints warnings on standard
 * error.
 */
export async function loadWithProgress(
  source: string | { readonly document: object; readonly baseDir: string },
  options: LoadOptions,
  context: Context,
): Promise<MCIClient> {
  const { MCIClient } = await import("mci-ts");
  const proxy = await proxyFromEnv(context.env);
  const waiting = new Set<string>();
  const progress = spinner(context.stderr);
  // Once, and also where no spinner turns.
  const notice = setTimeout(() => {
    if (waiting.size === 0) return;
    const names = [...waiting].map((name) => `'${oneLine(name)}'`).join(", ");
    context.stderr.write(`Waiting for MCP server ${names}; --mcp-timeout MS sets how long\n`);
  }, WAITING_NOTICE_MS);
  try {
    const loadOptions: LoadOptions = {
      proxy,
      // The variable by which instrumentations of OpenTelemetry agree on this.
      traceContent: /^(?:true|1)$/i.test(
        context.env.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT ?? "",
      ),
      ...options,
      auth: {
        store: loginStore(context.env),
        ...(typeof source === "string" && { loginCommand: loginCommand(source, context.cwd) }),
        ...options.auth,
      },
      // Servers offer other tools to a program that can do other things. All commands say that they can do what 'mci run' can:
      // a list that one of them caches, or locks, is that of every other.
      mcp: { asksForInput: true, extensions: EXTENSIONS, ...options.mcp },
      onMcpServer: (server, state) => {
        options.onMcpServer?.(server, state);
        if (state === "fetching") waiting.add(server);
        else waiting.delete(server);
        progress.show(waiting.size === 0 ? "" : `Waiting for MCP servers: ${[...waiting].join(", ")}`);
      },
    };
    const client =
      typeof source === "string"
        ? await MCIClient.load(source, loadOptions)
        : await MCIClient.fromObject(source.document, { ...loadOptions, baseDir: source.baseDir });
    progress.stop();
    client.warnings.forEach(problemPrinter(context, context.stderr));
    return client;
  } finally {
    clearTimeout(notice);
    progress.stop();
  }
}

/** The timeouts that `--mcp-timeout` sets. */
export function mcpTimeouts(milliseconds: string | undefined): LoadOptions["mcp"] {
  if (milliseconds === undefined) return undefined;
  const connectTimeoutMs = readNumber("mcp-timeout", milliseconds, MILLISECONDS, "milliseconds", 60_000);
  return { connectTimeoutMs };
}

/** The environment a file's templates see: see `readEnv`. */
export async function projectEnv(file: string, values: EnvValues, context: Context): Promise<Environment> {
  const env = await findEnv(file, values, context);
  const unread = await describeUnread(file, values.env, env);
  for (const warning of [...env.warnings, ...unread])
    context.stderr.write(`${style(context.stderr, "yellow", "warning")}: ${oneLine(warning)}\n`);
  return env;
}

/** The same without its warnings, where they were printed before. */
export async function findEnv(file: string, values: EnvValues, context: Context): Promise<Environment> {
  const root = dirname(file);
  const options = { file, envFiles: values.dotenv, assignments: values.env };
  const written = await declaredLibraryDir(file);
  if (!written.includes("{{")) return readEnv({ ...options, libraryDir: resolve(root, written) }, context);
  // The library's own env file cannot define the library's path; the other sources can.
  const { lintFile } = await import("mci-ts");
  const { libraryDir = root } = await lintFile(file, {
    env: readEnv({ ...options, libraryDir: root }, context).values,
  });
  return readEnv({ ...options, libraryDir }, context);
}

/** `libraryDir` as written in the file. The loader reports a file that cannot be read or parsed. */
async function declaredLibraryDir(file: string): Promise<string> {
  try {
    const bytes = readFileSync(file);
    // Most files do not set it; then nothing is parsed twice.
    if (!bytes.includes("libraryDir")) return DEFAULT_LIBRARY_DIR;
    const text = bytes.toString("utf8");
    const isJson = extname(file).toLowerCase() === ".json";
    const document: unknown = isJson ? JSON.parse(text) : (await import("yaml")).parse(text);
    const { libraryDir } = document as { libraryDir?: unknown };
    return typeof libraryDir === "string" && libraryDir !== "" ? libraryDir : DEFAULT_LIBRARY_DIR;
  } catch {
    return DEFAULT_LIBRARY_DIR;
  }
}
