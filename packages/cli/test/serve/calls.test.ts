import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isAlive } from "../../../../test/processes.ts";
import { serve } from "../../../../test/servers.ts";
import { until } from "../../../../test/until.ts";
import { folder } from "../mci.ts";
import { file, hang, text, UPSTREAM, upstream } from "./file.ts";
import { connect, ERAS, pids, TRANSPORTS } from "./support.ts";

// The official client talks to `mci run` over both transports and in both generations of the protocol.

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);

const { url: apiUrl } = await serve((request, response) => {
  response.setHeader("content-type", "application/json");
  response.end(request.url === "/list" ? '[1,"two"]' : JSON.stringify({ path: request.url }));
}, afterAll);

const input = (name: string) => ({
  inputSchema: { type: "object", properties: { [name]: { type: "string" } }, required: [name] },
});

/** One project for all: no call depends on another. */
function project(cleanup: (end: () => void) => void) {
  const files = {
    "mci.json": {
      ...file(
        text("greet", "Hello {{props.who}}", input("who")),
        { name: "read", execution: { type: "file", path: "{{props.path}}" }, ...input("path") },
        { name: "fetch", execution: { type: "http", url: `${apiUrl}/{{props.path}}` }, ...input("path") },
        { name: "list", execution: { type: "http", url: `${apiUrl}/list` } },
        {
          name: "echo",
          execution: { type: "cli", command: "echo", args: ["{{props.word}}"] },
          ...input("word"),
        },
        { name: "false", execution: { type: "cli", command: "false" } },
        hang("pids"),
        upstream("everything"),
        upstream("structured"),
        upstream("fail"),
        upstream("steps"),
      ),
      mcp_servers: UPSTREAM,
    },
    "a.txt": "first file",
    "b.txt": "second file",
  };
  const root = folder(files, cleanup);
  writeFileSync(join(root, "pixel.png"), PIXEL);
  return root;
}

