import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { folder } from "../../cli/test/mci.ts";
import { npmServer, serverWithLog } from "../../mci/test/mcp/support.ts";
import { openTab } from "./support/open-tab.ts";
import { startRun, startSimulated, startUi } from "./support/servers.ts";

/* The API of the pages of MCP servers, asked without a page. */

vi.setConfig({ testTimeout: 60_000 });

const FEATURES = "demo://resource/static/document/features.md";
const TOKEN = "the-token-of-the-service";
const SECRET = "s3cret-of-the-server";

const settings = ({ type: _, ...server }: object & { type: string }) => server;
const everything = () => settings(npmServer("everything"));

/** A server that does what `script.json` of the folder says at that moment. */
const puppet = (cwd: string, era = "2025") =>
  settings(serverWithLog(undefined, "puppet", era, join(cwd, "script.json")));

type Ask = Awaited<ReturnType<typeof openTab>>;
// biome-ignore lint/suspicious/noExplicitAny: responses are compared as they are
type Json = Record<string, any>;

/** The status and body of a response, short enough to be compared. */
async function asked(ask: Ask, path: string, body?: object): Promise<{ status: number; body: Json }> {
  const response = await ask(path, body ? "POST" : "GET", body);
  return { status: response.status, body: (await response.json()) as Json };
}

/** Follows the events of a server until the test is over. */
async function follow(ask: Ask, server: string, body: object) {
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const response = await ask(`servers/${server}/events`, "POST", body, controller.signal);
  const events: { type: string; data: Json }[] = [];
  void (async () => {
    let text = "";
    for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
      const parts = (text + piece).split("\n\n");
      text = parts.pop()!;
      for (const part of parts) {
        const [, type, data] = /^event: (.*)\ndata: (.*)$/.exec(part) ?? [];
        if (type !== undefined) events.push({ type, data: JSON.parse(data!) });
      }
    }
  })().catch(() => {});
  return {
    events,
    of: (type: string) => events.filter((event) => event.type === type).map(({ data }) => data),
    stop: () => controller.abort(),
  };
}

