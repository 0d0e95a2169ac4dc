import { PassThrough, Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { mciHere } from "../in-process.ts";
import { folder, mci } from "../mci.ts";
import { file, text } from "./file.ts";
import { connect, ERAS, TRANSPORTS } from "./support.ts";

const SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: { word: { type: "string", minLength: 1 } },
  properties: { word: { $ref: "#/$defs/word" }, rest: { type: "array", prefixItems: [{ const: 1 }] } },
  dependentRequired: { rest: ["word"] },
  unevaluatedProperties: false,
};

describe.each(TRANSPORTS.flatMap((transport) => ERAS.map((era) => [transport, era] as const)))(
  "over %s, %s protocol",
  (transport, era) => {
    test("tools are listed with all that the file says about them [RUN-list]", async () => {
      const root = folder({
        "mci.json": {
          ...file(
            text("plain", "x"),
            text("full", "x", {
              description: "Says x",
              inputSchema: SCHEMA,
              annotations: { title: "Full", readOnlyHint: true, destructiveHint: false },
            }),
            text("off", "x", { disabled: true }),
          ),
          metadata: { name: "words", version: "3.2.1", description: "Call full for words." },
        },
      });
      const { client } = await connect(transport, era, { cwd: root });
      expect(client.getServerVersion()).toMatchObject({ name: "words", version: "3.2.1" });
      expect(client.getInstructions()).toBe("Call full for words.");
      // Without --watch the list never changes, and nothing but tools is offered.
      expect(client.getServerCapabilities()).toEqual({ tools: {} });
      expect((await client.listTools()).tools).toEqual([
        { name: "plain", inputSchema: { type: "object", properties: {} } },
        {
          name: "full",
          title: "Full",
          description: "Says x",
          inputSchema: SCHEMA,
          annotations: { title: "Full", readOnlyHint: true, destructiveHint: false },
        },
      ]);
    });

    test("a big file comes in pages [RUN-pages]", async () => {
      const names = Array.from({ length: 450 }, (_, index) => `tool_${index}`);
      const root = folder({ "mci.json": file(...names.map((name) => text(name, "x"))) });
      const { client } = await connect(transport, era, { cwd: root });
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await client.request({ method: "tools/list", params: cursor ? { cursor } : {} });
        expect(page.tools.length).toBeLessThanOrEqual(200);
        seen.push(...page.tools.map(({ name }) => name));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      expect(seen).toEqual(names);
    });

    test("a filter binds calls, too: what it hides does not exist", async () => {
      const root = folder({
        "mci.json": file(
          text("safe", "fine", { tags: ["read"] }),
          text("secret", "boo"),
          text("other", "hm", { tags: ["read"] }),
        ),
      });
      const args = ["--filter", "tags:read", "--filter", "except:other"];
      const { client } = await connect(transport, era, { cwd: root, args });
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["safe"]);
      expect((await client.callTool({ name: "safe" })).content).toEqual([{ type: "text", text: "fine" }]);
      for (const name of ["secret", "other"]) {
        const failure = await client.callTool({ name }).catch((error: Error) => error);
        expect(failure).toMatchObject({
          code: -32_602,
          message: expect.stringContaining(`not found: ${name}`),
        });
        // Nor is it given away by a suggestion.
        expect((failure as Error).message).not.toContain("Did you mean");
      }
    });
  },
);

test("standard output holds protocol and nothing else, whatever there is to tell [RUN-stdout]", async () => {
  const root = folder({
    "mci.yaml":
      "schemaVersion: '1.0'\ntools: [{name: t, execution: {type: text, text: hi}}]\nmcp_servers: {gone: {command: /nowhere/at/all}}\n",
  });
  const lines = [
    {
      method: "initialize",
      id: 1,
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "x", version: "1" } },
    },
    { method: "notifications/initialized" },
    { method: "tools/list", id: 2 },
    { method: "tools/call", id: 3, params: { name: "t" } },
    { method: "no/such", id: 4 },
  ].map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }));
  const stdin = `${lines.join("\n")}\nnot json\n{"jsonrpc":"1.0"}\n`;
  const { code, stdout, stderr } = await mci(["run", "--watch"], { cwd: root, stdin });
  expect(stdout[0]).toBe("{");
  const messages = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  // What was asked before the end of input is answered.
  expect(messages.map(({ id }) => id).sort()).toEqual([1, 2, 3, 4]);
  expect(messages.every(({ jsonrpc }) => jsonrpc === "2.0")).toBe(true);
  expect(stderr).toContain("Serving 1 tool of mci.yaml on standard input and output");
  expect(stderr).toContain("MCP server 'gone'");
  expect(code).toBe(0);
});

test("a file that cannot be served says so on standard error and starts nothing", async () => {
  const root = folder({ "mci.json": '{"schemaVersion": "1.0", "tools": [{"name": "t"}]}' });
  const { code, stdout, stderr } = await mciHere(["run"], { cwd: root });
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/mci\.json:1:\d+/);
});

test("a message without end fills no memory and ends with its input [RUN-stdin]", async () => {
  const root = folder({ "mci.json": file(text("t", "hi")) });
  const mebibyte = Buffer.alloc(1 << 20, "x");
  const stdin = Readable.from(Array.from({ length: 12 }, () => mebibyte));
  const messages = new PassThrough();
  const { code } = await mciHere(["run"], { cwd: root, stdin, messages });
  expect({ code, said: messages.read() }).toEqual({ code: 0, said: null });
});
