import type { Context } from "../command.ts";
import { printFailure } from "../print/failure.ts";
import { shortPath } from "../print/problems.ts";
import { loadVisibly } from "../project/load.ts";
import type { Endpoint } from "./endpoint.ts";
import { filesToWatch } from "./files-to-watch.ts";
import { openEndpoint } from "./open-endpoint.ts";
import type { Serve } from "./options.ts";
import { Toolbox } from "./toolbox.ts";
import { Watch } from "./watch.ts";

/*
 * OPEN FIRST. How a file becomes an MCP server:
 *
 *   file -load-> MCIClient -Toolbox-> Server, one for each connection or HTTP request -Endpoint-> clients
 *
 * The toolbox outlives its clients: a reload puts another MCIClient into it. To stop: take nothing new, let calls finish
 * for a while, cancel the rest, close everything.
 */

/** Milliseconds that calls under way get to finish when the server stops. */
const GRACE_MS = 5000;
/** Milliseconds to tell clients of what was cancelled. */
const FAREWELL_MS = 500;

export const serve: Serve = async (options) => {
  const { file, context, watch, env, filter } = options;
  // Nobody may be reading what is said any more; that is no reason to stop.
  context.stderr.stream.on("error", () => {});
  const ended = new AbortController();
  const signal = AbortSignal.any([context.signal, ended.signal]);
  const watching = watch ? await Watch.begin(filesToWatch(options)) : undefined;
  const load = async () => loadVisibly(file, { env: await env(), filter, signal }, context);
  const toolbox = await Toolbox.open(load).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  if (toolbox === undefined) return 1;
  try {
    const endpoint = await openEndpoint(toolbox, options);
    const name = shortPath(file, context.cwd);
    say(context, `Serving ${count(toolbox)} of ${name} on ${endpoint.where}`);
    if (toolbox.listing.size === 0)
      say(context, "Clients will see nothing: 'mci list' shows what the file has.");
    void watching?.run(() => reload(toolbox, endpoint, context, signal), signal);
    try {
      await Promise.race([endpoint.ended, aborted(context.signal)]);
    } finally {
      ended.abort();
      await stop(toolbox, endpoint, context.signal);
    }
    return 0;
  } finally {
    await toolbox.close();
  }
};

/** A file that cannot be loaded leaves the tools as they were. */
async function reload(
  toolbox: Toolbox,
  endpoint: Endpoint,
  context: Context,
  signal: AbortSignal,
): Promise<void> {
  try {
    await toolbox.reload();
    if (signal.aborted) return;
    endpoint.toolsChanged();
    say(context, `Reloaded: ${count(toolbox)}`);
  } catch (error) {
    if (signal.aborted) return;
    printFailure(error, context);
    say(context, `Not reloaded: ${count(toolbox)} as before`);
  }
}

async function stop(toolbox: Toolbox, endpoint: Endpoint, signal: AbortSignal): Promise<void> {
  // A client that has left and then sends a signal is losing patience: what it sends next cannot be answered.
  const hurry = signal.aborted ? [] : [aborted(signal)];
  await Promise.race([endpoint.drain(GRACE_MS), ...hurry]);
  await toolbox.close();
  await endpoint.drain(FAREWELL_MS);
  await endpoint.close();
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

function count({ listing: { size } }: Toolbox): string {
  return size === 1 ? "1 tool" : `${size} tools`;
}

function say({ stderr }: Context, text: string): void {
  stderr.write(`${text}\n`);
}
