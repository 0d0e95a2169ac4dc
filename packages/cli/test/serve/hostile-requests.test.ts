import { afterAll, beforeAll, expect, test } from "vitest";
import { BLOCK_METER, leastBlock, longestBlock } from "../../../../test/hostile/block-meter.ts";
import { type RunningServer, startServer } from "../../../../test/hostile/programs.ts";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";

/** `npm run hostile` prints what each request takes. */
const isVerbose = process.env["MCI_HOSTILE"] !== undefined;

/** While the server is blocked `/healthz` does not respond. */
const MAX_BLOCK_MS = 100;
const SIZE = 900_000;

const string = { type: "string" };
const FILE = {
  schemaVersion: "1.0",
  tools: [
    {
      name: "print",
      inputSchema: { type: "object", properties: { x: {} } },
      execution: { type: "text", text: "{{props.x}}" },
    },
    {
      name: "loop",
      inputSchema: { type: "object", properties: { list: { type: "array" } } },
      execution: {
        type: "text",
        text: "@foreach(a in props.list)@foreach(b in props.list)x@endforeach@endforeach",
      },
    },
    {
      name: "pattern",
      inputSchema: { type: "object", properties: { x: { ...string, pattern: "^(a|a){60}((b+)+)+$" } } },
      execution: { type: "text", text: "{{props.x}}" },
    },
    {
      name: "format",
      inputSchema: { type: "object", properties: { x: { ...string, format: "email" } } },
      execution: { type: "text", text: "{{props.x}}" },
    },
    {
      name: "branches",
      inputSchema: {
        type: "object",
        properties: {
          list: {
            type: "array",
            items: { anyOf: Array.from({ length: 500 }, (_, i) => ({ required: [`k${i}`] })) },
          },
        },
      },
      execution: { type: "text", text: "x" },
    },
    {
      name: "unique",
      inputSchema: { type: "object", properties: { list: { type: "array", uniqueItems: true } } },
      execution: { type: "text", text: "x" },
    },
    {
      name: "path",
      inputSchema: { type: "object", properties: { x: string } },
      execution: { type: "file", path: "data/{{props.x}}" },
    },
    {
      name: "argument",
      inputSchema: { type: "object", properties: { x: string } },
      execution: { type: "cli", command: "true", args: ["--", "{{props.x}}"] },
    },
    {
      name: "address",
      inputSchema: { type: "object", properties: { x: string } },
      execution: { type: "http", url: "http://127.0.0.1:9/items/{{props.x}}", params: { q: "{{props.x}}" } },
    },
  ],
};

const many = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i));
const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
const rpc = (method: string, params: unknown) => JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
const call = (name: string, input: unknown) => rpc("tools/call", { name, arguments: input });
const UNITS = ["a", "/", "../", "%2e%2e/", "@a.", " -x=", "{{env.A}}", '"\\', "\u0301", "b"];

const REQUESTS: Readonly<Record<string, string>> = {
  "JSON that is deep": `{"jsonrpc":"2.0","id":1,"method":"ping","params":${nested(SIZE / 2)}}`,
  "JSON at the limit of levels": call("print", { x: JSON.parse(nested(90)) }),
  "JSON with many keys": rpc("ping", Object.fromEntries(many(60_000, (i) => [`k${i}`, i]))),
  "JSON with almost too many values": call("print", { x: many(19_000, () => []) }),
  "JSON with a long number": `{"jsonrpc":"2.0","id":${"9".repeat(SIZE)},"method":"ping"}`,
  "JSON that is cut off": `{"jsonrpc": "${"\\u00e9".repeat(SIZE / 6)}`,
  "a long method": rpc("x".repeat(SIZE), {}),
  "a long tool name": call("x".repeat(SIZE), {}),
  "a batch": `[${many(4000, (i) => `{"jsonrpc":"2.0","id":${i},"method":"ping"}`).join(",")}]`,
  "many unknown arguments": call("pattern", Object.fromEntries(many(19_000, (i) => [`k${i}`, i]))),
  "a long cursor": rpc("tools/list", { cursor: "x".repeat(SIZE) }),
  "nested loops": call("loop", { list: many(9000, () => 1) }),
  "a slow pattern": call("pattern", { x: "a".repeat(SIZE) }),
  "a slow pattern that almost matches": call("pattern", { x: `${"a".repeat(60)}${"b".repeat(SIZE / 2)}!` }),
  "many branches": call("branches", { list: many(9000, () => ({ x: 1 })) }),
  "unique items": call("unique", { list: many(6000, (i) => ({ i })) }),
  "unique lists": call("unique", { list: many(900, (i) => many(20, () => i)) }),
  ...Object.fromEntries(
    ["print", "format", "path", "argument", "address"].flatMap((tool) =>
      UNITS.map((unit) => [
        `${tool} with ${JSON.stringify(unit)}`,
        call(tool, { x: unit.repeat(Math.floor(SIZE / 8 / unit.length)) }),
      ]),
    ),
  ),
};

let server: RunningServer;
beforeAll(async () => {
  const folder = temporaryFolder({ "mci.json": FILE }, afterAll);
  server = await startServer("mci run --http", folder, BLOCK_METER);
});
afterAll(() => void server.child.kill("SIGKILL"));

/** The longest time that the server is blocked while it serves a request, and the status of its response. */
async function serve(body: string): Promise<{ status: number; blockMs: number }> {
  await longestBlock(server);
  const response = await fetch(server.origin + server.post, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body,
  });
  await response.text();
  expect((await fetch(server.origin + server.health)).status).toBe(200);
  return { status: response.status, blockMs: await longestBlock(server) };
}

test("[C-hostile] no request blocks mci run --http for 100 ms, so that /healthz responds", async () => {
  // The first of each kind loads code.
  for (const { name } of FILE.tools) await serve(call(name, { x: "a", list: [{ k1: 1 }] }));
  const slow: string[] = [];
  // All of them take half a minute.
  const requests = Object.entries(REQUESTS).filter(
    ([name], i) => isVerbose || !name.includes(' with "') || i % 5 === 0,
  );
  for (const [name, body] of requests) {
    const { blockMs, status } = await leastBlock(() => serve(body), MAX_BLOCK_MS);
    if (isVerbose) console.log(`| ${name} | ${status} | ${blockMs} ms |`);
    if (blockMs > MAX_BLOCK_MS) slow.push(`${name}: ${blockMs} ms`);
  }
  expect(slow).toEqual([]);
}, 300_000);
