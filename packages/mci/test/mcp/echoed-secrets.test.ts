import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { MCIClient } from "mci-ts";
import { describe, expect, onTestFinished, test } from "vitest";
import { fixtureProgram } from "../../../../test/programs/programs.ts";
import type { McpMessage } from "../../src/mcp/message-log.ts";

/* A server repeats what it was sent in everything that it says; whatever a program can see of that, and may log, is looked through. */

const KEY = 'sk-live/AbC+dEf"9zQ';
const PIN = "48151623421";
const jsonIn = (value: string) => JSON.stringify(JSON.stringify({ value }));
const program = fixtureProgram("packages/mci/test/mcp/servers/puppet.ts");

/** In whichever form of JSON a text shows it. */
const FORMS = [KEY, PIN, JSON.stringify(KEY).slice(1, -1), jsonIn(KEY).slice(15, -5)].map((form) =>
  form.slice(0, 11),
);

function expectNone(what: string, value: unknown): void {
  const text = `${JSON.stringify(value)}${inspect(value, { depth: 20, showHidden: true })}`;
  for (const form of FORMS) expect(text.includes(form), `${what}: ${text.slice(0, 2000)}`).toBe(false);
}

describe.each(["2025", "2026"])("a server of %s that repeats its secrets", (era) => {
  test("in the errors of its requests: none is in an exception or in its causes [M-secrets]", async () => {
    const error = {
      error: { code: -32_000, message: `refused ${KEY}`, data: { [KEY]: KEY, pin: Number(PIN) } },
    };
    const failing = [
      ...["tools/call", "prompts/get", "resources/read", "completion/complete"],
      ...["logging/setLevel", "resources/subscribe", "ping"],
    ];
    const { client, say } = await open(era);
    say(Object.fromEntries(failing.map((method) => [method, error])));
    const tries: Record<string, () => unknown> = {
      call: () => client.call("t"),
      prompt: () => client.getPrompt("p"),
      read: () => client.readResource("docs://r"),
      complete: () => client.complete({ prompt: "p" }, { name: "a", value: "" }),
      level: () => client.setMcpLogLevel("web", "debug"),
      ping: () => client.pingMcpServer("web"),
      watch: () => client.watchMcpResources("web", ["docs://r"]),
    };
    for (const [what, attempt] of Object.entries(tries)) expectNone(what, await outcomeOf(attempt));
    say({ initialize: error, "server/discover": error });
    expectNone("restart", await outcomeOf(() => client.restartMcpServer("web")));
  });

  test("in questions and in progress: none reaches the person, and choices stay what the server waits for [M-secrets]", async () => {
    const field = { type: "string", title: `Key ${KEY}`, description: PIN, enumNames: [KEY], default: KEY };
    const form = {
      type: "object",
      properties: { title: { ...field, enum: ["a"] }, plain: { type: "string", default: "b" } },
    };
    const questions = [
      { mode: "form", message: `Is it ${KEY}?`, requestedSchema: form },
      { mode: "url", message: `Is it ${KEY}?`, url: "https://example.com/login", elicitationId: "e" },
    ].map((params) => ({ method: "elicitation/create", params }));
    const [first, second] = questions;
    const done = { result: { content: [{ type: "text", text: "done" }] } };
    const progress = {
      method: "notifications/progress",
      params: { progressToken: "<token>", progress: 1, message: `At ${KEY}` },
    };
    const input = { resultType: "input_required", inputRequests: { first, second }, requestState: "s" };
    const { client, say } = await open(era);
    say({
      "tools/call":
        era === "2026"
          ? [{ before: [progress], result: input }, { result: input }, done]
          : { silent: true, before: [progress, { ...first, id: 90 }, { ...second, id: 91 }] },
    });
    const seen: unknown[] = [];
    const onProgress = (reported: object) => void seen.push(reported);
    if (era === "2026") {
      const paused = await client.execute("t", {}, { pauseOnInput: true, onProgress });
      expect(Object.keys(paused.inputRequired!.requests)).toEqual(["first", "second"]);
      seen.push(paused);
    }
    const asked: object[] = [];
    const controller = new AbortController();
    const onInput = (request: object) => {
      // A server of 2025 says no more than its questions.
      if (asked.push(request) === 2 && era === "2025") controller.abort();
      return { action: "accept" } as const;
    };
    await client.execute("t", {}, { onInput, onProgress, signal: controller.signal });
    expect(asked[0]).toEqual({
      ...{ mode: "form", message: "Is it ***?" },
      requestedSchema: {
        type: "object",
        properties: {
          title: { type: "string", title: "Key ***", description: "***", enumNames: ["***"], enum: ["a"] },
          plain: { type: "string", default: "b" },
        },
      },
    });
    expect(asked[1]).toMatchObject({ message: "Is it ***?", url: "https://example.com/login" });
    expect(seen).toContainEqual({ progress: 1, message: "At ***" });
    expectNone("questions", [asked, seen]);
  });

  test("as a number and as JSON in JSON, in its lists and capabilities: none is shown, logged or cached [M-cache-secret]", async () => {
    const about = { name: jsonIn(KEY), version: KEY };
    const capabilities = { ...CAPABILITIES, experimental: { [jsonIn(KEY)]: { pin: Number(PIN) } } };
    const property = (schema: object) => ({ type: "object", properties: { q: schema } });
    const tools = [
      { name: "clean", inputSchema: property({ default: Number(PIN), examples: [1, Number(PIN)] }) },
      { name: "left out", inputSchema: property({ maximum: Number(PIN) }) },
      { name: "left out, too", inputSchema: { type: "object" }, _meta: { ui: { pin: Number(PIN) } } },
    ];
    const { client, root, messages } = await open(era, { about, capabilities, tools });
    expect(client.listTools()).toEqual(["clean"]);
    expect(client.tool("clean").inputSchema).toEqual(property({ examples: [1] }));
    expect(client.warnings).toHaveLength(2);
    expectNone("tools", [client.tools(), client.warnings, client.lock()]);
    expectNone("server", client.mcpServers());
    expect(messages.length).toBeGreaterThan(3);
    expectNone("messages", messages);
    for (const file of readdirSync(join(root, "mci/mcp")))
      expectNone(file, readFileSync(join(root, "mci/mcp", file), "utf8"));
  });
});