test("[UI-servers] what a server says of itself and offers is read, completed and watched, in mci ui, mci run --ui and the service alike", async () => {
  const cwd = folder({
    "mci.json": {
      schemaVersion: "1.0",
      tools: [],
      mcp_servers: { everything: everything() },
      resources: [{ name: "own", uri: "own://x", execution: { type: "text", text: "of the file" } }],
      prompts: [
        {
          name: "greet",
          arguments: [{ name: "who" }],
          execution: { type: "text", text: "Hi {{props.who}}" },
        },
      ],
    },
  });
  const service = await startSimulated({ MCI_TOOLS: join(cwd, "mci.json"), MCI_TOKEN: TOKEN });
  const ofService: Ask = (path, method = "GET", body, signal) =>
    fetch(`${service.url}/api/${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  const [ui, run] = await Promise.all([startUi(cwd).then(openTab), startRun(cwd).then(openTab)]);
  const source = `sources/${encodeURIComponent("mcp:everything")}`;
  for (const ask of [ui, run, ofService]) {
    // Its lists may be those that an earlier process has stored.
    expect((await asked(ask, "servers/everything/ping", {})).body["duration_ms"]).toBeGreaterThan(0);
    const { body: detail } = await asked(ask, "servers/everything");
    expect(detail).toMatchObject({
      state: "connected",
      identity: {
        name: "mcp-servers/everything",
        protocolVersion: "2025-11-25",
        capabilities: { logging: {} },
      },
      instructions: expect.stringContaining("Everything Server"),
      counts: { resources: 7, templates: 2, prompts: 4, skills: 0 },
    });
    expect((await asked(ask, "servers")).body["own"]).toMatchObject({ resources: 1, prompts: 1 });
    const listed = (await asked(ask, `${source}/resources?q=DYNAMIC%20text`)).body;
    expect(listed).toMatchObject({ total: 1, resources: [{ is_template: true, mime_type: "text/plain" }] });
    const read = await asked(ask, `${source}/read`, { uri: FEATURES });
    expect(read.body).toMatchObject({
      contents: [{ item: { type: "resource", resource: { uri: FEATURES, mimeType: "text/markdown" } } }],
    });
    const prompt = await asked(ask, `${source}/prompt`, { name: "args-prompt", arguments: { city: "Rome" } });
    expect(prompt.body["messages"]).toEqual([
      { role: "user", item: { type: "text", text: "What's weather in Rome?" } },
    ]);
    const completed = await asked(ask, `${source}/complete`, {
      prompt: "completable-prompt",
      argument: { name: "name", value: "" },
      others: { department: "Sales" },
    });
    expect(completed.body).toEqual({ values: ["David", "Eve", "Frank"], has_more: false });
    expect((await asked(ask, "sources/main/read", { uri: "own://x" })).body["contents"]).toMatchObject([
      { item: { resource: { text: "of the file" } } },
    ]);
    expect(
      (await asked(ask, "sources/main/prompt", { name: "greet", arguments: { who: "Ada" } })).body[
        "messages"
      ],
    ).toMatchObject([{ role: "user", item: { text: "Hi Ada" } }]);
  }
  expect((await asked(ui, "servers/everything/log-level", { level: "warning" })).body["log_level"]).toBe(
    "warning",
  );

  const watching = await follow(ui, "everything", { watch: [FEATURES] });
  await expect.poll(() => watching.of("watching")).toEqual([{ uris: [FEATURES] }]);
  await ui("tools/toggle-subscriber-updates/call", "POST", { input: {} });
  await expect.poll(() => watching.of("updated")).toMatchObject([{ uris: [FEATURES] }]);
  const sent = async (method: string) =>
    (await asked(ui, "servers/everything/log")).body["messages"].filter(
      ({ direction, text }: Json) => direction === "sent" && text.includes(`"${method}"`),
    ).length;
  // Another page that watches the same does not end it, nor does the same page when it watches more.
  watching.stop();
  const more = await follow(ui, "everything", { watch: [FEATURES, FEATURES.replace("features", "startup")] });
  await expect.poll(() => sent("resources/subscribe")).toBe(2);
  expect(await sent("resources/unsubscribe")).toBe(0);
  more.stop();
  await expect.poll(() => sent("resources/unsubscribe"), { timeout: 5000 }).toBe(2);
});

test("[UI-servers] a question of a server about a prompt is asked, or refused where there is no one to ask", async () => {
  const cwd = folder({});
  const question = {
    method: "elicitation/create",
    params: {
      mode: "form",
      message: "Which?",
      requestedSchema: { type: "object", properties: { size: { type: "string" } } },
    },
  };
  const script = {
    capabilities: { prompts: {} },
    methods: {
      "prompts/list": { result: { prompts: [{ name: "asking" }] } },
      "prompts/get": [
        { result: { resultType: "input_required", inputRequests: { size: question }, requestState: "s" } },
        { result: { resultType: "input_required", inputRequests: { size: question }, requestState: "s" } },
        { result: { messages: [{ role: "assistant", content: { type: "text", text: "Thank you" } }] } },
      ],
    },
  };
  writeFileSync(join(cwd, "script.json"), JSON.stringify(script));
  const file = { schemaVersion: "1.0", tools: [], mcp_servers: { puppet: puppet(cwd, "2026") } };
  writeFileSync(join(cwd, "mci.json"), JSON.stringify(file));
  const ui = await openTab(await startUi(cwd));
  const alone = await asked(ui, "sources/mcp%3Apuppet/prompt", { name: "asking" });
  expect(alone).toMatchObject({ status: 502, body: { error: { code: "request_failed" } } });
  expect(alone.body["error"].message).toMatch(/asks for input|no one|Which\?/);

  // With a person to ask it has a new session, in which it is asked from the beginning.
  const response = await ui("sources/mcp%3Apuppet/prompt", "POST", { name: "asking", interactive: true });
  const lines: Json[] = [];
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream()))
    for (const line of piece.split("\n").filter(Boolean)) {
      lines.push(JSON.parse(line));
      const { input } = lines.at(-1)!;
      if (input) await ui(`inputs/${input.id}`, "POST", { action: "accept", content: { size: "large" } });
    }
  expect(lines.at(-1)).toMatchObject({
    result: { messages: [{ role: "assistant", item: { text: "Thank you" } }] },
  });
  expect(lines[0]).toMatchObject({ input: { server: "puppet", request: { message: "Which?" } } });
});

/** Wrong types, markup, names of the language, and the secret of the settings wherever a server can put it. */
const HOSTILE = {
  about: { name: `${SECRET}<img src=x>`, version: "\u202e1" },
  capabilities: { prompts: { listChanged: true }, resources: { subscribe: true }, logging: {} },
  instructions: `Say ${SECRET}`,
  methods: {
    "resources/list": {
      result: {
        resources: [
          { uri: `x://${SECRET}`, name: "<b>bold</b>", description: SECRET },
          { uri: "__proto__", name: "__proto__" },
          { uri: `x://${"l".repeat(20_000)}`, name: "n".repeat(20_000), description: "d".repeat(20_000) },
          ...Array.from({ length: 997 }, (_, index) => ({ uri: `x://${index}`, name: `number ${index}` })),
        ],
      },
    },
    "resources/templates/list": { result: { resourceTemplates: [{ uriTemplate: "x://{a", name: "open" }] } },
    "prompts/list": {
      result: {
        prompts: [
          { name: "__proto__", arguments: [{ name: "__proto__", required: true }, { name: "constructor" }] },
          { name: "many", arguments: Array.from({ length: 500 }, (_, index) => ({ name: `a${index}` })) },
        ],
      },
    },
    "resources/read": {
      result: {
        contents: [
          { uri: SECRET, mimeType: `text/${SECRET}`, text: `the key is ${SECRET}` },
          {
            uri: "x://b",
            mimeType: "application/json",
            blob: Buffer.from(`{"key":"${SECRET}"}`).toString("base64"),
          },
          { uri: "x://c", text: "x".repeat(3_000_000) },
          ...Array.from({ length: 300 }, () => ({ uri: "x://e", text: "e" })),
        ],
      },
    },
    "prompts/get": {
      result: {
        description: SECRET,
        messages: [
          { role: "user", content: { type: "text", text: SECRET } },
          { role: "assistant", content: { type: "resource_link", uri: SECRET, name: "<i>" } },
        ],
      },
    },
    "completion/complete": { result: { completion: { values: [SECRET, "v".repeat(5000), "plain"] } } },
    "logging/setLevel": {
      result: {},
      before: [
        ...Array.from({ length: 2000 }, (_, index) => ({
          method: "notifications/message",
          params: { level: "info", logger: `<b>${SECRET}`, data: { __proto__x: index, key: SECRET } },
        })),
        { method: "notifications/message", params: { level: { is: "wrong" }, logger: 7, data: [[]] } },
        { method: "notifications/message", params: "wrong" },
        { method: "notifications/message", params: { level: "emergency", data: "b".repeat(100_000) } },
        ...Array.from({ length: 500 }, () => ({ method: "notifications/prompts/list_changed" })),
      ],
    },
    ping: { error: { code: -1, message: `no: ${SECRET}` } },
  },
} as const;

