import { LogMessages } from "./servers/log-messages.ts";
import type { ProtocolMessage } from "./types.ts";

/** Messages remembered of each server, and their characters. The oldest are dropped first. */
const MAX_MESSAGES = 500;
const MAX_CHARS = 4 * 1024 * 1024;

interface ServerLog {
  readonly messages: ProtocolMessage[];
  chars: number;
  dropped: number;
}

/** What was said between this process and the MCP servers of the file. Lives in memory only. */
export class MessageLog {
  readonly #servers = new Map<string, ServerLog>();
  /** Those among them that are log messages of a server. */
  readonly log = new LogMessages();
  #last = 0;

  add({ server, ...message }: { readonly server: string } & Omit<ProtocolMessage, "id">): void {
    const log = this.#servers.get(server) ?? { messages: [], chars: 0, dropped: 0 };
    this.#servers.set(server, log);
    log.messages.push({ id: ++this.#last, ...message });
    log.chars += message.text.length;
    while (log.messages.length > MAX_MESSAGES || (log.chars > MAX_CHARS && log.messages.length > 1)) {
      log.chars -= log.messages.shift()!.text.length;
      log.dropped += 1;
    }
    this.log.add(server, message);
  }

  /** Oldest first. */
  list(server: string): { readonly messages: readonly ProtocolMessage[]; readonly dropped: number } {
    const { messages = [], dropped = 0 } = this.#servers.get(server) ?? {};
    return { messages: [...messages], dropped };
  }
}
