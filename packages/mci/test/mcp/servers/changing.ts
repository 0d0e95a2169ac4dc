import { readFileSync } from "node:fs";
import { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

// Lists the tools that a JSON file holds when it is asked; a call returns its name and arguments, and the tool "json" these alone.

const file = process.argv[2]!;

serveStdio(() => {
  const server = new Server({ name: "changing", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({ tools: JSON.parse(readFileSync(file, "utf8")) }));
  server.setRequestHandler("tools/call", ({ params }) => {
    const json = JSON.stringify(params.arguments);
    return {
      content: [{ type: "text" as const, text: params.name === "json" ? json : `${params.name} ${json}` }],
    };
  });
  return server;
});
