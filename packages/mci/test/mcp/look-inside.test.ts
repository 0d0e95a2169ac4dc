import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { expect, onTestFinished, test } from "vitest";
import type { Change } from "../../src/client/list-changes.ts";
import { MCIClient } from "../../src/client.ts";
import type { McpMessage } from "../../src/mcp/message-log.ts";
import { listen, npmServer, temporaryDirectory } from "./support.ts";

const TEXT = "demo://resource/static/document/features.md";

async function load(servers: object, more: object = {}) {
  const messages: McpMessage[] = [];
  const options = {
    baseDir: temporaryDirectory(),
    env: { SECRET: "s3cret-of-the-server" },
    onMcpMessage: (message: McpMessage) => void messages.push(message),
  };
  const client = await MCIClient.fromObject({ schemaVersion: "1.0", mcp_servers: servers, ...more }, options);
  onTestFinished(() => client.close());
  return { client, messages };
}

const everything = () => {
  const { type: _, ...settings } = npmServer("everything");
  return settings;
};

test("each source is looked into by itself, also where two have the same names [MCP-sources]", async () => {
  const own = { name: "own", uri: TEXT, execution: { type: "text", text: "of the file" } };
  const { client } = await load(
    { one: everything(), two: { ...everything(), prefix: "two_" } },
    { resources: [own] },
  );
  const uris = async (source?: string) =>
    (await client.resources(source === undefined ? {} : { source })).map(({ uri }) => uri);
  // Without a source each address is there once.
  expect((await uris()).filter((uri) => uri === TEXT)).toHaveLength(1);
  for (const source of ["main", "mcp:one", "mcp:two"]) expect(await uris(source)).toContain(TEXT);
  expect(await uris("mcp:three")).toEqual([]);
  expect((await client.prompts({ source: "mcp:two" })).map(({ name }) => name)).toContain(
    "two_simple-prompt",
  );
  expect((await client.prompts({ source: "mcp:one" })).map(({ name }) => name)).toContain("simple-prompt");
  expect(await client.resourceTemplates({ source: "mcp:one" })).toHaveLength(2);
  expect(await client.contentCounts("main")).toEqual({
    ...{ resources: 1, resourceTemplates: 0, prompts: 0, skills: 0 },
  });
  expect(await client.contentCounts("mcp:one")).toMatchObject({
    resources: 7,
    resourceTemplates: 2,
    prompts: 4,
  });

  const read = async (source: string) => JSON.stringify(await client.readResource(TEXT, { source }));
  expect(await read("main")).toContain("of the file");
  expect(await read("mcp:two")).not.toContain("of the file");
  await expect(read("mcp:three")).rejects.toMatchObject({ code: "resource_not_found" });
  const foreign = client.getPrompt("two_simple-prompt", {}, { source: "mcp:one" });
  await expect(foreign).rejects.toMatchObject({ code: "prompt_not_found" });
  const completed = await client.complete(
    { prompt: "two_completable-prompt" },
    { name: "name", value: "" },
    { source: "mcp:two", given: { department: "Sales" } },
  );
  expect(completed.completion.values).toEqual(["David", "Eve", "Frank"]);
});

test("a server says what it is, comes back to a ping, and sends log messages from the level that was asked for, also in its next session [MCP-look-inside]", async () => {
  const { client, messages } = await load({ everything: everything() });
  const [state] = client.mcpServers();
  expect(state).toMatchObject({
    transport: "stdio",
    state: "connected",
    identity: {
      name: "mcp-servers/everything",
      version: expect.stringMatching(/^\d/),
      protocolVersion: "2025-11-25",
      capabilities: { prompts: {}, resources: { subscribe: true }, logging: {} },
    },
  });
  expect(await client.pingMcpServer("everything")).toBeGreaterThan(0);
  await expect(client.pingMcpServer("nothing")).rejects.toMatchObject({ code: "invalid_argument" });
  await client.setMcpLogLevel("everything", "error");
  const sent = (method: string) =>
    messages.filter(({ direction, text }) => direction === "sent" && text.includes(`"method":"${method}"`));
  expect(sent("logging/setLevel").at(-1)?.text).toContain('"level":"error"');

  const changes: Change[] = [];
  onTestFinished(await client.onChange((change) => void changes.push(change)));
  await client.watchResources([TEXT]);
  await client.restartMcpServer("everything");
  // Another process knows nothing of what its predecessor was asked for.
  await expect.poll(() => sent("resources/subscribe").length).toBe(2);
  await expect.poll(() => sent("logging/setLevel").length).toBe(2);
  await client.execute("toggle-subscriber-updates");
  await expect.poll(() => changes.find(({ uri }) => uri === TEXT), { timeout: 15_000 }).toBeDefined();

  const before = sent("prompts/list").length;
  await client.refreshMcpServer("everything");
  expect(sent("prompts/list").length).toBe(before + 1);
  expect(changes.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["tools", "prompts", "resources"]));
});

test("servers are told from the first session on that a person can be asked, where the program says so [MCP-look-inside]", async () => {
  const sessions = async (asksForInput: boolean) => {
    const messages: McpMessage[] = [];
    const client = await MCIClient.fromObject(
      { schemaVersion: "1.0", mcp_servers: { everything: everything() } },
      {
        baseDir: temporaryDirectory(),
        mcp: { asksForInput },
        onMcpMessage: (each) => void messages.push(each),
      },
    );
    onTestFinished(() => client.close());
    const onInput = async () => ({ action: "cancel" as const });
    const first = client.listTools().includes("trigger-elicitation-request");
    await client.execute("echo", { message: "hello" }, { onInput });
    const begun = messages.filter(({ text }) => text.includes('"method":"initialize"')).length;
    return { first, begun };
  };
  expect(await sessions(true)).toEqual({ first: true, begun: 1 });
  expect(await sessions(false)).toEqual({ first: false, begun: 2 });
});

