import { isObject } from "@mci-ts/primitives/is-object";
import { eventStream } from "../event-stream.ts";
import { ApiFailure } from "../failure.ts";
import type { Endpoint, ToolsSource } from "../source.ts";
import { followChanges, withEachClient } from "./follow-changes.ts";
import { maskOf, requireServer, sourceOf } from "./sources.ts";
import type { ServerEvents } from "./types.ts";

const MAX_WATCHED = 50;
const MAX_URI = 8192;
/** What happens in this time is told together: a server may log and change without pause. */
const FLUSH_MS = 200;
/** Log messages of the first event, and of each one after it. */
const MAX_FIRST = 500;
const MAX_MESSAGES = 100;
/** A watch goes on for this long, so that a page which watches one more resource does not end the others in between. */
const LINGER_MS = 1000;

/**
 * Server-sent events of one server: its log messages, lists that changed, and changes of the resources that the body names as `{ watch }`.
 * A POST, because to watch asks something of the server, which is started for it; nothing else here does.
 */
export const followServer: Endpoint = (source, { body, signal }, name) => {
  requireServer(source.client(), name);
  const uris = watchedIn(body);
  return eventStream(signal, (write) => {
    const send = <Type extends keyof ServerEvents>(type: Type, data: ServerEvents[Type]) => write(type, data);
    source.watch(() => send("tools", {}), signal);
    sendLog(source, name, signal, send);
    sendChanges(source, name, signal, send);
    if (uris.length > 0) watchResources(source, name, uris, signal, send);
  });
};

type Send = <Type extends keyof ServerEvents>(type: Type, data: ServerEvents[Type]) => void;

function watchedIn(body: unknown): readonly string[] {
  const { watch = [] } = isObject(body) ? body : {};
  const isUri = (uri: unknown): uri is string => typeof uri === "string" && uri.length <= MAX_URI;
  if (Array.isArray(watch) && watch.length <= MAX_WATCHED && watch.every(isUri)) return [...new Set(watch)];
  throw new ApiFailure(
    400,
    "invalid_request",
    `watch must be a list of at most ${MAX_WATCHED} addresses of at most ${MAX_URI} characters.`,
  );
}

function sendLog({ messages }: ToolsSource, name: string, signal: AbortSignal, send: Send): void {
  let lastId = 0;
  const flush = (limit: number) => {
    const added = messages.log.since(name, lastId, limit);
    lastId = added.at(-1)?.id ?? lastId;
    send("log", { messages: added });
  };
  flush(MAX_FIRST);
  messages.log.watch(
    name,
    delayed(signal, () => flush(MAX_MESSAGES)),
    signal,
  );
}

function sendChanges(source: ToolsSource, name: string, signal: AbortSignal, send: Send): void {
  const kinds = new Set<ServerEvents["changed"]["kinds"][number]>();
  const updated = new Set<string>();
  const flush = delayed(signal, () => {
    if (kinds.size > 0) send("changed", { kinds: [...kinds] });
    if (updated.size > 0) send("updated", { uris: [...updated], at: new Date().toISOString() });
    kinds.clear();
    updated.clear();
  });
  followChanges(source, signal, ({ server, kind, uri }) => {
    if (server !== name) return;
    if (kind !== "resource") kinds.add(kind);
    else if (uri !== undefined && updated.size < MAX_WATCHED) updated.add(uri);
    flush();
  });
}

function watchResources(
  source: ToolsSource,
  name: string,
  uris: readonly string[],
  signal: AbortSignal,
  send: Send,
): void {
  withEachClient(source, signal, async (client) => {
    try {
      const end = await source.use((current) => current.watchMcpResources(name, uris));
      send("watching", { uris });
      // A server that has gone by then watches nothing any more.
      return () => void setTimeout(() => end().catch(() => {}), LINGER_MS).unref();
    } catch (error) {
      const isOurs = (error as Error).name === "MCIClientError";
      const message = isOurs ? (error as Error).message : "The server cannot be asked to watch them.";
      send("watching", { uris, error: maskOf(client, sourceOf(name))(message) });
      return () => {};
    }
  });
}

/** Runs `work` once, some time after the first of several calls. */
function delayed(signal: AbortSignal, work: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  return () => {
    if (signal.aborted) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      work();
    }, FLUSH_MS).unref();
  };
}
