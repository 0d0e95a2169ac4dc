import type { Client } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, test } from "vitest";
import { until } from "../../../../test/until.ts";
import { folder } from "../mci.ts";
import { connect, ERAS, type Era, fixture, TRANSPORTS, type TransportKind } from "./support.ts";

// A file that includes an MCP server loses nothing of it: the official client, through `mci run`, in both eras on either side.

const file = (server: object, more: object = {}) => ({
  "mci.json": {
    schemaVersion: "1.0",
    mcp_servers: { full: { command: process.execPath, args: [fixture("full.ts")], ...server } },
    ...more,
  },
});
const ICON = { src: "https://example.com/icon.png", mimeType: "image/png", sizes: ["48x48"], theme: "dark" };
const elicitation = { capabilities: { elicitation: { form: {}, url: {} } } };

type Answer = (message: string, params: Record<string, unknown>) => object;

/** One server for the tests of a group. */
function shared(transport: TransportKind, era: Era, upstream: Era, server: object = {}) {
  const asked: Record<string, unknown>[] = [];
  const it = {
    client: undefined as unknown as Client,
    asked,
    answer: (() => ({ action: "decline" })) as Answer,
    stderr: () => "",
  };
  beforeAll(async () => {
    const ends: (() => unknown)[] = [];
    const args = [fixture("full.ts"), ...(upstream === "legacy" ? ["legacy"] : [])];
    const cwd = folder(file({ args, ...server }), (end) => ends.unshift(end));
    const { client, stderr } = await connect(transport, era, { cwd }, elicitation, (end) =>
      ends.unshift(end),
    );
    client.setRequestHandler("elicitation/create", ({ params }) => {
      asked.push(params as Record<string, unknown>);
      return it.answer(params.message, params as Record<string, unknown>) as never;
    });
    Object.assign(it, { client, stderr });
    return async () => {
      for (const end of ends) await end();
    };
  });
  return it;
}

const WAYS = TRANSPORTS.flatMap((transport) =>
  ERAS.flatMap((era) => ERAS.map((upstream) => ({ transport, era, upstream }))),
);

