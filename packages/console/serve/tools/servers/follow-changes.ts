import type { MCIClient, OnChange } from "mci-ts";
import type { ToolsSource } from "../source.ts";

/**
 * Does something with the client of now, and with each that takes its place when the file is loaded again, until `signal` aborts. `begin`
 * returns what ends it.
 */
export function withEachClient(
  source: Pick<ToolsSource, "client" | "watch">,
  signal: AbortSignal,
  begin: (client: MCIClient) => Promise<() => void>,
): void {
  let current: MCIClient | undefined;
  let end: (() => void) | undefined;
  const follow = async () => {
    const client = source.client();
    if (client === current) return;
    current = client;
    end?.();
    end = undefined;
    const endThis = await begin(client);
    if (signal.aborted || client !== current) endThis();
    else end = endThis;
  };
  void follow();
  source.watch(() => void follow(), signal);
  signal.addEventListener("abort", () => end?.(), { once: true });
}

/** Tells of what MCP servers say about changes of their lists and of watched resources. */
export function followChanges(source: ToolsSource, signal: AbortSignal, listener: OnChange): void {
  withEachClient(source, signal, async (client) =>
    client.mcpServers().length === 0 ? () => {} : client.onChange(listener),
  );
}
