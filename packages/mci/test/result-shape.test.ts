import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { MCIClient } from "mci-ts";
import { describe, expect, onTestFinished, test } from "vitest";
import { fixtureProgram } from "../../../test/programs/programs.ts";
import { serve } from "../../../test/servers.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";

const items = Array.from({ length: 50 }, (_, id) => ({
  id,
  title: `Issue ${id}`,
  body: "long ".repeat(200),
}));

describe("[RS-select] the caller gets the part of a result that the file selects", () => {
  test("of a JSON response", async () => {
    const { url } = await serve((_, response) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ total: 50, items }));
    });
    const result = { select: "items[?id > `10`].{id: id, title: title}", maxItems: 2 };
    const { text, structuredContent, metadata } = await run({ type: "http", url }, result);
    const expected = [{ id: 11, title: "Issue 11" }, { id: 12, title: "Issue 12" }, "… 37 more items"];
    expect(JSON.parse(text)).toEqual(expected);
    expect(structuredContent).toEqual(expected);
    expect(metadata).toMatchObject({ status_code: 200, truncated: true });
  });

  test("of a command's output, and null where nothing matches", async () => {
    const execution = cli(`echo '{"a": {"b": 5} }'`, { parse: "json" });
    expect((await run(execution, { select: "a.b" })).text).toBe("5");
    const nothing = await run(execution, { select: "a.c" });
    expect(nothing.text).toBe("null");
    const note =
      "result.select 'a.c' found nothing: nothing in the response matches it, or the value is null.";
    expect(nothing.metadata["notes"]).toEqual([note]);
    expect((await run(execution, { select: "a" })).metadata).not.toHaveProperty("notes");
  });

  test("a model is told that nothing matched", async () => {
    const tool = { name: "t", execution: { type: "text", text: '{"a": 1}' }, result: { select: "b" } };
    await using client = await MCIClient.fromObject({ schemaVersion: "1.0", tools: [tool] });
    const { content } = await client.call("t", {});
    expect(content.map((item) => "text" in item && item.text)).toEqual([
      "null",
      expect.stringContaining("Note: result.select 'b' found nothing"),
    ]);
    expect((await client.execute("t", {})).content).toHaveLength(1);
  });

  test("[E-bounded] a long list can be selected from; an expression that takes too long is an error that says so", async () => {
    const text = JSON.stringify({ a: [Array.from({ length: 200_000 }, (_, i) => i)] });
    expect((await run({ type: "text", text }, { select: "length(a[])" })).text).toBe("200000");
    const select = Array(30).fill("[@, @][]").join(" | ");
    const failed = await run({ type: "text", text }, { select });
    expect(failed.error).toContain(
      "result.select cannot be applied to the result: the expression takes more than",
    );
  });

  test("a text is cut, and cannot be selected from", async () => {
    const execution = cli(`echo ${"x".repeat(1000)}`);
    const cut = await run(execution, { maxChars: 100 });
    expect(cut.text).toMatch(/^x+… \(1001 characters in all\)$/);
    const failed = await run(execution, { select: "a" });
    expect(failed.metadata.error_code).toBe("result_not_json");
  });

  test("an error is passed on whole", async () => {
    const failed = await run(cli(`echo ${"e".repeat(500)} >&2; exit 3`), { maxChars: 50 });
    expect(failed.isError).toBe(true);
    expect(failed.text).toContain("e".repeat(500));
  });

  test("of what an MCP server returns, by the file that includes the server", async () => {
    const baseDir = temporaryFolder();
    const program = fixtureProgram("packages/mci/test/mcp/servers/changing.ts");
    writeFileSync(
      join(baseDir, "tools.json"),
      JSON.stringify([{ name: "list", inputSchema: { type: "object", additionalProperties: true } }]),
    );
    const overrides = { list: { result: { maxChars: 30 } } };
    const server = { command: process.execPath, args: [program, join(baseDir, "tools.json")], overrides };
    const own = {
      name: "own",
      inputSchema: { type: "object", additionalProperties: true },
      execution: { type: "mcp", serverName: "web", toolName: "json" },
      result: { select: "items[].id", maxItems: 1 },
    };
    const document = { schemaVersion: "1.0", mcp_servers: { web: server }, tools: [own] };
    const client = await MCIClient.fromObject(document, { baseDir, strict: true });
    onTestFinished(() => client.close());
    expect((await client.execute("list", { text: "x".repeat(100) })).text).toContain("characters in all");
    const selected = await client.execute("own", { items: [{ id: 1 }, { id: 2 }] });
    expect(JSON.parse(selected.text)).toEqual([1, "… 1 more item"]);
    expect(selected.structuredContent).toEqual([1, "… 1 more item"]);
  });

  test("a malformed expression is an error of loading, with its place", async () => {
    const tools = [{ name: "t", execution: { type: "text", text: "x" }, result: { select: "a[" } }];
    await expect(MCIClient.fromObject({ schemaVersion: "1.0", tools })).rejects.toMatchObject({
      problems: [
        { path: "tools[0].result.select", message: expect.stringContaining("not a JMESPath expression") },
      ],
    });
  });
});

