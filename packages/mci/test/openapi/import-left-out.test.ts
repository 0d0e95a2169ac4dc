import { expect, test } from "vitest";
import { bundleOpenApi, importOpenApi } from "../../src/openapi/index.ts";

const ok = { "200": { description: "ok" } };
const warningsOf = (paths: object, rest: object = {}, options = {}) =>
  importOpenApi({ openapi: "3.1.0", info: { title: "T" }, paths, ...rest }, options).warnings;

test("[I-left-out] servers and ways to authenticate that are not used are named", () => {
  const rest = {
    servers: [{ url: "https://eu.example.com" }, { url: "https://us.example.com" }],
    security: [{ key: [] }, { basic: [], tok: [] }, {}],
    components: {
      securitySchemes: {
        key: { type: "apiKey", in: "header", name: "X-Key" },
        basic: { type: "http", scheme: "basic" },
        tok: { type: "http", scheme: "bearer" },
      },
    },
  };
  const paths = { "/a": { get: { responses: ok }, post: { responses: ok } } };
  expect(warningsOf(paths, rest)).toEqual([
    "Other ways to authenticate are left out: basic and tok (2 times) (--auth chooses one)",
    "Other servers of the document are left out: https://us.example.com (--base-url chooses one)",
  ]);
  expect(warningsOf(paths, rest, { baseUrl: "https://us.example.com", auth: "key" })).toEqual([]);
});

test("[I-left-out] requests of the API, fields that are not methods, and names with an ending are named", () => {
  const operation = { operationId: "same", callbacks: { done: {} } };
  const paths = { "/a": { get: { operationId: "same" }, gte: {}, summary: "x" }, "/b": { get: operation } };
  expect(warningsOf(paths, { webhooks: { paid: {} } })).toEqual([
    "Fields of paths that are not methods are left out: gte of /a",
    "Left out, as they are requests of the API and not to it: callback done, webhook paid",
    expect.stringMatching(/^Names that were taken or too long have an ending: same_\w{8} \(GET \/b\)$/),
  ]);
});

test("[I-left-out] parameters without a place, other media types and parts of schemas are named", () => {
  const parameters = [
    { name: "Authorization", in: "header" },
    { name: "gone", in: "path" },
    { name: "q", in: "query", schema: { type: "string", pattern: "(", description: "x".repeat(60) } },
  ];
  const schema = { type: "object", properties: { a: {} }, dependentRequired: { a: ["b"] } };
  const content = { "application/json": { schema }, "application/xml": { schema } };
  const put = { description: "d ".repeat(60), parameters, requestBody: { content } };
  expect(warningsOf({ "/a": { put } }, {}, { maxDescription: 50 })).toEqual([
    "Parameters that have no place in the request, or that the request sets itself, are left out: Authorization, gone",
    "Parts of schemas are left out, so calls are not checked against them: a pattern that is not valid, dependentRequired",
    "Other media types of bodies are left out: application/xml",
    "2 descriptions are cut at 50 characters (--max-description)",
  ]);
});

test.each([
  ["JSON", '{"openapi":"3.1.0","info":{},"paths":{"/a":{"get":{}},\n"/a":{"post":{}}}}', '"/a" (line 2)'],
  ["YAML", "openapi: 3.1.0\npaths:\n  /a: { get: {} }\n  /a: { post: {} }\n", "/a (line 4)"],
])("[I-left-out] a key that is given twice is named, in %s", async (_, text, name) => {
  const { tools, warnings } = importOpenApi(text);
  expect(tools.map(({ method }) => method)).toEqual(["POST"]);
  expect(warnings).toContain(`Given twice in the document, the last one counts: ${name}`);
  const bundle = await bundleOpenApi(text, { address: "file:///x/api.yaml", load: async () => "" });
  expect(bundle.warnings).toEqual([`Given twice, the last one counts: ${name}`]);
});