const CAPABILITIES = { tools: {}, prompts: {}, resources: { subscribe: true }, logging: {}, completions: {} };

interface Script {
  readonly about?: object;
  readonly capabilities?: object;
  readonly tools?: readonly object[];
}

async function open(era: string, { tools, ...script }: Script = {}) {
  const root = mkdtempSync(join(tmpdir(), "mci-echo-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const file = join(root, "script.json");
  const lists = {
    "tools/list": { result: { tools: tools ?? [{ name: "t", inputSchema: { type: "object" } }] } },
    "prompts/list": { result: { prompts: [{ name: "p" }] } },
    "resources/list": { result: { resources: [{ name: "r", uri: "docs://r" }] } },
    "resources/templates/list": { result: { resourceTemplates: [] } },
  };
  const say = (methods: object) =>
    writeFileSync(
      file,
      JSON.stringify({ capabilities: CAPABILITIES, ...script, methods: { ...lists, ...methods } }),
    );
  say({});
  const settings = {
    command: process.execPath,
    args: [program, era, file],
    env: { KEY: "{{env.KEY}}", PIN: "{{env.PIN}}" },
  };
  const messages: McpMessage[] = [];
  const client = await MCIClient.fromObject(
    { schemaVersion: "1.0", mcp_servers: { web: settings } },
    {
      baseDir: root,
      env: { KEY, PIN },
      onMcpMessage: (message: McpMessage) => void messages.push(message),
    },
  );
  onTestFinished(() => client.close());
  return { client, root, say, messages };
}

async function outcomeOf(attempt: () => unknown): Promise<unknown> {
  try {
    return await attempt();
  } catch (error) {
    return error;
  }
}
