import { existsSync } from "node:fs";
import { MCIClientError, type McpMessage } from "mci-ts";
import type { Context } from "../command.ts";
import { printError } from "../print/error.ts";
import { oneLine } from "../print/escape-controls.ts";
import { plural } from "../print/plural.ts";
import { shortPath } from "../print/problems.ts";
import { noToolPasses } from "../project/filter.ts";
import { loadWithProgress } from "../project/load.ts";
import type { openServedConsole, ServedConsole } from "../ui/served-console.ts";
import type { Endpoint } from "./endpoint.ts";
import { instructionsOf } from "./instructions.ts";
import { openEndpoint } from "./open-endpoint.ts";
import type { Serve, ServeOptions } from "./options.ts";
import { ReloadableClient } from "./reloadable-client.ts";

/*
 * OPEN FIRST. How a file becomes an MCP server:
 *
 *   file -load-> MCIClient -ReloadableClient-> Server, one for each connection or HTTP request -Endpoint-> clients
 *
 * The reloadable client outlives connections: a reload replaces the MCIClient inside it. To stop: accept nothing new, let
 * calls finish for a while, cancel the rest, close everything.
 */

/** Time for calls in flight to finish when the server stops. */
const DRAIN_TIMEOUT_MS = 5000;
/** Time to send the responses of calls that were cancelled. */
const CANCEL_TIMEOUT_MS = 500;

/** Servers are told that someone can be asked; for each call its client says whether that is so. */
function noOneToAsk(): never {
  throw new MCIClientError("request_failed", "the client cannot be asked");
}

export const serve: Serve = async (options) => {
  const { file, context, watch, env, filter, lock, mcp } = options;
  // A closed standard error does not end the program.
  context.stderr.stream.on("error", () => {});
  const ended = new AbortController();
  const signal = AbortSignal.any([context.signal, ended.signal]);
  const watching = watch ? await startWatching(options) : undefined;
  const messages = options.ui && (await openMessageLog());
  const onMcpMessage = messages && { onMcpMessage: (message: McpMessage) => messages.add(message) };
  const load = async () =>
    loadWithProgress(
      file,
      {
        env: await env(),
        filter,
        lock,
        mcp,
        onInput: noOneToAsk,
        signal,
        ...onMcpMessage,
      },
      context,
    );
  const client = await ReloadableClient.open(load, options.modeOf).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  if (client === undefined) return 1;
  let page: ServedConsole | undefined;
  try {
    if (client.current.listTools().length === 0 && Object.keys(filter).length > 0)
      throw noToolPasses(filter, shortPath(file, context.cwd));
    if (options.ui && messages) page = await openConsole(client, file, { ...options.ui, messages }, context);
    const endpoint = await openEndpoint(client, options, page?.handler);
    const name = shortPath(file, context.cwd);
    log(context, `Serving ${count(client)} of ${name} on ${endpoint.address}`);
    if (client.current.listTools().length === 0)
      log(context, "Clients will see nothing: 'mci list' shows what the file has.");
    logDifferences(client, context);
    await logSkills(client, context);
    if (options.modeOf === undefined) await logTokens(client, context);
    if (page) log(context, `Console: ${page.open(endpoint.address)}`);
    const source = page?.source ?? client;
    void watching?.run(() => reload(client, source, endpoint, options, signal), signal);
    await Promise.race([endpoint.ended, aborted(context.signal)]);
    ended.abort();
    await stop(client, endpoint, context.signal);
    return 0;
  } finally {
    await client.close();
    await page?.close();
  }
};

/** A file that cannot be loaded leaves the tools as they were. */
async function reload(
  client: ReloadableClient,
  reloadable: { reload(): Promise<void> },
  endpoint: Endpoint,
  { file, context }: ServeOptions,
  signal: AbortSignal,
): Promise<void> {
  try {
    await reloadable.reload();
    if (signal.aborted) return;
    for (const list of ["tools", "prompts", "resources"] as const) endpoint.listChanged(list);
    log(context, `Reloaded: ${count(client)}`);
    logDifferences(client, context);
    await logSkills(client, context);
  } catch (error) {
    if (signal.aborted) return;
    if (!existsSync(file)) {
      const name = shortPath(file, context.cwd);
      log(context, `${name} was removed: ${count(client)} as before, until it is back`);
      return;
    }
    printError(error, context);
    log(context, `Not reloaded: ${count(client)} as before`);
  }
}