describe.each(WAYS)(
  "over $transport, client $era, server behind $upstream",
  ({ transport, era, upstream }) => {
    const it = shared(transport, era, upstream);

    test("tools keep their title, icons, annotations and _meta [RUN-meta]", async () => {
      const { tools } = await it.client.listTools();
      const found = tools.find(({ name }) => name === "dashboard");
      expect(found).toMatchObject({
        title: "Dashboard",
        icons: [ICON],
        annotations: { readOnlyHint: true },
        _meta: { ui: { resourceUri: "ui://dashboard" }, "example.com/own": { a: 1 } },
      });
    });

    test("results keep their links, annotations and _meta, and what they link to can be read [RUN-meta]", async () => {
      const result = await it.client.callTool({ name: "dashboard", arguments: {} });
      expect(result._meta).toMatchObject({ "example.com/result": { b: 2 } });
      expect(result.content).toEqual([
        {
          type: "text",
          text: "shown",
          annotations: { audience: ["user"], priority: 0.5 },
          _meta: { part: 1 },
        },
        {
          ...{ type: "resource_link", uri: "made://42", name: "made", title: "Made for this result" },
          ...{ icons: [ICON], annotations: { priority: 1 }, _meta: { link: true } },
        },
      ]);
      const page = await it.client.readResource({ uri: "ui://dashboard" });
      expect(page.contents[0]).toMatchObject({ text: "<h1>Dashboard</h1>", _meta: { ui: { csp: {} } } });
      // The error is the server's, not ours: it was asked.
      await expect(it.client.readResource({ uri: "made://42" })).rejects.toThrow(/made:\/\/42/);
    });

    test("_meta of a request reaches the server, trace context included [RUN-meta]", async () => {
      const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
      const { content } = await it.client.callTool({
        name: "meta",
        arguments: {},
        _meta: { traceparent, "example.com/own": [1] },
      });
      expect(JSON.parse((content[0] as { text: string }).text)).toMatchObject({
        traceparent,
        "example.com/own": [1],
      });
    });

    test("resources, templates, prompts and completions pass [RUN-resources]", async () => {
      const { resources } = await it.client.listResources();
      expect(resources.find(({ uri }) => uri === "test://static-text")).toMatchObject({
        ...{ name: "static-text", title: "A text", mimeType: "text/plain", icons: [ICON], _meta: { r: 1 } },
      });
      const { contents } = await it.client.readResource({ uri: "test://static-text" });
      expect(contents).toMatchObject([
        { text: "This is the content of the static text resource.", _meta: { c: 1 } },
      ]);
      const { resourceTemplates } = await it.client.listResourceTemplates();
      expect(resourceTemplates).toMatchObject([{ uriTemplate: "test://template/{id}/data" }]);
      const filled = await it.client.readResource({ uri: "test://template/123/data" });
      expect(filled.contents[0]).toMatchObject({ text: expect.stringContaining('"id":"123"') });
      const { prompts } = await it.client.listPrompts();
      expect(prompts.find(({ name }) => name === "test_simple_prompt")).toMatchObject({
        title: "Simple",
        icons: [ICON],
      });
      const prompt = await it.client.getPrompt({
        name: "test_prompt_with_arguments",
        arguments: { arg1: "a", arg2: "b" },
      });
      expect(prompt.messages).toMatchObject([
        { content: { text: "Prompt with arguments: arg1='a', arg2='b'" } },
      ]);
      const completed = await it.client.complete({
        ref: { type: "ref/resource", uri: "test://template/{id}/data" },
        argument: { name: "id", value: "1" },
      });
      expect(completed.completion.values).toEqual(["100", "123"]);
      await expect(it.client.getPrompt({ name: "none" })).rejects.toThrow(/no prompt 'none'/);
    });

    test("what a server asks for reaches the client, and the answer the server [RUN-input]", async () => {
      it.answer = () => ({ action: "accept", content: { username: "ada" } });
      const accepted = await it.client.callTool({ name: "test_elicitation", arguments: {} });
      expect(accepted.content).toMatchObject([
        { text: 'Elicitation completed: action=accept, content={"username":"ada"}' },
      ]);
      expect(it.asked.at(-1)).toMatchObject({
        message: "Please answer",
        requestedSchema: { properties: { username: { type: "string" } }, required: ["username"] },
      });
      it.answer = () => ({ action: "decline" });
      const declined = await it.client.callTool({ name: "test_elicitation", arguments: {} });
      expect(declined.content).toMatchObject([{ text: expect.stringContaining("action=decline") }]);
      it.answer = () => ({ action: "accept" });
      await it.client.callTool({ name: "test_page", arguments: {} });
      expect(it.asked.at(-1)).toMatchObject({ mode: "url", url: "https://example.com/login" });
    });

    test("several rounds, each with the state of the server, end in one result [RUN-input]", async () => {
      it.answer = (message) => ({
        action: "accept",
        content: message.startsWith("Step 1")
          ? { name: "Ada" }
          : { color: "teal", ok: true, context: "here" },
      });
      const rounds = await it.client.callTool({
        name: "test_input_required_result_multi_round",
        arguments: {},
      });
      expect(rounds.content).toMatchObject([{ text: "teal it is" }]);
      const prompt = await it.client.getPrompt({ name: "test_input_required_result_prompt" });
      expect(prompt.messages).toMatchObject([{ content: { text: "Context: here" } }]);
    });

    test("a destructive tool is called only if the user says so [RUN-approval]", async () => {
      it.answer = () => ({ action: "accept", content: { approve: true } });
      const wiped = await it.client.callTool({ name: "wipe", arguments: { path: "/tmp/a" } });
      expect(wiped.content).toMatchObject([{ text: "wiped /tmp/a" }]);
      expect(it.asked.at(-1)?.["message"]).toBe(
        `Call 'wipe' with these arguments?\n{\n  "path": "/tmp/a"\n}`,
      );
      it.answer = () => ({ action: "accept", content: { approve: false } });
      const refused = await it.client.callTool({ name: "wipe", arguments: { path: "/tmp/a" } });
      expect(refused).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining("not approved") }],
      });
    });
  },
);

