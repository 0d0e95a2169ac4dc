import { LiteMcpClient, type ServerConfig } from "../../../src/index.ts";

// Connects to the server in the first argument, calls it, says "ready", and then does what the second argument says.

const mcp = await LiteMcpClient.connect({ server: JSON.parse(process.argv[2]!) as ServerConfig });
await mcp.listTools();
console.log("ready");
if (process.argv[3] === "hold") setInterval(() => {}, 1 << 30);
if (process.argv[3] === "exit") process.exit(0);
// Otherwise the session is forgotten.
