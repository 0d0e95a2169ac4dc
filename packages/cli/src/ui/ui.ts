import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { MessageLog } from "@mci-ts/console/tools";
import { ListenError, limitSlowClients, listen, SLOW_REQUEST_TIMEOUTS } from "@mci-ts/http-guard";
import type { LoadOptions, MCIClient } from "mci-ts";
import { CliError } from "../cli-error.ts";
import type { Context } from "../command.ts";
import { oneLine } from "../print/escape-controls.ts";
import { shortPath } from "../print/problems.ts";
import type { Environment } from "../project/env.ts";
import { loadWithProgress } from "../project/load.ts";
import { plansFolder } from "../project/plans-folder.ts";
import { ReloadableClient } from "../serve/reloadable-client.ts";
import { filesToWatch } from "../serve/watch/files-to-watch.ts";
import { FileWatcher } from "../serve/watch/watch.ts";
import { callsOf } from "./calls-file.ts";
import { type ConsoleHandler, createConsoleHandler } from "./console-handler.ts";
import { createConsoleLogins } from "./console-logins.ts";
import { openBrowser } from "./open-browser.ts";
import { type RedirectFile, writeRedirectFile } from "./redirect-file.ts";
import { createToolsSource } from "./tools-source.ts";

/*
 * OPEN FIRST. The console of a file:
 *
 *   file -loadTools-> ReloadableClient -createToolsSource-> ToolsSource -createConsoleHandler-> the page and its API
 */

export interface UiOptions {
  /** The MCI file, absolute. */
  readonly file: string;
  readonly env: () => Promise<Environment>;
  /** Files given with --dotenv, absolute. */
  readonly envFiles: readonly string[];
  readonly mcp: LoadOptions["mcp"];
  /** 0 chooses a free one. */
  readonly port: number;
  /** Whether to open the browser. */
  readonly open: boolean;
  /** Whether calls are stored in a file, and those of earlier commands listed. */
  readonly storeCalls: boolean;
  readonly context: Context;
}

const HOST = "127.0.0.1";
/** A browser has this long to start and to load the page. */
const HANDOVER_MS = 60_000;

/** Serves the console until the command is interrupted. */
export async function ui(options: UiOptions): Promise<number> {
  const { file, env, envFiles, mcp, port, open, context } = options;
  const { signal, stdout } = context;
  const log = (text: string) => context.stderr.write(`${text}\n`);
  // Set in the page, for as long as this command runs.
  const sessionValues = new Map<string, string>();
  const environment = async () => withSession(await env(), sessionValues);
  const values = async () => (await environment()).values;
  const messages = new MessageLog();
  const watcher = await FileWatcher.start(filesToWatch({ file, env: values, envFiles }));
  const loadOptions = async (): Promise<LoadOptions> => ({
    env: await values(),
    mcp,
    signal,
    onMcpMessage: (message) => messages.add(message),
  });
  const { client, loadError } = await loadTools(file, loadOptions, context);
  const calls = await callsOf(file, { client, environment, context, isStored: options.storeCalls });
  const source = createToolsSource({
    file,
    client,
    env: environment,
    calls,
    messages,
    sessionValues,
    writable: true,
    plans: plansFolder(file),
    loadError,
    logins: createConsoleLogins({ file, client, env, context }),
  });
  let base = "";
  const handler = createConsoleHandler({
    source,
    live: false,
    onOpened: (path) => log(`Opened. For another tab: ${base}${path}`),
  });
  const server = createServer(SLOW_REQUEST_TIMEOUTS, (request, response) => {
    handler.handle(request, response).then(
      (isHandled) => {
        if (!isHandled) response.writeHead(404).end();
      },
      (error: Error) => {
        log(`error: ${oneLine(error.message)}`);
        if (response.headersSent) response.destroy();
        else response.writeHead(500).end();
      },
    );
  });
  limitSlowClients(server);
  let handedOver: ReturnType<typeof handOver> | undefined;
  try {
    await listen(server, { host: HOST, port }).catch(rethrowListenError);
    base = `http://${HOST}:${(server.address() as AddressInfo).port}`;
    if (loadError !== undefined)
      log(`${shortPath(file, context.cwd)} cannot be loaded; the console shows why.`);
    log(`The console of ${oneLine(shortPath(file, context.cwd))} is at this address; Ctrl+C ends it.`);
    stdout.write(`${base}${handler.path}\n`);
    if (open) {
      handedOver = handOver(handler, base);
      if (!(await openBrowser(handedOver.url))) {
        handedOver.revoke();
        log("No browser was found: open the address.");
      }
    }
    // A file that cannot be loaded keeps its tools; the page says why.
    await watcher.run(() => source.reload().catch(() => {}), signal);
    return 0;
  } finally {
    handedOver?.revoke();
    server.close();
    server.closeAllConnections();
    await client.close();
    await calls.close();
  }
}

/** The same environment, with what was set in the page over all else. */
function withSession(env: Environment, values: ReadonlyMap<string, string>): Environment {
  return {
    values: { ...env.values, ...Object.fromEntries(values) },
    warnings: env.warnings,
    sources: new Map([...env.sources, ...[...values.keys()].map((name) => [name, "this session"] as const)]),
  };
}

/** A page for the browser to open, which leads to an address of its own. It is removed when that was used or has expired. */
function handOver(handler: ConsoleHandler, base: string): { readonly url: string; revoke(): void } {
  let file: RedirectFile | undefined;
  const { path, revoke } = handler.issuePath(HANDOVER_MS, () => file?.remove());
  file = writeRedirectFile(`${base}${path}`);
  return { url: file.url, revoke };
}

function rethrowListenError(error: unknown): never {
  if (!(error instanceof ListenError)) throw error;
  throw new CliError(`${error.message}.`, {
    hint: "Choose another port, or leave out --port.",
    cause: error,
  });
}

interface LoadedTools {
  readonly client: ReloadableClient;
  /** Why the file could not be loaded; it has no tools then. */
  readonly loadError?: string;
}

/** Loads the file for the console. One that is broken opens without tools, so that it can be repaired there. */
async function loadTools(
  file: string,
  options: () => Promise<LoadOptions>,
  context: Context,
): Promise<LoadedTools> {
  let isFirst = true;
  let loadError: string | undefined;
  const load = async (): Promise<MCIClient> => loadWithProgress(file, await options(), context);
  const client = await ReloadableClient.open(async () => {
    if (!isFirst) return load();
    isFirst = false;
    return load().catch(async (error: Error) => {
      if (context.signal.aborted) throw error;
      loadError = error.message;
      const { MCIClient } = await import("mci-ts");
      return MCIClient.fromObject({ schemaVersion: "1.0", tools: [] });
    });
  });
  return { client, ...(loadError === undefined ? {} : { loadError }) };
}