test("in the revision without sessions a ping asks what the server is, and each request says the level; a secret in the server's name is masked [MCP-look-inside]", async () => {
  const server = () => {
    const made = new McpServer(
      { name: "s3cret-of-the-server and more", version: "x".repeat(1000) },
      { capabilities: { logging: {} } },
    );
    made.registerPrompt("hello", {}, () => ({
      messages: [{ role: "user", content: { type: "text", text: "Hello" } }],
    }));
    return made;
  };
  const { url } = await listen(toNodeHandler(createMcpHandler(server)));
  const { client, messages } = await load({ web: { url, headers: { "x-key": "{{env.SECRET}}" } } });
  const { identity } = client.mcpServers()[0]!;
  expect(identity).toMatchObject({ name: "*** and more", protocolVersion: "2026-07-28" });
  expect(identity?.version).toHaveLength(200);
  expect(await client.pingMcpServer("web")).toBeGreaterThan(0);
  await client.setMcpLogLevel("web", "debug");
  await client.getPrompt("hello");
  const [request] = messages.filter(({ text }) => text.includes('"method":"prompts/get"'));
  expect(request?.text).toContain('logLevel":"debug"');
});

test("a server without log messages says so instead of being asked [MCP-look-inside]", async () => {
  const server = () => new McpServer({ name: "quiet", version: "1" }, { capabilities: { prompts: {} } });
  const { url } = await listen(toNodeHandler(createMcpHandler(server)));
  const { client } = await load({ quiet: { url } });
  await expect(client.setMcpLogLevel("quiet", "debug")).rejects.toThrow(
    "MCP server 'quiet': the server sends no log messages",
  );
});

test("resources of one server are watched beside those of others, until the watch ends; to end it starts no server [MCP-look-inside]", async () => {
  const { client, messages } = await load({ everything: everything() });
  const other = TEXT.replace("features", "architecture");
  const changes: Change[] = [];
  onTestFinished(await client.onChange((change) => void changes.push(change)));
  await client.watchResources([other]);
  const end = await client.watchMcpResources("everything", [TEXT]);
  await client.execute("toggle-subscriber-updates");
  const told = (uri: string) => changes.some((change) => change.uri === uri);
  await expect.poll(() => told(TEXT) && told(other), { timeout: 15_000 }).toBe(true);
  await end();
  const sent = (method: string) =>
    messages.flatMap(({ direction, text }) =>
      direction === "sent" && text.includes(`"method":"${method}"`) ? [JSON.parse(text).params?.uri] : [],
    );
  expect(sent("resources/unsubscribe")).toEqual([TEXT]);
  await expect(client.watchMcpResources("nothing", [TEXT])).rejects.toMatchObject({
    code: "invalid_argument",
  });

  // A server that ends by itself.
  const short = everything();
  const program = `setTimeout(() => process.exit(), 3000); process.argv[1] = "x"; import(${JSON.stringify(short.args![0])})`;
  const gone = await load({ short: { ...short, args: ["--input-type=module", "-e", program, "stdio"] } });
  const endLater = await gone.client.watchMcpResources("short", [TEXT]);
  await expect.poll(() => gone.client.mcpServers()[0]?.state, { timeout: 15_000 }).toBe("closed");
  await endLater();
  expect(gone.client.mcpServers()[0]?.state).toBe("closed");
});

test("lists that cannot be loaded again are a warning until they can, and secrets that a server repeats are taken out [MCP-look-inside]", async () => {
  let isBroken = false;
  const server = () => {
    const made = new McpServer({ name: "moody", version: "1" }, { capabilities: { prompts: {} } });
    made.server.setRequestHandler("prompts/list", () => {
      if (isBroken) throw new Error("out of paper");
      return { prompts: [{ name: "hello" }] };
    });
    return made;
  };
  const { url } = await listen(toNodeHandler(createMcpHandler(server)));
  const { client } = await load({ moody: { url, headers: { "x-key": "{{env.SECRET}}" } } });
  expect(client.warnings).toEqual([]);
  isBroken = true;
  await client.refreshMcpServer("moody");
  expect(client.warnings).toMatchObject([
    { path: "mcp_servers.moody", message: expect.stringContaining("out of paper") },
  ]);
  isBroken = false;
  await client.refreshMcpServer("moody");
  expect(client.warnings).toEqual([]);
  const said = { text: "the key is s3cret-of-the-server", list: ["plain"] };
  expect(client.maskMcpSecrets("moody", said)).toEqual({ text: "the key is ***", list: ["plain"] });
  expect(() => client.maskMcpSecrets("nothing", said)).toThrow("The file has no MCP server 'nothing'.");
});

test("a server whose settings cannot be filled in says why, and has no secrets [MCP-look-inside]", async () => {
  const { client } = await load({ open: { command: "x", env: { KEY: "{{env.MISSING}}" } } });
  await expect(client.pingMcpServer("open")).rejects.toMatchObject({
    code: "request_failed",
    message: expect.stringContaining("env.MISSING"),
  });
  expect(client.maskMcpSecrets("open", { text: "s3cret-of-the-server" })).toEqual({
    text: "s3cret-of-the-server",
  });
});
