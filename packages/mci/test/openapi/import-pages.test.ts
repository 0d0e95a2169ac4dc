import { expect, test } from "vitest";
import { serve } from "../../../../test/servers.ts";
import { MCIClient } from "../../src/client.ts";
import { bundleOpenApi, importOpenApi } from "../../src/openapi/index.ts";
import { type Json, only, query, tools } from "./one-operation.ts";

const text = { type: "string" };
const whole = { type: "integer" };
const list = { type: "array", items: { type: "object", properties: { id: text } } };
const object = (properties: Json) => ({ type: "object", properties });
const operation = (parameters: Json[], schema: Json, headers: Json = {}) => ({
  operationId: "list",
  parameters,
  responses: { 200: { description: "ok", headers, content: { "application/json": { schema } } } },
});
const cursor = query("cursor", text);

test.each<[string, Json, unknown]>([
  ["a Link header", operation([], list, { link: { schema: text } }), { next: "link" }],
  [
    "a cursor in the page",
    operation([cursor], object({ ok: { type: "boolean" }, users: list, next_cursor: text })),
    { next: { select: "next_cursor", param: "cursor" }, items: "users" },
  ],
  [
    "a cursor beside the list, below other names",
    operation(
      [query("pageToken", text)],
      object({ data: list, tags: list, "page-info": object({ nextPageToken: text }) }),
    ),
    { next: { select: '"page-info".nextPageToken', param: "pageToken" }, items: "data" },
  ],
  [
    "the address of the next page",
    operation([query("Page", whole)], object({ accounts: list, next_page_uri: text })),
    { next: { select: "next_page_uri" }, items: "accounts" },
  ],
  [
    "the number of the next page",
    operation([query("page", whole)], object({ items: list, next_page: whole })),
    { next: { select: "next_page", param: "page" }, items: "items" },
  ],
  [
    "the offset of the next page",
    operation([query("offset", whole)], object({ items: list, next_offset: whole })),
    { next: { select: "next_offset", param: "offset" }, items: "items" },
  ],
  [
    "the id of the last item, while there is more",
    operation([query("starting_after", text)], object({ data: list, has_more: { type: "boolean" } })),
    { next: { select: "has_more && data[-1].id", param: "starting_after" }, items: "data" },
  ],
  [
    "a cursor, while there is more",
    operation(
      [cursor],
      object({ rows: { oneOf: [list, list] }, next_page: { type: "boolean" }, cursor: text }),
    ),
    { next: { select: "next_page && cursor", param: "cursor" }, items: "rows" },
  ],
  [
    "a token that is not a cursor",
    operation([query("token", text)], object({ a: list, next_cursor: text })),
    undefined,
  ],
  ["a cursor that may be the page's own", operation([cursor], object({ a: list, cursor: text })), undefined],
  [
    "two lists of which neither is the list",
    operation([cursor], object({ a: list, b: list, next: text })),
    undefined,
  ],
  ["a start that is a date", operation([query("start", text)], object({ a: list })), undefined],
])("[I-pages] pagination from %s", (_title, value, expected) => {
  expect(only(value).execution.pagination).toEqual(expected);
});

test("[I-pages] tools with pages are named: those that are followed, and those of which the document says too little", () => {
  const { pages } = tools({
    "/a": { get: { ...operation([cursor], object({ a: list, next_cursor: text })), operationId: "a" } },
    "/b": { get: { ...operation([cursor], object({ ok: text })), operationId: "b" } },
    "/c": { get: { ...operation([], object({ ok: text })), operationId: "c" } },
    "/d": { post: { ...operation([cursor], object({ a: list, next_cursor: text })), operationId: "d" } },
  });
  expect(pages).toEqual({ followed: ["a"], unclear: ["b"] });
});

test("[I-pages] an imported tool follows the pages of a server", async () => {
  const seen: (string | undefined)[] = [];
  const { url: origin } = await serve((request, response) => {
    seen.push(request.url);
    const after = new URL(request.url!, "http://x").searchParams.get("cursor");
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(after ? { users: ["c"], next: "" } : { users: ["a", "b"], next: "n1" }));
  });
  const paths = { "/users": { get: operation([cursor], object({ users: list, next: text })) } };
  const { toolset } = tools(paths, {}, { baseUrl: origin });
  await using client = await MCIClient.fromObject(JSON.parse(JSON.stringify(toolset)));
  const { result } = await client.execute("list", {});
  expect(result.structuredContent).toEqual(["a", "b", "c"]);
  expect(seen).toEqual(["/users", "/users?cursor=n1"]);
});

test("definitions from other files are named after their files", async () => {
  const files: Record<string, Json> = {
    "/api/schemas/pet.json": {
      type: "object",
      properties: { parent: { $ref: "#" }, owner: { $ref: "owner/index.json" } },
    },
    "/api/schemas/owner/index.json": {
      type: "object",
      properties: { pets: { type: "array", items: { $ref: "../pet.json" } } },
    },
    "/api/other/pet.json": { type: "object", properties: { next: { $ref: "#" } } },
  };
  const body = (file: string) => ({
    content: { "application/json": { schema: { type: "object", properties: { value: { $ref: file } } } } },
  });
  const document = {
    openapi: "3.1.0",
    info: { title: "Pets", version: "1" },
    servers: [{ url: "https://a.example" }],
    paths: {
      "/a": { post: { operationId: "a", requestBody: body("schemas/pet.json") } },
      "/b": { post: { operationId: "b", requestBody: body("other/pet.json") } },
    },
  };
  const bundle = await bundleOpenApi(document, {
    address: "file:///api/api.json",
    load: async (address) => JSON.stringify(files[new URL(address).pathname]),
  });
  const names = importOpenApi(bundle.document).toolset.tools.map(({ inputSchema }) =>
    Object.keys(inputSchema.$defs ?? {}),
  );
  expect(names).toEqual([["pet", "owner"], ["pet_2"]]);
});
