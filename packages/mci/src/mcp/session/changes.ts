import type { Client, JSONRPCMessage, McpSubscription } from "@modelcontextprotocol/client";
import type { RequestOptions, ServerChange } from "../connection.ts";

const KINDS: Readonly<Record<string, "tools" | "prompts" | "resources">> = {
  "notifications/tools/list_changed": "tools",
  "notifications/prompts/list_changed": "prompts",
  "notifications/resources/list_changed": "resources",
};

/** What a server says about changes of its lists and resources, read from its messages as they arrive. */
export class ServerChanges {
  #onChange: ((change: ServerChange) => void) | undefined;
  #subscription: McpSubscription | undefined;
  #watched: readonly string[] = [];

  onMessage(message: JSONRPCMessage): void {
    if (this.#onChange === undefined || !("method" in message)) return;
    const kind = KINDS[message.method];
    if (kind !== undefined) this.#onChange({ kind });
    if (message.method !== "notifications/resources/updated") return;
    const uri: unknown = message.params?.["uri"];
    if (typeof uri === "string") this.#onChange({ kind: "resource", uri });
  }

  /** Before 2026 a server tells of its own accord; since then it is asked to. */
  watch(client: Client, onChange: (change: ServerChange) => void): void {
    this.#onChange = onChange;
    void this.#listen(client).catch(() => {});
  }

  async watchResources(
    client: Client,
    uris: readonly string[],
    { signal, timeoutMs }: RequestOptions,
  ): Promise<void> {
    const added = uris.filter((uri) => !this.#watched.includes(uri));
    const removed = this.#watched.filter((uri) => !uris.includes(uri));
    this.#watched = [...uris];
    const options = { signal, timeout: timeoutMs };
    if (client.getProtocolEra() === "modern") return this.#listen(client, options);
    for (const uri of added) await client.subscribeResource({ uri }, options);
    for (const uri of removed) await client.unsubscribeResource({ uri }, options);
  }

  async #listen(client: Client, options: { signal?: AbortSignal; timeout?: number } = {}): Promise<void> {
    if (client.getProtocolEra() !== "modern") return;
    const { tools, prompts, resources } = client.getServerCapabilities() ?? {};
    const filter = {
      ...(tools?.listChanged && { toolsListChanged: true }),
      ...(prompts?.listChanged && { promptsListChanged: true }),
      ...(resources?.listChanged && { resourcesListChanged: true }),
      ...(this.#watched.length > 0 && { resourceSubscriptions: [...this.#watched] }),
    };
    const before = this.#subscription;
    if (Object.keys(filter).length > 0) this.#subscription = await client.listen(filter, options);
    await before?.close();
  }
}