test("[UI-servers] a hostile server: its secrets are masked everywhere, lists, contents, log and storms are bounded, wrong types are shown as they are", async () => {
  const cwd = folder({ "script.json": HOSTILE });
  const server = puppet(cwd) as { env?: object };
  const file = {
    schemaVersion: "1.0",
    tools: [],
    mcp_servers: { evil: { ...server, env: { ...server.env, KEY: "{{env.SECRET}}" } } },
  };
  writeFileSync(join(cwd, "mci.json"), JSON.stringify(file));
  const ui = await openTab(await startUi(cwd, { env: { SECRET } }));
  const stream = await follow(ui, "evil", {});
  const seen: string[] = [];
  const ask = async (path: string, body?: object) => {
    const response = await asked(ui, path, body);
    seen.push(JSON.stringify(response));
    return response.body;
  };
  const evil = "sources/mcp%3Aevil";
  await ask("servers/evil");
  const first = await ask(`${evil}/resources`);
  // An address that repeats a secret is not listed at all.
  expect(first).toMatchObject({ total: 1000, next_cursor: "200" });
  expect(first["resources"]).toHaveLength(200);
  const long = first["resources"].find(({ is_cut }: Json) => is_cut);
  expect([long.uri.length, long.name.length, long.description.length]).toEqual([8192, 500, 5000 + 25]);
  // A search does not tell what is masked.
  expect((await ask(`${evil}/resources?q=${SECRET.slice(0, 6)}`))["total"]).toBe(0);
  expect((await ask(`${evil}/resources?uri=__proto__`))["resources"]).toHaveLength(1);
  for (const cursor of ["-5", "1e9", "NaN", "Infinity"]) await ask(`${evil}/resources?cursor=${cursor}`);
  const { prompts } = await ask(`${evil}/prompts`);
  expect(prompts[0].arguments).toEqual([{ name: "__proto__", required: true }, { name: "constructor" }]);
  expect(prompts[1]).toMatchObject({ omitted_arguments: 400 });

  const read = await ask(`${evil}/read`, { uri: "x://1" });
  expect(read["contents"][0].item.resource).toEqual({
    uri: "***",
    mimeType: "text/***",
    text: "the key is ***",
  });
  expect(Buffer.from(read["contents"][1].item.resource.blob, "base64").toString()).toBe('{"key":"***"}');
  expect(read["contents"]).toHaveLength(200);
  expect(read["omitted"]).toBe(103);
  await ask(`${evil}/prompt`, JSON.parse('{"name":"__proto__","arguments":{"__proto__":"x"}}'));
  expect(await ask(`${evil}/complete`, { prompt: "many", argument: { name: "a1", value: "" } })).toEqual({
    values: ["***", "plain"],
    has_more: false,
  });
  expect(await ask("servers/evil/ping", {})).toMatchObject({ error: { code: "request_failed" } });

  await ask("servers/evil/log-level", { level: "info" });
  const messages = () => stream.of("log").flatMap((data) => data["messages"]);
  await expect.poll(() => messages().at(-1)?.level).toBe("emergency");
  // Some were too much, and their numbers say how many.
  expect(messages().length).toBeLessThan(1000);
  expect(messages().at(-1)).toMatchObject({ id: 2003, size: 100_091 });
  expect(messages().at(-1).text).toHaveLength(8192);
  await expect.poll(() => stream.of("changed").length, { timeout: 5000 }).toBe(1);
  expect(JSON.stringify(stream.events) + seen.join("\n")).not.toContain(SECRET);

  // A list of wrong types is refused as a whole, and the server says so.
  writeFileSync(
    join(cwd, "script.json"),
    JSON.stringify({
      ...HOSTILE,
      methods: { ...HOSTILE.methods, "prompts/list": { result: { prompts: [{ name: 7 }] } } },
    }),
  );
  expect((await ask("servers/evil/refresh", {}))["message"]).toContain("prompts");
});

