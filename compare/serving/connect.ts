import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

/** A program that serves tools over standard input and output. */
export interface Server {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** The official client, connected to a server of its own. */
export async function connect({ command, args }: Server, more: readonly string[] = []): Promise<Client> {
  const client = new Client({ name: "compare", version: "1.0.0" });
  // A server may print what is not a message; the client reports that here and reads on.
  client.onerror = () => {};
  await client.connect(new StdioClientTransport({ command, args: [...args, ...more], stderr: "ignore" }), {
    timeout: 20_000,
  });
  return client;
}
