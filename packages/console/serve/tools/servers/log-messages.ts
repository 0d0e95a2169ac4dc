import { isObject } from "@mci-ts/primitives/is-object";
import type { ProtocolMessage } from "../types.ts";
import type { LogMessage } from "./types.ts";

/** Remembered of each server, with their characters. The oldest are dropped first. */
const MAX_MESSAGES = 500;
const MAX_CHARS = 1024 * 1024;
/** Characters of one message; the protocol log has more of it. */
const MAX_TEXT = 8 * 1024;
const MAX_NAME = 100;
const METHOD = "notifications/message";

interface ServerLog {
  readonly messages: LogMessage[];
  readonly listeners: Set<() => void>;
  chars: number;
  lastId: number;
}

/** The log messages that MCP servers send, found among all that they say. Lives in memory only. */
export class LogMessages {
  readonly #servers = new Map<string, ServerLog>();

  add(server: string, { direction, at, text, size }: Omit<ProtocolMessage, "id">): void {
    if (direction !== "received" || !text.includes(`"${METHOD}"`)) return;
    const content = contentOf(text, size);
    if (content === undefined) return;
    const log = this.#logOf(server);
    log.lastId += 1;
    log.messages.push({ id: log.lastId, at, ...content });
    log.chars += content.text.length;
    while (log.messages.length > MAX_MESSAGES || (log.chars > MAX_CHARS && log.messages.length > 1))
      log.chars -= log.messages.shift()!.text.length;
    for (const listener of log.listeners) listener();
  }

  /** The newest of those after this id, oldest first. */
  since(server: string, id: number, limit: number): readonly LogMessage[] {
    const { messages } = this.#logOf(server);
    return messages.slice(-limit).filter((message) => message.id > id);
  }

  /** Calls `listener` for each new message, until `signal` aborts. */
  watch(server: string, listener: () => void, signal: AbortSignal): void {
    const { listeners } = this.#logOf(server);
    listeners.add(listener);
    signal.addEventListener("abort", () => listeners.delete(listener), { once: true });
  }

  #logOf(server: string): ServerLog {
    const log = this.#servers.get(server) ?? { messages: [], listeners: new Set(), chars: 0, lastId: 0 };
    this.#servers.set(server, log);
    return log;
  }
}

type Content = Omit<LogMessage, "id" | "at">;

/** Undefined for another message that only mentions the method. */
function contentOf(text: string, size: number): Content | undefined {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    // Only the beginning of a long message is here: enough to know what it is, if that is in it.
    if (!text.slice(0, 200).includes(`"method":"${METHOD}"`)) return undefined;
    const [, level = "unknown"] = /"level":"(\w{1,20})"/.exec(text) ?? [];
    return { level, text: text.slice(0, MAX_TEXT), size };
  }
  if (!isObject(message) || message["method"] !== METHOD) return undefined;
  const { level, logger, data } = isObject(message["params"]) ? message["params"] : {};
  const written = typeof data === "string" ? data : (JSON.stringify(data) ?? "");
  return {
    level: typeof level === "string" ? level.slice(0, MAX_NAME) : "unknown",
    ...(typeof logger === "string" && { logger: logger.slice(0, MAX_NAME) }),
    text: written.slice(0, MAX_TEXT),
    size: written.length,
  };
}