describe.each(TRANSPORTS.flatMap((transport) => ERAS.map((era) => [transport, era] as const)))(
  "the official client over %s, %s protocol",
  (transport, era) => {
    let root: string;
    let client: Client;
    beforeAll(async () => {
      const ends: (() => unknown)[] = [];
      root = project((end) => ends.unshift(end));
      ({ client } = await connect(transport, era, { cwd: root }, {}, (end) => ends.unshift(end)));
      return async () => {
        for (const end of ends) await end();
      };
    });

    test("gets exactly the items of each result, of every kind", async () => {
      const call = async (name: string, args = {}) => client.callTool({ name, arguments: args });

      expect((await call("greet", { who: "Ada" })).content).toEqual([{ type: "text", text: "Hello Ada" }]);
      expect((await call("read", { path: "pixel.png" })).content).toEqual([
        { type: "image", data: PIXEL.toString("base64"), mimeType: "image/png" },
      ]);
      const { content, isError } = await call("everything");
      expect(isError).toBeFalsy();
      expect(content).toEqual([
        { type: "text", text: "all kinds" },
        { type: "image", data: PIXEL.toString("base64"), mimeType: "image/png" },
        { type: "audio", data: "UklGRiQAAABXQVZF", mimeType: "audio/wav" },
        { type: "resource", resource: { uri: "memo://1", mimeType: "application/json", text: '{"a":1}' } },
        { type: "resource_link", uri: "memo://2", name: "second", mimeType: "text/plain" },
      ]);
    });

    test("gets structured content; what is not an object is wrapped where the protocol wants an object", async () => {
      expect(await client.callTool({ name: "structured" })).toMatchObject({ structuredContent: { sum: 3 } });
      expect(await client.callTool({ name: "fetch", arguments: { path: "x" } })).toMatchObject({
        structuredContent: { path: "/x" },
      });
      const { structuredContent, content } = await client.callTool({ name: "list" });
      expect(structuredContent).toEqual(era === "legacy" ? { result: [1, "two"] } : [1, "two"]);
      expect(content).toEqual([{ type: "text", text: '[\n  1,\n  "two"\n]' }]);
    });

    test("sees failures as failed results, with what went wrong", async () => {
      const failure = (text: unknown) => ({ isError: true, content: [{ type: "text", text }] });
      expect(await client.callTool({ name: "false" })).toMatchObject(
        failure(expect.stringContaining("Command failed with exit code 1")),
      );
      expect(await client.callTool({ name: "fail" })).toMatchObject(failure("The disk is full"));
      // Its arguments are the model's to mend.
      expect(await client.callTool({ name: "greet", arguments: { whom: "Ada" } })).toMatchObject(
        failure(expect.stringMatching(/who: is required and missing \(got "whom"/)),
      );
      expect(await client.callTool({ name: "greet" })).toMatchObject(failure(expect.stringContaining("who")));
    });

    test("gets a protocol error for an unknown tool or page", async () => {
      await expect(client.callTool({ name: "gret" })).rejects.toMatchObject({
        code: -32_602,
        message: expect.stringContaining("Tool not found: gret. Did you mean 'greet'?"),
      });
      await expect(
        client.request({ method: "tools/list", params: { cursor: "bogus" } }),
      ).rejects.toMatchObject({
        code: -32_602,
        message: expect.stringContaining("Invalid cursor"),
      });
    });

    test("gets a new answer to every call: nothing of an earlier one sticks", async () => {
      const cases = [
        ["greet", { who: "Ada" }, "Hello Ada"],
        ["greet", { who: "Bob" }, "Hello Bob"],
        ["read", { path: "a.txt" }, "first file"],
        ["read", { path: "b.txt" }, "second file"],
        ["echo", { word: "one" }, "one\n"],
        ["echo", { word: "two" }, "two\n"],
        ["fetch", { path: "1" }, '{\n  "path": "/1"\n}'],
        ["fetch", { path: "2" }, '{\n  "path": "/2"\n}'],
      ] as const;
      for (const [name, args, expected] of cases)
        expect((await client.callTool({ name, arguments: args })).content).toEqual([
          { type: "text", text: expected },
        ]);
    });

    test("hears of progress if it asks, in order and before the result [RUN-progress]", async () => {
      const received: unknown[] = [];
      const onprogress = (step: { progress: number }) => {
        received.push(step);
        // Only then does the tool end: the client drops progress that arrives together with the result.
        if (step.progress === 100) writeFileSync(join(root, "received"), "");
      };
      const result = await client.callTool({ name: "steps" }, { onprogress });
      expect(result.content).toEqual([{ type: "text", text: "done" }]);
      expect(received).toEqual([
        { progress: 0, total: 100, message: "at 0" },
        { progress: 50, total: 100, message: "at 50" },
        { progress: 100, total: 100, message: "at 100" },
      ]);
      expect((await client.callTool({ name: "steps" })).content).toEqual([{ type: "text", text: "done" }]);
    });

    test("cancels a call, and the tool's processes end; other calls go on", async () => {
      const cancelled = new AbortController();
      const call = client.callTool({ name: "hang" }, { signal: cancelled.signal });
      call.catch(() => {});
      await until(() => pids(join(root, "pids")).length === 2, "the tool to run");
      const running = pids(join(root, "pids"));
      expect(running.filter(isAlive)).toEqual(running);
      cancelled.abort(new Error("enough"));
      await expect(call).rejects.toThrow("enough");
      await until(() => !running.some(isAlive), "the processes to end");
      expect((await client.callTool({ name: "greet", arguments: { who: "Ada" } })).content).toEqual([
        { type: "text", text: "Hello Ada" },
      ]);
    });
  },
);

test("the pixel in the fixtures is the one expected here", () => {
  expect(readFileSync(new URL("fixtures/upstream.ts", import.meta.url), "utf8")).toContain(
    PIXEL.toString("base64"),
  );
});