/** Loaded only with --watch. */
async function startWatching(options: ServeOptions) {
  const [{ FileWatcher }, { filesToWatch }] = await Promise.all([
    import("./watch/watch.ts"),
    import("./watch/files-to-watch.ts"),
  ]);
  return FileWatcher.start(filesToWatch(options));
}

/** Loaded only with --ui, and there before the servers are. */
async function openMessageLog() {
  const { MessageLog } = await import("@mci-ts/console/tools");
  return new MessageLog();
}

/** Loaded only with --ui. */
async function openConsole(...args: Parameters<typeof openServedConsole>) {
  const { openServedConsole } = await import("../ui/served-console.ts");
  return openServedConsole(...args);
}

async function stop(client: ReloadableClient, endpoint: Endpoint, signal: AbortSignal): Promise<void> {
  const isStopped = signal.aborted;
  // A client that closed its end and then sends a signal is about to kill us: stop waiting.
  await Promise.race([endpoint.drain(DRAIN_TIMEOUT_MS), ...(isStopped ? [] : [aborted(signal)])]);
  if (isStopped) {
    await client.close();
    await endpoint.drain(CANCEL_TIMEOUT_MS);
  }
  // A client that has left must not get responses of cancelled calls: some fail on messages they do not wait for.
  await endpoint.close();
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

function count({ current }: ReloadableClient): string {
  return plural(current.listTools().length, "tool");
}

/** A list this long leaves models less room and more to confuse. */
const MANY_TOKENS = 10_000;

async function logTokens({ pages }: ReloadableClient, context: Context): Promise<void> {
  // A token has one character at least. Most lists are short, and the patterns that count tokens take a while to compile.
  const characters = pages.all.reduce((sum, tool) => sum + JSON.stringify(tool).length, 0);
  if (characters <= MANY_TOKENS) return;
  const { tokensOf } = await import("../list/tokens.ts");
  const tokens = pages.all.reduce((sum, tool) => sum + tokensOf(tool), 0);
  if (tokens > MANY_TOKENS)
    log(
      context,
      `The list costs a model about ${tokens.toLocaleString("en")} tokens. With --mode search clients search it instead; 'mci list --tokens' shows what each tool costs`,
    );
}

/** Where clients see something else than the file says. */
function logDifferences({ pages, current }: ReloadableClient, context: Context): void {
  for (const [name, served] of pages.renamed)
    log(context, `MCP does not allow the tool name '${oneLine(name)}'; clients see '${served}'`);
  for (const [message, tools] of pages.losses)
    log(context, `The list for clients is simpler than the file: ${message} (${someOf(tools)})`);
  const { leftOut } = instructionsOf(current);
  if (leftOut.length > 0)
    log(context, `warning: The instructions of servers are too long together; not sent: ${someOf(leftOut)}`);
}

/** Which skills clients get, and which they do not. */
async function logSkills({ current }: ReloadableClient, context: Context): Promise<void> {
  if (!current.offers.skills) return;
  const skills = await current.skills({
    onWarning: (message) => log(context, `warning: ${oneLine(message)}`),
  });
  if (skills.length > 0) log(context, `Skills: ${someOf(skills.map(({ frontmatter }) => frontmatter.name))}`);
}

function someOf(tools: readonly string[]): string {
  const more = tools.length > 3 ? ` and ${tools.length - 3} more` : "";
  return `${tools.slice(0, 3).map(oneLine).join(", ")}${more}`;
}

function log({ stderr }: Context, text: string): void {
  stderr.write(`${text}\n`);
}
