import { dirname, join, resolve } from "node:path";
import { isLoopback } from "@mci-ts/http-guard";
import type { Writes } from "mci-ts/code";
import { usageError } from "../cli-error.ts";
import { command } from "../command.ts";
import { discoverFile } from "../project/discover.ts";
import { readFilters } from "../project/filter.ts";
import { mcpTimeouts, projectEnv } from "../project/load.ts";
import { ENV, FILE, FILTER, LOCK_FILE, MCP_TIMEOUT, readNumber } from "../project/options.ts";
import { plansFolder } from "../project/plans-folder.ts";
import { readIssuer } from "../serve/issuer/issuer-options.ts";
import type { ModeOf } from "../serve/reloadable-client.ts";

export default command({
  summary: "Serve the tools over MCP, on standard input and output or over HTTP.",
  details:
    "A filter also applies to calls: other tools cannot be called. With --http the server listens on 127.0.0.1 unless a\n" +
    "host is given; on any other address clients must send a token, which is generated if none is given.",
  operands: [{ name: "FILE", help: "The MCI file; the same as --file.", complete: "file" }],
  options: {
    ...FILE,
    ...FILTER,
    mode: {
      type: "string",
      value: "MODE",
      choices: ["list", "search", "code"],
      help: "What clients see: every tool, tools to search and call them, or to run code with them. Default: list.",
    },
    pin: {
      type: "string",
      value: "TOOL",
      multiple: true,
      complete: "tool",
      help: "A tool that clients also see with --mode search or code.",
    },
    writes: {
      type: "string",
      value: "HOW",
      choices: ["plan", "direct", "refuse"],
      help: "With --mode code, tools that are not marked as read-only: plan and commit, run, or refuse. Default: plan.",
    },
    plans: {
      type: "string",
      value: "FOLDER",
      complete: "directory",
      help: "Where plans and their journals are kept. Default: .mci/plans beside the file.",
    },
    http: {
      type: "string",
      value: "[HOST:]PORT",
      help: "Serve Streamable HTTP there; port 0 chooses a free one. Default: stdio.",
    },
    token: {
      type: "string",
      value: "TOKEN",
      help: "Bearer token that HTTP clients must send. Default: MCI_TOKEN of the environment.",
    },
    "oauth-issuer": {
      type: "string",
      value: "URL",
      help: "Serve behind this authorization server: clients need one of its tokens.",
    },
    audience: {
      type: "string",
      value: "ID",
      help: "What tokens of the issuer must be for: the public address of this server, or its name there.",
    },
    scope: {
      type: "string",
      value: "SCOPE=FILTER",
      multiple: true,
      help: "Tools that a scope allows, e.g. read=tags:read, or admin=*. Default: every token allows every tool.",
    },
    claim: {
      type: "string",
      value: "NAME",
      multiple: true,
      help: "A claim of the token that templates may read as caller.claims.NAME.",
    },
    "introspection-client": {
      type: "string",
      value: "ID",
      help: "For tokens that are not JWTs: the client that asks the issuer; its secret is MCI_INTROSPECTION_SECRET.",
    },
    "allow-host": {
      type: "string",
      value: "NAME",
      multiple: true,
      help: "A host name that HTTP clients may use, besides those of this machine.",
    },
    "public-url": {
      type: "string",
      value: "URL",
      help: "Where clients reach the MCP endpoint, for the server card. Default: where they ask for it.",
    },
    "rate-limit": {
      type: "string",
      value: "N",
      help: "HTTP requests per second for each client; 0: no limit. Default: 100, no limit on this machine.",
    },
    ui: {
      type: "boolean",
      help: "Serve the web console at the same address: the tools, and the calls of clients as they happen.",
    },
    "no-store": {
      type: "boolean",
      help: "With --ui: keep calls in memory, store none in a file, and list none of earlier commands.",
    },
    locked: {
      type: "boolean",
      help: `Serve only tools that are as ${LOCK_FILE} says; 'mci lock' writes it.`,
    },
    watch: { type: "boolean", help: "Reload when the file changes, and notify clients." },
    ...ENV,
    ...MCP_TIMEOUT,
  },
  examples: [
    { command: "mci run", about: "For clients that start the server themselves (Claude Desktop, editors)" },
    { command: "mci run --http 8080 --watch", about: "Over HTTP on this machine, reloading on every edit" },
    { command: "mci run --mode search --pin get_issue", about: "For files with hundreds of tools" },
    {
      command:
        "mci run --http 8080 --oauth-issuer https://auth.example.com --audience https://tools.example.com/mcp --scope read=tags:read",
      about: "Each caller with a token of their own",
    },
    { command: "mci run --filter tags:safe --filter except:delete_all", about: "Some tools only" },
  ],
  async run({ values, operands: [operand] }, context) {
    if (operand !== undefined && values.file !== undefined)
      throw usageError("The file is given twice.", "Leave out --file.");
    const file = discoverFile(operand ?? values.file, context.cwd);
    const filter = readFilters(values.filter);
    const http = values.http === undefined ? undefined : readAddress(values.http);
    const forHttp = Object.entries({
      "--token": values.token,
      "--allow-host": values["allow-host"][0],
      "--public-url": values["public-url"],
      "--rate-limit": values["rate-limit"],
      "--oauth-issuer": values["oauth-issuer"],
    });
    const [stray] = forHttp.find(([, value]) => value !== undefined) ?? [];
    if (http === undefined && stray !== undefined)
      throw usageError(`${stray} is for HTTP.`, "Add --http PORT.");
    if (values.ui && http === undefined) throw usageError("--ui is for HTTP.", "Add --http PORT.");
    if (values.ui && !isLoopback(http!.host))
      throw usageError("--ui is for this machine only.", "Leave out the host, e.g. --http 8080.");
    if (values["no-store"] && !values.ui)
      throw usageError("--no-store is about the calls of --ui.", "Leave it out: nothing is stored.");
    if (values.token === "")
      throw usageError("--token cannot be empty.", "Leave it out to have one generated.");

    // Unlike command lines, the environment is not visible to other users of the machine.
    const token = values.token ?? (context.env.MCI_TOKEN || undefined);
    // Clients could not send any other token.
    if (http !== undefined && token !== undefined && !/^[!-~]+$/.test(token))
      throw usageError(
        "The token may have visible ASCII characters only, and no blanks.",
        "Leave it out to have one generated.",
      );

    const issuer = readIssuer(values, context.env);
    if (issuer !== undefined && issuer.scopes.size > 0 && (values.mode ?? "list") !== "list")
      throw usageError("--scope is for --mode list.", "Leave out --mode, or serve each scope by itself.");

    if (values.pin.length > 0 && (values.mode ?? "list") === "list")
      throw usageError("--pin is for --mode search.", "Without it clients see every tool.");
    for (const option of ["writes", "plans"] as const)
      if (values[option] !== undefined && values.mode !== "code")
        throw usageError(`--${option} is for --mode code.`, "Add --mode code.");

    const plans = values.plans === undefined ? plansFolder(file) : resolve(context.cwd, values.plans);
    const environment = () => projectEnv(file, values, context);
    const { serve } = await import("../serve/serve.ts");
    return serve({
      file,
      env: async () => (await environment()).values,
      envFiles: values.dotenv.map((path) => resolve(context.cwd, path)),
      filter,
      lock: values.locked ? join(dirname(file), LOCK_FILE) : undefined,
      mcp: mcpTimeouts(values["mcp-timeout"]),
      http,
      token,
      issuer,
      allowedHosts: values["allow-host"],
      publicUrl: readPublicUrl(values["public-url"]),
      rateLimit: readRate(values["rate-limit"]),
      watch: values.watch,
      modeOf: modeOf(values, plans),
      ...(values.ui ? { ui: { environment, plans, storeCalls: !values["no-store"] } } : {}),
      context,
    });
  },
});

