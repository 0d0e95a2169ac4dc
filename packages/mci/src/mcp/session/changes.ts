import type { Client, JSONRPCMessage } from "@modelcontextprotocol/client";
import type { RequestOptions, ServerChange } from "../connection.ts";
import { revisionOf } from "../revision/revisions.ts";

const KINDS: Readonly<Record<string, "tools" | "prompts" | "resources">> = {
  "notifications/tools/list_changed": "tools",
  "notifications/prompts/list_changed": "prompts",
  "notifications/resources/list_changed": "resources",
};

/** What a server says about changes of its lists and resources, read from its messages as they arrive. */
export class ServerChanges {
  #onChange: ((change: ServerChange) => void) | undefined;
  #end: (() => Promise<void>) | undefined;
  #watched: readonly string[] = [];

  onMessage(message: JSONRPCMessage): void {
    if (this.#onChange === undefined || !("method" in message)) return;
    const kind = KINDS[message.method];
    if (kind !== undefined) this.#onChange({ kind });
    if (message.method !== "notifications/resources/updated") return;
    const uri: unknown = message.params?.["uri"];
    if (typeof uri === "string") this.#onChange({ kind: "resource", uri });
  }

  watch(client: Client, onChange: (change: ServerChange) => void): void {
    this.#onChange = onChange;
    void this.#listen(client, this.#watched).catch(() => {});
  }

  async watchResources(
    client: Client,
    uris: readonly string[],
    { signal, timeoutMs }: RequestOptions,
  ): Promise<void> {
    const before = this.#watched;
    this.#watched = [...uris];
    await this.#listen(client, before, { signal, timeout: timeoutMs });
  }

  async #listen(
    client: Client,
    before: readonly string[],
    options: { signal?: AbortSignal; timeout?: number } = {},
  ): Promise<void> {
    const end = this.#end;
    const watched = { uris: this.#watched, before };
    this.#end = await revisionOf(client).watch(client, watched, options);
    await end?.();
  }
}