test("[UI-servers] progress of a call and of a read is told as it comes, bounded and without secrets", async () => {
  const before = Array.from({ length: 1000 }, (_, progress) => ({
    method: "notifications/progress",
    params: { progressToken: "<token>", progress, total: 1000, message: `${SECRET} ${"m".repeat(5000)}` },
  }));
  const cwd = folder({
    "script.json": {
      capabilities: { tools: {}, resources: {} },
      methods: {
        "tools/list": { result: { tools: [{ name: "slow", inputSchema: { type: "object" } }] } },
        "tools/call": { before, result: { content: [{ type: "text", text: "done" }] } },
        "resources/list": { result: { resources: [{ uri: "x://1", name: "one" }] } },
        "resources/templates/list": { result: { resourceTemplates: [] } },
        "resources/read": { before, result: { contents: [{ uri: "x://1", text: "read" }] } },
      },
    },
  });
  const server = puppet(cwd) as { env?: object };
  const env = { ...server.env, KEY: "{{env.SECRET}}" };
  writeFileSync(
    join(cwd, "mci.json"),
    JSON.stringify({ schemaVersion: "1.0", tools: [], mcp_servers: { evil: { ...server, env } } }),
  );
  const ui = await openTab(await startUi(cwd, { env: { SECRET } }));
  for (const [path, body] of [
    ["tools/slow/call", { input: {} }],
    ["sources/mcp%3Aevil/read", { uri: "x://1" }],
  ] as const) {
    const text = await (await ui(path, "POST", { ...body, interactive: true })).text();
    const lines: Json[] = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject({ progress: { progress: 0, total: 1000 } });
    expect(lines[0]!["progress"].message).toMatch(/^\*{3} m{996}$/);
    expect(lines.length).toBeLessThan(100);
    expect(lines.at(-1)).toHaveProperty("result");
    expect(text).not.toContain(SECRET);
    expect(await (await ui(path, "POST", body)).json()).not.toHaveProperty("progress");
  }
});

