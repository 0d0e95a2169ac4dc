import { LiteMcpClient, type ServerConfig } from "../../../src/index.ts";

// Connects to the servers in the first argument, calls them, says "ready", and then does what the second argument says.

const servers: ServerConfig[] = JSON.parse(process.argv[2]!);
const clients = await Promise.all(servers.map((server) => LiteMcpClient.connect({ server })));
await Promise.all(clients.map((mcp) => mcp.listTools()));
console.log("ready");
if (process.argv[3] === "hold") setInterval(() => {}, 1 << 30);
if (process.argv[3] === "exit") process.exit(0);
// Otherwise the sessions are forgotten.
