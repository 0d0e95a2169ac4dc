import { spawn } from "node:child_process";
import { appendFileSync, closeSync } from "node:fs";
import { createInterface } from "node:readline";

// Servers that misbehave, by the first argument. They write their process ids to the file LOG names.

const log = (line: string) => process.env["LOG"] && appendFileSync(process.env["LOG"], `${line}\n`);
const answer = (id: unknown, result: unknown) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
const stay = () => setInterval(() => {}, 1 << 30);

log(`start ${process.pid}`);

switch (process.argv[2]) {
  case "stubborn": {
    // Shakes hands, then ignores both the end of its input and the request to end; so does its child.
    process.on("SIGTERM", () => {});
    const child = spawn(
      process.execPath,
      ["-e", "process.on('SIGTERM', () => {}); setInterval(() => {}, 1 << 30)"],
      { stdio: "ignore" },
    );
    log(`child ${child.pid}`);
    stay();
    serve();
    break;
  }
  case "fragile": // An older server that ends when it is asked anything before the handshake.
    serve({ endsOnUnknown: true });
    break;
  case "mute": // Closes its output after the handshake, and stays.
    stay();
    serve({ closesAfterCall: true });
    break;
  case "deaf": // Closes its input after the handshake, and stays.
    stay();
    serve({ closesInput: true });
    break;
  case "modest": // Has a tool, and does not say so.
    serve({ capabilities: {} });
    break;
  case "telling": {
    // Repeats what it was sent wherever it can.
    const token = process.env["TOKEN"];
    const key = {
      type: "string",
      default: `${token}`,
      examples: [token, { in: [token] }, "abc"],
      $comment: `see ${token}`,
      "x-note": `${Buffer.from(`${token}`).toString("base64")}`,
    };
    const more = [
      { name: `read_${token}`, inputSchema: { type: "object" } },
      { name: "by_property", inputSchema: { type: "object", properties: { [`${token}`]: {} } } },
      { name: "by_enum", inputSchema: { type: "object", properties: { a: { enum: [`${token}`] } } } },
      {
        name: "by_output",
        inputSchema: { type: "object" },
        outputSchema: { type: "object", const: { a: token } },
      },
      { name: "by_title", title: `${token}`, inputSchema: { type: "object", title: `${token}` } },
    ];
    serve({
      description: `Reads ${token}`,
      properties: { key, other: { type: "string", default: "x" }, nested: { default: { a: [token] } } },
      more,
    });
    break;
  }
  case "confused": // Answers with something that is not MCP.
    serve({ content: [{ type: "riddle" }] });
    break;
  case "chatty": // Prints things that are not messages.
    process.stdout.write("Starting up...\n{not json}\n");
    serve();
    break;
}

interface Manners {
  endsOnUnknown?: boolean;
  closesAfterCall?: boolean;
  closesInput?: boolean;
  capabilities?: object;
  description?: string;
  properties?: object;
  /** Further tools. */
  more?: object[];
  content?: object[];
}

function serve(manners: Manners = {}): void {
  const {
    capabilities = { tools: {} },
    endsOnUnknown,
    closesAfterCall,
    closesInput,
    description,
    properties,
    more = [],
    content,
  } = manners;
  createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    if (method === "initialize") {
      answer(id, {
        protocolVersion: params.protocolVersion,
        capabilities,
        serverInfo: { name: "rude", version: "1" },
      });
    } else if (method === "tools/list")
      answer(id, {
        tools: [{ name: "only", description, inputSchema: { type: "object", properties } }, ...more],
      });
    else if (method === "notifications/initialized" && closesInput) closeSync(0);
    else if (method === "tools/call" && closesAfterCall) closeSync(1);
    else if (method === "tools/call")
      answer(id, { content: content ?? [{ type: "text", text: `called ${params.name}` }] });
    else if (id !== undefined && endsOnUnknown) process.exit(1);
    else if (id !== undefined) {
      process.stdout.write(
        `${JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } })}\n`,
      );
    }
  });
}