describe("[CLI-stdin] a command reads its standard input from a template", () => {
  test("a caller's value in it stays data", async () => {
    const hostile = "{{env.TOKEN}} $(rm -rf /) `x`\n--flag\u0000ü";
    const result = await run(cli("cat", { stdin: "in: {{props.v}}" }), undefined, { v: hostile });
    expect(result.text).toBe(`in: ${hostile}`);
  });

  test("an object is written as JSON; without it standard input is empty", async () => {
    const execution = cli("cat", { stdin: "{!!props.v!!}" });
    expect((await run(execution, undefined, { v: { a: [1] } })).text).toBe('{"a":[1]}');
    expect((await run(cli("cat; echo end"))).text).toBe("end\n");
  });

  test("a program that does not read it, and much of it, is not an error", async () => {
    const execution = cli("echo done", { stdin: "{{props.v}}" });
    expect((await run(execution, undefined, { v: "z".repeat(3_000_000) })).text).toBe("done\n");
  });
});

describe("[CLI-success] exit codes and output as the file says", () => {
  test("an exit code that means success", async () => {
    const execution = cli("echo no match; exit 1", { successExitCodes: [0, 1] });
    expect(await run(execution)).toMatchObject({
      isError: false,
      text: "no match\n",
      metadata: { exit_code: 1 },
    });
    const other = await run(cli("exit 0", { successExitCodes: [1] }));
    expect(other.metadata).toMatchObject({ error_code: "command_failed", exit_code: 0 });
  });

  test("JSON becomes structured content; anything else is an error", async () => {
    const good = await run(cli("echo '[1,2]'", { parse: "json" }));
    expect(good.structuredContent).toEqual([1, 2]);
    const bad = await run(cli("echo oops", { parse: "json" }));
    expect(bad.metadata).toMatchObject({ error_code: "result_not_json", stdout: "oops\n" });
  });
});

test("[H-response-headers] chosen response headers are in the metadata", async () => {
  const { url } = await serve((_, response) => {
    response.setHeader("X-Rate-Left", "7");
    response.setHeader("Link", ["<a>; rel=next", "<b>; rel=last"]);
    response.setHeader("Set-Cookie", "secret=1");
    response.end("ok");
  });
  const { metadata } = await run({ type: "http", url, responseHeaders: ["x-rate-left", "LINK", "Missing"] });
  expect(metadata.response_headers).toEqual({ "x-rate-left": "7", link: "<a>; rel=next, <b>; rel=last" });
});

function cli(code: string, more: object = {}): object {
  return { type: "cli", command: "sh", args: ["-c", code], ...more };
}

async function run(execution: object, result?: object, props: object = {}) {
  const tools = [{ name: "t", execution, ...(result && { result }) }];
  const client = await MCIClient.fromObject({ schemaVersion: "1.0", tools }, { env: { TOKEN: "t" } });
  onTestFinished(() => client.close());
  return client.execute("t", props);
}
