import type { MCIClient } from "mci-ts";

/** Values that are made of a client once, until one of its servers changes a list: ten thousand entries are not copied for each key that is typed. */
export class MadeOnce<T> {
  readonly #byClient = new WeakMap<MCIClient, Map<string, T>>();

  get(client: MCIClient, key: string, make: () => T): T {
    const made = this.#byClient.get(client) ?? this.#follow(client);
    const value = made.has(key) ? made.get(key)! : make();
    made.set(key, value);
    return value;
  }

  #follow(client: MCIClient): Map<string, T> {
    const made = new Map<string, T>();
    this.#byClient.set(client, made);
    if (client.mcpServers().length > 0) void client.onChange(() => made.clear());
    return made;
  }
}
