// biome-ignore-all lint/suspicious/noExplicitAny: tools are looked at as plain data
import { describe, expect, test } from "vitest";
import type { ImportOptions } from "../../src/openapi/index.ts";
import { jsonBody, only, properties, query, tools } from "./one-operation.ts";

describe("the request", () => {
  test("[I-styles] explode follows the style where the document does not say", () => {
    const list = { type: "array", items: { type: "string" } };
    const tool = only({
      parameters: [
        query("a", list),
        query("b", list, { style: "pipeDelimited" }),
        query("c", list, { style: "spaceDelimited", explode: false }),
        query("d", { type: "object" }, { style: "deepObject", explode: true }),
        query("e", list, { explode: false }),
        query("f", {}, { content: { "application/json": { schema: { type: "object" } } } }),
      ],
    });
    expect(tool.execution.paramStyles).toEqual({
      query: {
        b: "pipeDelimited",
        c: "spaceDelimited",
        d: "deepObject",
        e: { style: "form", explode: false },
        f: "json",
      },
    });
  });

  test("[I-body] of several media types the one that says most is sent, under its own name", () => {
    const schema = { type: "object", properties: { a: { type: "string" } } };
    const body = (...types: string[]) => {
      const content = Object.fromEntries(types.map((type) => [type, { schema }]));
      const { execution } = only({ requestBody: { content, required: true } }, {}, { method: "post" });
      return [execution.body.type, execution.headers?.["Content-Type"]];
    };
    expect(body("application/xml", "application/json")).toEqual(["json", undefined]);
    expect(body("application/json-patch+json", "application/merge-patch+json")).toEqual([
      "json",
      "application/merge-patch+json",
    ]);
    expect(body("multipart/form-data", "application/x-www-form-urlencoded")).toEqual(["form", undefined]);
    expect(body("application/xml")).toEqual(["raw", "application/xml"]);
    expect(body("image/png")).toEqual(["file", "image/png"]);
  });

  test("[I-body] a list is one property, and so is an object with rules about the whole", () => {
    const list = only(
      { requestBody: jsonBody({ type: "array", items: { type: "string" } }) },
      {},
      { method: "post" },
    );
    expect(list.inputSchema).toMatchObject({ required: ["body"], properties: { body: { type: "array" } } });
    expect(list.execution.body).toEqual({ type: "json", content: "{!!props.body!!}" });
    const either = {
      type: "object",
      properties: { a: {}, b: {} },
      anyOf: [{ required: ["a"] }, { required: ["b"] }],
    };
    expect(properties(only({ requestBody: jsonBody(either) }, {}, { method: "post" }))).toEqual(["body"]);
  });

  test("[I-body] an optional body is not sent if nothing in it is given", () => {
    const schema = { type: "object", required: ["a"], properties: { a: { type: "string" } } };
    const tool = only({ requestBody: jsonBody(schema, false) }, {}, { method: "post" });
    expect(tool.inputSchema).not.toHaveProperty("required");
    expect(tool.execution.body.omitEmpty).toBe(true);
  });

  test("[I-servers] the base path and the operation's own server count; variables have their defaults", () => {
    const servers = [
      {
        url: "https://{region}.example.com/{base}",
        variables: { region: { default: "eu" }, base: { default: "v2" } },
      },
    ];
    const { toolset } = tools({ "/a": { get: {} }, "/b": { servers, get: {} } });
    const urls = toolset.tools.map(({ execution }) => execution.url);
    expect(urls[0]).toBe("{{env.PET_SHOP_BASE_URL | 'https://api.example.com/v1'}}/a");
    expect(urls[1]).toBe("https://{{env.PET_SHOP_REGION | 'eu'}}.example.com/{{env.PET_SHOP_BASE | 'v2'}}/b");
  });

  test("[I-servers] a relative server starts at the document's address, and needs a variable if there is none", () => {
    const paths = { "/a": { get: {} } };
    const url = (options: ImportOptions) =>
      tools(paths, { servers: [{ url: "/api" }] }, options).toolset.tools[0]!.execution.url;
    expect(url({ documentUrl: "https://example.com/docs/openapi.json" })).toContain(
      "'https://example.com/api'",
    );
    expect(url({})).toBe("{{env.PET_SHOP_BASE_URL}}/api/a");
    expect(url({ baseUrl: "http://localhost:1/x/" })).toContain("'http://localhost:1/x'");
  });

  test("[I-security] alternatives: the first that can be met; an operation's own list counts, even an empty one", () => {
    const securitySchemes = {
      key: { type: "apiKey", in: "cookie", name: "sid" },
      app: { type: "apiKey", in: "header", name: "X-App" },
      digest: { type: "http", scheme: "digest" },
      user: { type: "http", scheme: "bearer" },
    };
    const auth = (security?: unknown): any =>
      only(security === undefined ? {} : { security }, {
        components: { securitySchemes },
        security: [{ user: [] }],
      }).execution;
    expect(auth().auth).toEqual({ type: "bearer", token: "{{env.PET_SHOP_TOKEN}}" });
    expect(auth([])).not.toHaveProperty("auth");
    expect(auth([{}, { user: [] }])).not.toHaveProperty("auth");
    expect(auth([{ digest: [] }, { key: [] }]).auth).toMatchObject({
      type: "apiKey",
      in: "cookie",
      name: "sid",
    });
    const both = auth([{ app: [], user: [] }]);
    expect(both.auth.type).toBe("bearer");
    expect(both.headers).toEqual({ "X-App": "{{env.PET_SHOP_APP}}" });
  });

  test("[I-security] what cannot be met is said, and the tool is made", () => {
    const securitySchemes = { digest: { type: "http", scheme: "digest" } };
    const { toolset, warnings } = tools(
      { "/a": { get: { operationId: "a", security: [{ digest: [] }] } } },
      { components: { securitySchemes } },
    );
    expect(toolset.tools).toHaveLength(1);
    expect(warnings[0]).toContain("a: needs digest");
  });

  test("methods become hints, tags stay tags", () => {
    const { toolset } = tools({
      "/a": { get: { tags: ["x"], summary: "List" }, put: {}, delete: {}, post: {} },
    });
    expect(toolset.tools.map(({ annotations }) => annotations)).toEqual([
      { title: "List", readOnlyHint: true, openWorldHint: true },
      { readOnlyHint: false, idempotentHint: true, openWorldHint: true },
      { readOnlyHint: false, openWorldHint: true },
      { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    ]);
    expect(toolset.tools[0]!.tags).toEqual(["x"]);
  });
});
