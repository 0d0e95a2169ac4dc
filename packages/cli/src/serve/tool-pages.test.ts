import type { Tool } from "mci-ts";
import { expect, test } from "vitest";
import { toMcpTool } from "./mcp-tool.ts";
import { ToolPages } from "./tool-pages.ts";

const tool = (name: string, more: object = {}): Tool => ({
  name,
  execution: { type: "text", text: "" },
  ...more,
});

const names = (pages: ToolPages, cursor?: string) => pages.page(cursor)?.tools.map(({ name }) => name);

test("a file of a usual size is one page", () => {
  const pages = new ToolPages([tool("a"), tool("b")]);
  expect(names(pages)).toEqual(["a", "b"]);
  expect(pages.page()).not.toHaveProperty("nextCursor");
  expect(new ToolPages([]).page()).toEqual({ tools: [] });
});

test("[RUN-pages] pages hold every tool once, in order", () => {
  const all = Array.from({ length: 450 }, (_, index) => `tool_${index}`);
  const pages = new ToolPages(all.map((name) => tool(name)));
  const seen: string[] = [];
  const sizes: number[] = [];
  for (let cursor: string | undefined, page = pages.page(); page !== undefined; ) {
    seen.push(...page.tools.map(({ name }) => name));
    sizes.push(page.tools.length);
    cursor = page.nextCursor;
    page = cursor === undefined ? undefined : pages.page(cursor);
  }
  expect(seen).toEqual(all);
  expect(sizes).toEqual([200, 200, 50]);
});

test("[RUN-pages] a page that ends with the last tool is the last", () => {
  const pages = new ToolPages(Array.from({ length: 200 }, (_, index) => tool(`t${index}`)));
  expect(pages.page()?.tools).toHaveLength(200);
  expect(pages.page()).not.toHaveProperty("nextCursor");
});

test("[RUN-pages] a cursor is understood by another process, and goes on after its tool when the file was edited", () => {
  const tools = Array.from({ length: 250 }, (_, index) => tool(`t${index}`));
  const cursor = new ToolPages(tools).page()?.nextCursor;
  expect(cursor).toMatch(/^[\w-]+$/);
  expect(names(new ToolPages(tools), cursor)?.[0]).toBe("t200");
  expect(names(new ToolPages(tools.slice(10)), cursor)?.[0]).toBe("t200");
});

test.each(["", "bogus", "\u0000", Buffer.from("t99 is gone").toString("base64url"), "__proto__"])(
  "[RUN-pages] the cursor %j is none",
  (cursor) => {
    expect(new ToolPages([tool("t1")]).page(cursor)).toBeUndefined();
  },
);

test("[RUN-schema] an input schema is handed on as it is", () => {
  const inputSchema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $defs: { name: { type: "string", $anchor: "name" } },
    type: "object",
    properties: { a: { $ref: "#/$defs/name" }, b: { prefixItems: [{ const: 1 }], unevaluatedItems: false } },
    dependentRequired: { a: ["b"] },
    unevaluatedProperties: false,
    "x-own": { anything: [1, null] },
  };
  expect(toMcpTool(tool("t", { inputSchema })).inputSchema).toBe(inputSchema);
});

test.each([
  [undefined, { type: "object" }],
  [{}, { type: "object" }],
  [{ properties: { a: {} } }, { properties: { a: {} }, type: "object" }],
  [{ anyOf: [{ required: ["a"] }] }, { anyOf: [{ required: ["a"] }], type: "object" }],
  [{ type: ["object", "null"] }, { type: "object" }],
])("[RUN-schema] the schema %j says that arguments are an object", (inputSchema, expected) => {
  expect(toMcpTool(tool("t", { inputSchema })).inputSchema).toEqual(expected);
});

test("[RUN-list] title, description and hints are listed; tags, audience and how it runs are not", () => {
  const listed = toMcpTool(
    tool("t", {
      description: "Does it",
      annotations: { title: "T", readOnlyHint: true, openWorldHint: false, audience: ["user"] },
      tags: ["x"],
      toolsetSource: "s",
    }),
  );
  expect(listed).toEqual({
    name: "t",
    title: "T",
    description: "Does it",
    inputSchema: { type: "object" },
    annotations: { title: "T", readOnlyHint: true, openWorldHint: false },
  });
  expect(toMcpTool(tool("t"))).toEqual({ name: "t", inputSchema: { type: "object" } });
});

test("[RUN-boolean-schema] boolean subschemas are listed as objects, since many clients reject a list with booleans", () => {
  const inputSchema = {
    type: "object",
    properties: {
      value: true,
      never: false,
      list: { items: true, prefixItems: [false], contains: true },
      map: { additionalProperties: true, patternProperties: { "^x": true }, propertyNames: true },
      either: { anyOf: [true, { not: false }], default: true, enum: [true], const: false },
    },
    $defs: { any: true },
    additionalProperties: false,
    if: true,
  };
  expect(toMcpTool(tool("t", { inputSchema })).inputSchema).toEqual({
    type: "object",
    properties: {
      value: {},
      never: { not: {} },
      list: { items: {}, prefixItems: [{ not: {} }], contains: {} },
      map: { additionalProperties: true, patternProperties: { "^x": {} }, propertyNames: {} },
      either: { anyOf: [{}, { not: { not: {} } }], default: true, enum: [true], const: false },
    },
    $defs: { any: {} },
    additionalProperties: false,
    if: {},
  });
});

test("[RUN-boolean-schema] a schema of any depth is listed", () => {
  let inputSchema: object = { type: "object" };
  for (let depth = 0; depth < 20_000; depth++)
    inputSchema = { type: "object", properties: { a: inputSchema } };
  expect(toMcpTool(tool("t", { inputSchema })).inputSchema).toBe(inputSchema);
});

test("[RUN-output-schema] an output schema is listed, in the form every client can read", () => {
  const listed = toMcpTool(tool("t", { outputSchema: { type: "object", properties: { a: true } } }));
  expect(listed.outputSchema).toEqual({ type: "object", properties: { a: {} } });
});

test("[RUN-names] tools are found by the name they are served by", () => {
  const pages = new ToolPages([tool("a b"), tool("c")]);
  expect(names(pages)).toEqual(["a_b", "c"]);
  expect(pages.find("a_b")?.tool.name).toBe("a b");
  expect(pages.renamed).toEqual([["a b", "a_b"]]);
});