/** What clients see instead of every tool; undefined: every tool. */
function modeOf(
  {
    mode,
    pin,
    writes,
  }: { readonly mode?: string; readonly pin: readonly string[]; readonly writes?: Writes },
  plans: string,
): ModeOf | undefined {
  if (mode === "search") return async (client) => (await import("mci-ts/search")).searchTool(client, { pin });
  if (mode !== "code") return undefined;
  return async (client) =>
    (await import("mci-ts/code")).codeTool(client, { pin, plans, writes: writes ?? "plan" });
}

const readRate = (text: string | undefined) =>
  text === undefined ? undefined : readNumber("rate-limit", text, /^\d{1,7}$/, "a whole number", 50);

/** `8080`, `0.0.0.0:8080`, `[::1]:8080`. */
export function readAddress(text: string): { host: string; port: number } {
  const [, bracketed, plain, digits = ""] = /^(?:(?:\[([^\]]+)\]|([^:[\]]+)):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === "" || port > 65_535)
    throw usageError(`--http cannot be '${text}'.`, "Write a port or HOST:PORT, e.g. --http 8080.");
  return { host: bracketed ?? plain ?? "127.0.0.1", port };
}

function readPublicUrl(text: string | undefined): string | undefined {
  if (text === undefined || /^https?:\/\/[^\s/?#@]+[^\s?#]*$/i.test(text))
    return text?.replace(/(?<!\/)\/+$/, "");
  throw usageError(`--public-url cannot be '${text}'.`, "Write --public-url https://tools.example.com/mcp.");
}
