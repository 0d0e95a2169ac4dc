import { expect, test } from "vitest";
import { folder } from "../mci.ts";
import { file, text } from "./file.ts";
import { INITIALIZE, notification, rpc } from "./raw.ts";
import { connectProcess, fixture, respondTo } from "./support.ts";

test("tools reach clients with valid names, readable schemas and all that they return [RUN-names, RUN-boolean-schema, RUN-output-schema, RUN-failed-output]", async () => {
  const print = "echo half done; echo disk full >&2; exit 3";
  const upstream = { command: process.execPath, args: [fixture("upstream.ts")] };
  const any = {
    ...text("any", "{{props.value}}"),
    inputSchema: { type: "object", properties: { value: true } },
  };
  const fail = { name: "fails", execution: { type: "cli", command: "sh", args: ["-c", print] } };
  const cwd = folder({
    "mci.json": { ...file(text("say hello", "Hello"), any, fail), mcp_servers: { upstream } },
  });
  const { client, stderr } = await connectProcess("legacy", { cwd });
  const { tools } = await client.listTools();
  const listed = Object.fromEntries(tools.map((tool) => [tool.name, tool]));

  expect(stderr()).toContain("MCP does not allow the tool name 'say hello'; clients see 'say_hello'");
  expect((await client.callTool({ name: "say_hello" })).content).toEqual([{ type: "text", text: "Hello" }]);
  expect(listed.any?.inputSchema).toEqual({ type: "object", properties: { value: {} } });
  expect(await client.callTool({ name: "fails" })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/exit code 3: disk full\s+Standard output:\nhalf done/) }],
  });
  expect(listed.structured?.outputSchema).toMatchObject({ type: "object" });
  // The official client checks structured content against the schema it has listed.
  const structured = await client.callTool({ name: "structured" });
  expect(structured.structuredContent).toBeDefined();
});

test("a result over 10 MiB does not end the session: it is sent once, or is an error with its size [SRV-size]", async () => {
  const read = (name: string, path: string, more: object = {}) => ({
    ...{ name, outputSchema: { type: "object" }, execution: { type: "file", path } },
    ...more,
  });
  const cwd = folder({
    "large.json": JSON.stringify({ a: "x".repeat(6 << 20) }),
    "larger.json": JSON.stringify({ a: "x".repeat((10 << 20) - 1000) }),
    "mci.json": file(
      read("structured", "large.json"),
      read("text", "large.json", { result: { format: "text" } }),
      read("too_large", "larger.json"),
      text("hello", "Hello"),
    ),
  });
  const { client, stderr } = await connectProcess("legacy", { cwd });
  const { tools } = await client.listTools();
  const announced = tools.filter(({ outputSchema }) => outputSchema !== undefined).map(({ name }) => name);
  expect(announced).toEqual(["structured", "too_large"]);
  const structured = await client.callTool({ name: "structured" });
  expect((structured.structuredContent as { a: string }).a).toHaveLength(6 << 20);
  expect(JSON.stringify(structured.content)).toContain("structured content");
  const asText = await client.callTool({ name: "text" });
  expect(asText.structuredContent).toBeUndefined();
  expect(JSON.stringify(asText.content).length).toBeGreaterThan(6 << 20);
  expect(await client.callTool({ name: "too_large" })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/has 104\d+ bytes.*at most 10420224.*maxItems/) }],
  });
  expect((await client.callTool({ name: "hello" })).content).toEqual([{ type: "text", text: "Hello" }]);
  expect(stderr()).not.toContain("unknown");
});

test("an unknown key of the served file is a warning with its place, printed once [CLI-unknown-keys]", async () => {
  const hello = text("hello", "Hello");
  const cwd = folder({ "mci.json": file({ ...hello, execution: { ...hello.execution, txet: "?" } }) });
  const { client, stderr } = await connectProcess("legacy", { cwd });
  expect((await client.listTools()).tools).toHaveLength(1);
  expect(stderr().split("'txet'")).toHaveLength(2);
  expect(stderr()).toMatch(/mci\.json:\d+:\d+/);
});

test("a message over 10 MiB is refused with its id, and the next is answered [RUN-oversized]", async () => {
  const cwd = folder({ "mci.json": file(text("hello", "Hello")) });
  const messages = [
    INITIALIZE,
    notification("notifications/initialized", {}),
    rpc("tools/call", { name: "hello", arguments: { x: "x".repeat(11 << 20) } }, 7),
    rpc("tools/call", { name: "hello" }, 8),
  ];
  const responses = (await respondTo(messages, { cwd }))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(responses.find(({ id }) => id === 7).error.message).toContain("more than 10485760 bytes");
  expect(responses.find(({ id }) => id === 8).result.content).toEqual([{ type: "text", text: "Hello" }]);
});
