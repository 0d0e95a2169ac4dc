import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import type { CallOptions } from "../connection.ts";

type OnProgress = NonNullable<CallOptions["onProgress"]>;

/**
 * Progress of calls, read from a session's messages as they arrive. The SDK's own callback loses what arrives together
 * with the result: results overtake notifications there.
 */
export class ProgressListeners {
  readonly #listeners = new Map<string, OnProgress>();
  #count = 0;

  /** The token to send with a call whose progress is wanted. */
  add(onProgress: OnProgress): string {
    this.#count += 1;
    const token = `progress-${this.#count}`;
    this.#listeners.set(token, onProgress);
    return token;
  }

  remove(token: string): void {
    this.#listeners.delete(token);
  }

  onMessage(message: JSONRPCMessage): void {
    if (!("method" in message) || message.method !== "notifications/progress") return;
    const { progressToken, progress, total, message: text } = message.params ?? {};
    if (typeof progressToken !== "string" || typeof progress !== "number") return;
    this.#listeners.get(progressToken)?.({
      progress,
      ...(typeof total === "number" ? { total } : {}),
      ...(typeof text === "string" ? { message: text } : {}),
    });
  }
}
