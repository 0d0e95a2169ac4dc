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

const listed = (inputSchema?: object) =>
  toMcpTool(tool("t", inputSchema === undefined ? {} : { inputSchema })).inputSchema;

test("[RUN-schema] a schema that declares draft 2020-12 keeps its keywords", () => {
  const inputSchema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $defs: { name: { type: "string", $anchor: "name" } },
    type: "object",
    properties: { a: { $ref: "#/$defs/name" }, b: { prefixItems: [{ const: 1 }], unevaluatedItems: false } },
    dependentRequired: { a: ["b"] },
    unevaluatedProperties: false,
    "x-own": { anything: [1, null] },
  };
  expect(listed(inputSchema)).toEqual(inputSchema);
  const { $schema, $defs, ...named } = inputSchema;
  const referring = { $schema, $ref: "#/$defs/input", $defs: { ...$defs, input: named } };
  expect(listed(referring)).toEqual({ $schema, ...named, $defs: referring.$defs });
});

test.each([
  [undefined, {}],
  [{}, {}],
  [{ properties: { a: {} } }, { properties: { a: {} } }],
  [{ type: ["object", "null"] }, {}],
  [{ $ref: "#/$defs/in", $defs: { in: { properties: { a: {} } } } }, { properties: { a: {} } }],
  [
    { $ref: "#/definitions/a", definitions: { a: { $ref: "#/definitions/b" }, b: { required: ["x"] } } },
    { required: ["x"] },
  ],
  [{ allOf: [{ properties: { a: {} } }, { properties: { b: {} } }] }, { properties: { a: {}, b: {} } }],
  [
    {
      $schema: "http://json-schema.org/draft-07/schema#",
      properties: { "user.id": { $ref: "#/definitions/id" } },
      definitions: { id: { type: "string" } },
    },
    { properties: { "user.id": { type: "string" } } },
  ],
])(
  "[RUN-schema] %j is listed as an object with properties and without references",
  (inputSchema, expected) => {
    expect(listed(inputSchema)).toEqual({ type: "object", properties: {}, ...expected });
  },
);

test("[RUN-schema] a choice at the root is offered as one object, and that is said", () => {
  const anyOf = [
    { properties: { a: { type: "string" } }, required: ["a"] },
    { properties: { b: { type: "string" } }, required: ["b"] },
  ];
  const pages = new ToolPages([tool("t", { inputSchema: { anyOf } }), tool("u", { inputSchema: { anyOf } })]);
  expect(pages.page()?.tools[0]?.inputSchema).toEqual({
    type: "object",
    properties: { a: { type: "string" }, b: { type: "string" } },
    description: "Give one of: a; or b.",
  });
  const message = "a choice between objects at the root is offered as one object with all their properties";
  expect([...pages.losses]).toEqual([[message, ["t", "u"]]]);
});

test("[RUN-pages] a page of large tools ends before it is too large for a client", () => {
  const properties = { a: { description: "x".repeat(300) } };
  const large = (name: string) => tool(name, { inputSchema: { properties } });
  const pages = new ToolPages([large("a"), large("b"), large("c")], 1000);
  expect(names(pages)).toEqual(["a", "b"]);
  expect(names(pages, pages.page()?.nextCursor)).toEqual(["c"]);
});

test("[RUN-pages] a tool that no message can hold is listed without its schemas, and that is said", () => {
  const inputSchema = { properties: { a: { description: "x".repeat(2000) } } };
  const pages = new ToolPages([tool("a", { inputSchema, description: "Does it" }), tool("b")], 1000);
  expect(pages.page()?.tools[0]).toEqual({
    name: "a",
    description: "Does it",
    inputSchema: { type: "object", properties: {} },
  });
  expect([...pages.losses.values()]).toEqual([["a"]]);
});

test("[RUN-list] title, description and hints are listed; tags, audience and how it runs are not", () => {
  const full = toMcpTool(
    tool("t", {
      description: "Does it",
      annotations: { title: "T", readOnlyHint: true, openWorldHint: false, audience: ["user"] },
      tags: ["x"],
      toolsetSource: "s",
    }),
  );
  expect(full).toEqual({
    name: "t",
    title: "T",
    description: "Does it",
    inputSchema: { type: "object", properties: {} },
    annotations: { title: "T", readOnlyHint: true, openWorldHint: false },
  });
  expect(toMcpTool(tool("t"))).toEqual({
    name: "t",
    inputSchema: { type: "object", properties: {} },
  });
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
  expect(listed(inputSchema)).toEqual({
    type: "object",
    properties: {
      value: {},
      never: { not: {} },
      list: { items: {}, prefixItems: [{ not: {} }], contains: {} },
      map: { additionalProperties: true, patternProperties: { "^x": {} }, propertyNames: {} },
      either: { anyOf: [{}, { not: { not: {} } }], default: true, enum: [true], const: false },
    },
    additionalProperties: false,
    if: {},
  });
});

test("[RUN-boolean-schema] a schema of any depth is listed, and what is left out is said", () => {
  let inputSchema: object = { type: "object" };
  for (let depth = 0; depth < 20_000; depth++)
    inputSchema = { type: "object", properties: { a: inputSchema } };
  const pages = new ToolPages([tool("t", { inputSchema })]);
  expect(JSON.stringify(pages.page()).length).toBeLessThan(5000);
  expect([...pages.losses.keys()]).toEqual(["parts nested very deeply are left out"]);
});

test("[RUN-names] tools are found by the name they are served by", () => {
  const pages = new ToolPages([tool("a b"), tool("c")]);
  expect(names(pages)).toEqual(["a_b", "c"]);
  expect(pages.find("a_b")?.tool.name).toBe("a b");
  expect(pages.renamed).toEqual([["a b", "a_b"]]);
});

test("[RUN-meta] a page of a tool reaches the tools of its server by their own names; no other server's, and only those that are served", () => {
  const of = (server: string, toolName: string, more: object = {}) =>
    tool(`${server}_${toolName}`, {
      toolsetSource: server,
      execution: { type: "mcp", serverName: server, toolName },
      ...more,
    });
  const page = { _meta: { ui: { resourceUri: "ui://chart" } } };
  const pages = new ToolPages([
    of("a", "chart", page),
    of("a", "refresh"),
    of("b", "plain"),
    of("a", "both"),
    of("c", "both", page),
    tool("mine"),
  ]);
  const found = (name: string) => pages.find(name)?.tool.name;
  expect(["refresh", "chart", "a_refresh", "plain", "both", "mine", "none"].map(found)).toEqual([
    ...["a_refresh", "a_chart", "a_refresh", undefined, undefined, "mine", undefined],
  ]);
  expect(pages.only(new Set(["a_chart"])).find("refresh")).toBeUndefined();
  expect(pages.all.map(({ name }) => name)).not.toContain("refresh");
});
