import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const root = fileURLToPath(new URL("../..", import.meta.url));
const SERVER = join(root, "node_modules/@modelcontextprotocol/server-everything/dist/index.js");

/** A client that is connected, and what reached it besides responses. */
export interface Seen {
  readonly client: Client;
  /** Notifications, and requests of the server, by their methods. */
  readonly events: { readonly method: string; readonly params: unknown }[];
  close(): Promise<void>;
}

/** `server-everything` itself. */
export const alone = (): Promise<Seen> => open(process.execPath, [SERVER, "stdio"], root, async () => {});

/** The same behind `mci run`, with a file that includes it and nothing else. */
export async function throughMci(): Promise<Seen> {
  const cwd = mkdtempSync(join(tmpdir(), "mci-everything-"));
  const server = { command: process.execPath, args: [SERVER, "stdio"] };
  writeFileSync(
    join(cwd, "mci.json"),
    JSON.stringify({ schemaVersion: "1.0", mcp_servers: { everything: server } }),
  );
  const command = join(root, "packages/cli/bin/mci.cjs");
  return open(process.execPath, [command, "run", "mci.json"], cwd, async () =>
    rmSync(cwd, { recursive: true, force: true }),
  );
}

/** The official client, which can do all that a server may ask for. */
async function open(
  command: string,
  args: string[],
  cwd: string,
  cleanUp: () => Promise<void>,
): Promise<Seen> {
  const events: Seen["events"] = [];
  const client = new Client(
    { name: "comparison", version: "1.0.0" },
    {
      versionNegotiation: { mode: "legacy" },
      capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: { listChanged: true } },
    },
  );
  client.setRequestHandler("elicitation/create", ({ params }) => {
    events.push({ method: "elicitation/create", params });
    return {
      action: "accept",
      content: "requestedSchema" in params ? { name: "Ada", check: true } : undefined,
    };
  });
  client.setRequestHandler("sampling/createMessage", ({ params }) => {
    events.push({ method: "sampling/createMessage", params });
    return { role: "assistant", content: { type: "text", text: "sampled" }, model: "none" };
  });
  client.setRequestHandler("roots/list", () => {
    events.push({ method: "roots/list", params: {} });
    return { roots: [{ uri: "file:///work", name: "work" }] };
  });
  client.fallbackNotificationHandler = async ({ method, params }) => void events.push({ method, params });
  const env = { PATH: process.env.PATH ?? "", HOME: cwd };
  await client.connect(new StdioClientTransport({ command, args, cwd, env, stderr: "ignore" }));
  return {
    client,
    events,
    async close() {
      await client.close();
      await cleanUp();
    },
  };
}