describe.each(ERAS)("changes of a server behind, client %s", (era) => {
  test("of its lists and of a watched resource are told [RUN-changes]", async () => {
    const cwd = folder(file({}));
    const told: string[] = [];
    const onChanged = (list: string) => ({
      autoRefresh: false,
      debounceMs: 0,
      onChanged: () => void told.push(list),
    });
    const { client } = await connect(
      "stdio",
      era,
      { cwd },
      {
        ...elicitation,
        listChanged: { tools: onChanged("tools"), resources: onChanged("resources") },
      },
    );
    client.setNotificationHandler(
      "notifications/resources/updated",
      ({ params }) => void told.push(params.uri),
    );
    await client.callTool({ name: "grow", arguments: {} });
    await until(() => told.includes("tools") && told.includes("resources"), "the changes of the lists");
    const { tools } = await client.listTools(undefined, { cacheMode: "bypass" });
    expect(tools.map(({ name }) => name)).toContain("extra");
    const { resources } = await client.listResources(undefined, { cacheMode: "bypass" });
    expect(resources.map(({ uri }) => uri)).toContain("test://grown");
    const uri = "test://watched-resource";
    if (era === "legacy") await client.subscribeResource({ uri });
    else await client.listen({ resourceSubscriptions: [uri] });
    await until(() => {
      client.callTool({ name: "touch", arguments: {} }).catch(() => {});
      return told.includes(uri);
    }, "the change of the resource");
  });
});

test("progress without end reaches the client in part [RUN-progress]", async () => {
  const { client } = await connect("stdio", "modern", { cwd: folder(file({})) });
  const seen: number[] = [];
  await client.callTool(
    { name: "flood", arguments: {} },
    { onprogress: ({ progress }) => seen.push(progress) },
  );
  expect(seen.slice(0, 3)).toEqual([1, 2, 3]);
  expect(seen.length).toBeLessThan(4000);
});

describe("settings of a server", () => {
  test("prefix, filters and `false` apply to prompts and resources; what is hidden cannot be read [RUN-resources]", async () => {
    const settings = {
      prefix: "f_",
      prompts: { filter: "only", filterValue: "test_simple_prompt" },
      resources: { filter: "except", filterValue: "secret, static-binary" },
    };
    const { client } = await connect("http", "modern", { cwd: folder(file(settings)) });
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(["f_test_simple_prompt"]);
    expect((await client.getPrompt({ name: "f_test_simple_prompt" })).messages).toHaveLength(1);
    await expect(client.getPrompt({ name: "test_prompt_with_image" })).rejects.toThrow(/no prompt/);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).not.toContain("test://hidden");
    expect(resources.map(({ name }) => name)).toContain("f_static-text");
    await expect(client.readResource({ uri: "test://hidden" })).rejects.toThrow(/no resource/);
    expect((await client.readResource({ uri: "test://static-text" })).contents).toHaveLength(1);

    const off = await connect("stdio", "modern", { cwd: folder(file({ resources: false, prompts: false })) });
    expect(Object.keys(off.client.getServerCapabilities() ?? {})).toEqual(["tools", "extensions"]);
  });

  test("a client that cannot be asked gets an error that says what was asked [RUN-input]", async () => {
    const cwd = folder(
      file({ args: [fixture("full.ts"), "legacy"], overrides: { meta: { approve: true } } }),
    );
    const { client } = await connect("stdio", "legacy", { cwd });
    const result = await client.callTool({ name: "test_elicitation", arguments: {} });
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("Please answer") }],
    });
    const refused = await client.callTool({ name: "meta", arguments: {} });
    expect(refused).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("cannot be asked") }],
    });
    // Since 2026 an error names what the client would have to be able to do.
    const modern = await connect("stdio", "modern", { cwd });
    await expect(modern.client.callTool({ name: "meta", arguments: {} })).rejects.toMatchObject({
      code: -32_021,
      data: { requiredCapabilities: { elicitation: { form: {} } } },
    });
    // A hint asks where it can, and does not forbid.
    const wiped = await client.callTool({ name: "wipe", arguments: { path: "x" } });
    expect(wiped.content).toMatchObject([{ text: "wiped x" }]);
  });
});
