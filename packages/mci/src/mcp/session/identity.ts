import type { Client } from "@modelcontextprotocol/client";
import type { ServerIdentity } from "../connection.ts";

const MAX_NAME = 200;
/** As JSON; more of them are left out, which the client of the library can see. */
const MAX_CAPABILITIES = 20_000;

/** What the server said of itself in the handshake, bounded: it can be anything. */
export function identityOf(client: Client): ServerIdentity {
  const { name, title, version } = client.getServerVersion() ?? {};
  const named = Object.entries({ name, title, version })
    .filter((entry): entry is [string, string] => typeof entry[1] === "string")
    .map(([key, value]) => [key, value.slice(0, MAX_NAME)]);
  const capabilities = client.getServerCapabilities() ?? {};
  const protocolVersion = client.getNegotiatedProtocolVersion();
  return {
    ...Object.fromEntries(named),
    ...(protocolVersion !== undefined && { protocolVersion }),
    ...(JSON.stringify(capabilities).length <= MAX_CAPABILITIES && {
      capabilities: capabilities as Readonly<Record<string, unknown>>,
    }),
  };
}
