import type { Client } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { folder } from "../mci.ts";
import { connect, connectTo, fixture, serveHttp } from "./support.ts";

// What a client or a server does with the state of a request that waits for input.

const project = () =>
  folder({
    "mci.json": {
      schemaVersion: "1.0",
      tools: [{ name: "guarded", approve: true, execution: { type: "text", text: "done" } }],
      prompts: [{ name: "own", execution: { type: "text", text: "hello" } }],
      mcp_servers: {
        full: { command: process.execPath, args: [fixture("full.ts")] },
        old: {
          command: process.execPath,
          args: [fixture("full.ts"), "legacy"],
          prefix: "old_",
          resources: false,
        },
      },
    },
  });
const options = { capabilities: { elicitation: {} }, inputRequired: { autoFulfill: false } } as const;

interface Round {
  readonly requestState?: string;
  readonly inputRequests?: Record<string, { params: { message: string } }>;
  readonly isError?: boolean;
  readonly content?: [{ text: string }];
}

const call = (client: Client, name: string, args: object = {}, more: object = {}) =>
  client.callTool({ name, arguments: { ...args }, ...more }, {
    allowInputRequired: true,
  } as never) as unknown as Promise<Round>;
const approved = { approve: { action: "accept", content: { approve: true } } };

test("a state that was changed, moved or used is refused [RUN-state]", async () => {
  const { client } = await connect("http", "modern", { cwd: project() }, options);
  const { requestState, inputRequests } = await call(client, "wipe", { path: "a" });
  expect(inputRequests?.["approve"]?.params.message).toContain('"path": "a"');
  const answer = { requestState, inputResponses: approved };
  // Other arguments, another tool, a changed state, an approval without a state.
  await expect(call(client, "wipe", { path: "b" }, answer)).rejects.toThrow(/belongs to another request/);
  await expect(call(client, "guarded", {}, answer)).rejects.toThrow(/belongs to another request/);
  const forged = `${requestState!.slice(0, -2)}AA`;
  await expect(call(client, "wipe", { path: "a" }, { ...answer, requestState: forged })).rejects.toThrow(
    /requestState/,
  );
  const without = await call(client, "wipe", { path: "a" }, { inputResponses: approved });
  expect(without.inputRequests?.["approve"]).toBeDefined();
  const first = await call(client, "wipe", { path: "a" }, answer);
  expect(first.content?.[0].text).toBe("wiped a");
  const again = await call(client, "wipe", { path: "a" }, answer);
  expect(again).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("used before") }] });
});

test("a state of one server's call cannot answer that of another, nor twice [RUN-state]", async () => {
  const { client } = await connect("stdio", "modern", { cwd: project() }, options);
  const waiting = await call(client, "old_test_elicitation");
  const other = await call(client, "test_input_required_result_request_state");
  const responses = { inputResponses: { input: { action: "accept", content: { username: "x" } } } };
  await expect(
    call(
      client,
      "test_input_required_result_request_state",
      {},
      { ...responses, requestState: waiting.requestState },
    ),
  ).rejects.toThrow(/another request/);
  expect(other.requestState).not.toBe(waiting.requestState);
  const answer = { ...responses, requestState: waiting.requestState };
  const done = await call(client, "old_test_elicitation", {}, answer);
  expect(done.content?.[0].text).toContain("action=accept");
  await expect(call(client, "old_test_elicitation", {}, answer)).rejects.toThrow(/does not wait any more/);
});

test("a question of an older server is cancelled where two people could be meant [RUN-input]", async () => {
  const { url } = await serveHttp({ cwd: project() });
  const [one, two] = [await connectTo(url, "modern", options), await connectTo(url, "modern", options)];
  const asked = await call(one, "old_test_elicitation");
  expect(asked.inputRequests).toBeDefined();
  const second = await call(two, "old_test_elicitation", {});
  expect(second.content?.[0].text).toContain("action=cancel");
});

test("prompts of the file itself are served beside those of servers [RUN-own-content]", async () => {
  const { client } = await connect("stdio", "legacy", { cwd: project() });
  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["own", "test_simple_prompt", "old_test_simple_prompt"]),
  );
  expect((await client.getPrompt({ name: "own" })).messages).toMatchObject([{ content: { text: "hello" } }]);
});

test.each([
  [[], "public"],
  [["--token", "t0ken"], "private"],
] as const)(
  "what a server behind calls public is so only where anyone may read it: %j [RUN-resources]",
  async (args, scope) => {
    const SERVER = `
    import { createInterface } from "node:readline";
    const shared = { resultType: "complete", ttlMs: 60000, cacheScope: "public" };
    const about = { supportedVersions: ["2026-07-28"], capabilities: { tools: {}, resources: {} }, serverInfo: { name: "s", version: "1" } };
    const answers = {
      "server/discover": about,
      "tools/list": { tools: [] },
      "resources/list": { resources: [{ name: "r", uri: "x://1" }] },
      "resources/templates/list": { resourceTemplates: [] },
      "resources/read": { contents: [{ uri: "x://1", text: "abc" }] },
    };
    createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method } = JSON.parse(line);
      const result = answers[method] && { ...shared, ...answers[method] };
      if (id !== undefined)
        console.log(JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error: { code: -32601, message: "no" } }) }));
    });`;
    const server = { command: process.execPath, args: ["server.mjs"] };
    const cwd = folder({
      "server.mjs": SERVER,
      "mci.json": { schemaVersion: "1.0", mcp_servers: { s: server } },
    });
    const { url } = await serveHttp({ cwd, args });
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "c", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const response = await fetch(url, {
      method: "POST",
      headers: {
        ...{ "content-type": "application/json", accept: "application/json, text/event-stream" },
        ...{ "mcp-protocol-version": "2026-07-28", "mcp-method": "resources/read", "mcp-name": "x://1" },
        authorization: "Bearer t0ken",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "resources/read",
        params: { uri: "x://1", _meta },
      }),
    });
    expect(await response.text()).toContain(`"cacheScope":"${scope}"`);
  },
);
