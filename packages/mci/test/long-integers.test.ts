import { text } from "node:stream/consumers";
import { afterAll, describe, expect, test } from "vitest";
import { serve } from "../../../test/servers.ts";
import { runToolCalls } from "../src/adapters/openai.ts";
import { load, project } from "./toolsets/support.ts";

const LONG = "12345678901234567890";

/** Answers with what it was sent. */
const { url: origin } = await serve(async (request, response) => {
  response.end(`${request.url} ${await text(request)}`);
}, afterAll);

/** A server in four lines that answers a call with the line it got. */
const ECHO = `
process.stdin.on("data", (data) => { for (const line of String(data).split("\\n").filter(Boolean)) {
  const { id, method } = JSON.parse(line);
  const result = { initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "e", version: "1" } },
    "tools/list": { tools: [{ name: "echo", inputSchema: { type: "object", properties: { id: { type: "integer" } } } }] },
    "tools/call": { content: [{ type: "text", text: line }] } }[method];
  const answer = result ? { result } : { error: { code: -32601, message: "unknown" } };
  if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...answer }) + "\\n");
} });`;

const ID = `"inputSchema": {"type": "object", "properties": {"id": {"type": "integer", "default": ${LONG}},
  "o": {"type": "object", "properties": {"n": {"type": "integer", "default": ${LONG}}}}}}`;
const post = (body: string) =>
  `{"type": "http", "method": "POST", "url": "${origin}/{{props.id}}", "params": {"q": "{{props.id}}", "o": {"n": ${LONG}}}, "body": ${body}}`;

function files(servers = "{}") {
  return {
    "tools.mci.json": `{"schemaVersion": "1.0",
      "tools": [
        {"name": "send", ${ID}, "execution": ${post(`{"type": "json", "content": {"own": ${LONG}, "list": [-${LONG}], "id": "{!!props.id!!}", "o": "{!!props.o!!}"}}`)}},
        {"name": "print", ${ID}, "execution": {"type": "text", "text": "{{props.id}} {{props.id + 1}} {{props.id == ${LONG}}} {{props}}"}},
        {"name": "jinja", ${ID}, "execution": {"type": "text", "templateEngine": "jinja2", "text": "{{ props.id }}"}},
        {"name": "run", ${ID}, "execution": {"type": "cli", "command": "echo", "args": ["{{props.id}}", "{!!props.id!!}"], "flags": {"--id": {"from": "props.id", "type": "value"}}}},
        {"name": "text", "inputSchema": {"type": "object", "properties": {"id": {"type": "string"}}}, "execution": {"type": "text", "text": "{{props.id}}"}}
      ],
      "toolsets": [{"name": "set", "overrides": {"fixed": {"properties": {"id": {"value": ${LONG}}}}, "given": {"properties": {"id": {"default": ${LONG}}}}}}],
      "mcp_servers": ${servers}}`,
    "echo.mjs": ECHO,
    "mci/set.mci.json": JSON.stringify({
      schemaVersion: "1.0",
      tools: ["fixed", "given"].map((name) => ({
        name,
        inputSchema: { type: "object", properties: { id: { type: "integer", default: 1 } } },
        execution: { type: "text", text: "{{props.id}}" },
      })),
    }),
  };
}

describe("integers above 2^53 [I-integers]", () => {
  test("keep their digits from the file to the wire", async () => {
    const client = await load(project(files()));
    expect(client.warnings).toEqual([]);
    const sent = await client.execute("send", { o: {} });
    expect(decodeURIComponent(sent.text)).toBe(
      `/${LONG}?q=${LONG}&o={"n":${LONG}} {"own":${LONG},"list":[-${LONG}],"id":${LONG},"o":{"n":${LONG}}}`,
    );
    expect((await client.execute("print")).text).toBe(`${LONG} 12345678901234567891 true {"id":${LONG}}`);
    expect((await client.execute("jinja")).text).toBe(LONG);
    expect((await client.execute("run")).text.trim()).toBe(`${LONG} ${LONG} --id=${LONG}`);
    expect((await client.execute("fixed")).text).toBe(LONG);
    expect((await client.execute("given")).text).toBe(LONG);
  });

  test("keep their digits when a caller gives them, in whatever form", async () => {
    const client = await load(project(files()));
    for (const id of [9007199254740993n, "9007199254740993"])
      expect((await client.execute("print", { id })).text).toContain(
        "9007199254740993 9007199254740994 false",
      );
    expect((await client.execute("text", { id: 9007199254740993n })).text).toBe("9007199254740993");
    const call = { name: "print", arguments: '{"id": 9007199254740993}' };
    const message = { tool_calls: [{ id: "1", type: "function" as const, function: call }] };
    const [answer] = await runToolCalls(client, message);
    expect(answer?.content).toContain("9007199254740993 ");
  });

  test("reach an MCP server as they are, and the preview shows them", async () => {
    const client = await load(project(files('{"echo": {"command": "node", "args": ["echo.mjs"]}}')));
    expect((await client.execute("echo", { id: 9007199254740993n })).text).toContain(
      '"arguments":{"id":9007199254740993}',
    );
    const preview = await client.preview("echo", { id: 9007199254740993n });
    expect(JSON.stringify(preview)).toContain('"arguments":{"id":9007199254740993}');
  });

  test("what a client hands out is JSON", async () => {
    const client = await load(project(files()));
    const tools = JSON.stringify([client.tools(), client.toolDefinitions(), client.lock()]);
    expect(tools).toContain('"default":12345678901234567000');
    expect(client.getToolSchema("print")).toMatchObject({ properties: { id: { default: Number(LONG) } } });
  });

  test("the input is still checked", async () => {
    const client = await load(project(files()));
    await expect(client.execute("print", { id: { n: 9007199254740993n } })).rejects.toMatchObject({
      code: "invalid_input",
    });
  });
});