test("[UI-servers] addresses with path tricks, of other sources and of other kinds read nothing that the source does not offer", async () => {
  const cwd = folder({
    "project/docs/one.md": "of the project",
    "project/docs/s3cret.txt": "of the project, too",
    "secret.md": SECRET,
    "project/mci.json": {
      schemaVersion: "1.0",
      tools: [],
      resources: [
        {
          name: "doc",
          uriTemplate: "doc://{name}",
          execution: { type: "file", path: "docs/{{props.name}}.md" },
        },
        {
          name: "deep",
          uriTemplate: "deep://{+path}",
          execution: { type: "file", path: "docs/{{props.path}}" },
        },
        { name: "own", uri: "own://x", execution: { type: "text", text: SECRET } },
      ],
      mcp_servers: { everything: everything() },
    },
  });
  const ui = await openTab(await startUi(join(cwd, "project")));
  const read = async (source: string, uri: string) => {
    const { status, body } = await asked(ui, `sources/${encodeURIComponent(source)}/read`, { uri });
    return { status, text: JSON.stringify(body) };
  };
  expect((await read("main", "doc://one")).text).toContain("of the project");
  const up = ["../../secret", "../../secret.md", "..", "../docs/../../secret.md", "./../../secret.md"];
  const tricks = up.flatMap((path) => [
    ...[path, encodeURIComponent(path), encodeURIComponent(encodeURIComponent(path))],
    ...[path.replaceAll("/", "\\"), path.replaceAll(".", "%2e"), `${path}\0`, `${path}%00`, `/${path}`],
    ...[join(cwd, "secret"), join(cwd, "secret.md"), `{{env.HOME}}/${path}`, `{{props.name}}${path}`],
  ]);
  for (const uri of tricks.flatMap((path) => [`doc://${path}`, `deep://${path}`])) {
    const { status, text } = await read("main", uri);
    expect([uri, status]).not.toEqual([uri, 200]);
    expect(text).not.toContain(SECRET);
  }
  // One source does not speak for another, and an address for a program is not one.
  for (const uri of ["own://x", "doc://one", `file://${join(cwd, "secret.md")}`, "http://127.0.0.1:1/", ""]) {
    const { status, text } = await read("mcp:everything", uri);
    expect([uri, text.includes(SECRET)]).toEqual([uri, false]);
    expect(status).not.toBe(200);
  }
  for (const uri of [FEATURES, "demo://resource/dynamic/text/1", "\ud800", "__proto__", "x".repeat(8192)])
    expect((await read("main", uri)).status).toBe(404);
});

test("[UI-servers] a hostile caller: without a token, from another site, unknown sources and servers, long addresses and bodies of other shapes are refused", async () => {
  const cwd = folder({ "mci.json": { schemaVersion: "1.0", tools: [] } });
  const command = await startUi(cwd);
  const ui = await openTab(command);
  const posts = [
    ...["ping", "log-level", "refresh", "events", "restart"].map((action) => `servers/x/${action}`),
    ...["read", "prompt", "complete"].map((action) => `sources/main/${action}`),
  ];
  for (const path of [...posts, "servers/x", "sources/main/resources", "sources/main/prompts"]) {
    const method = posts.includes(path) ? "POST" : "GET";
    const request = { method, ...(method === "POST" && { body: "{}" }) };
    const status = async (headers: Record<string, string>) =>
      (await fetch(`${command.origin}/api/${path}`, { ...request, headers })).status;
    expect([path, await status({ "content-type": "application/json" })]).toEqual([path, 401]);
    expect([path, await status({ origin: "https://evil.example" })]).toEqual([path, 403]);
  }
  // What asks something of a server cannot be asked for with a link.
  for (const path of posts) expect((await ui(path)).status).toBe(404);

  const codes = async (path: string, ...bodies: readonly object[]) =>
    Promise.all(
      bodies.map(async (body) => {
        const { status, body: response } = await asked(ui, path, body);
        return `${status} ${response["error"]?.code}`;
      }),
    );
  const INVALID = "400 invalid_request";
  expect(new Set(await codes("sources/main/read", {}, [], { uri: 7 }, { uri: "x".repeat(8193) }))).toEqual(
    new Set([INVALID]),
  );
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [index, ""]));
  expect(
    new Set(
      await codes(
        "sources/main/prompt",
        {},
        { name: [] },
        { name: "a", arguments: [] },
        { name: "a", arguments: { b: 1 } },
        { name: "a", arguments: many },
      ),
    ),
  ).toEqual(new Set([INVALID]));
  expect(new Set(await codes("sources/main/complete", {}, { prompt: "a" }, { argument: {} }))).toEqual(
    new Set([INVALID]),
  );
  expect(await codes("sources/main/read", { uri: "x://unknown" })).toEqual(["404 resource_not_found"]);
  expect(await codes("sources/main/prompt", { name: "toString" })).toEqual(["404 prompt_not_found"]);
  for (const name of ["mcp%3Ax", "toolset", "mcp%3A", "__proto__", "x".repeat(5000)])
    expect(await codes(`sources/${name}/read`, { uri: "x" })).toEqual(["404 source_not_found"]);
  for (const name of ["x", "__proto__", "constructor", "%00"])
    for (const action of ["ping", "log-level", "refresh", "events", "restart"])
      expect(await codes(`servers/${name}/${action}`, { level: "debug" })).toEqual(["404 server_not_found"]);
});
