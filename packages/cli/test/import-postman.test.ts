// biome-ignore-all lint/suspicious/noExplicitAny: tools may have any shape
import { MCIClient } from "mci-ts";
import { describe, expect, test } from "vitest";
import { importPostman } from "../src/import/postman/postman.ts";

/** Imports a collection of these items; whatever comes of it must load. */
async function imported(item: unknown[], collection: object = {}) {
  const result = importPostman(JSON.stringify({ info: { name: "Shop" }, item, ...collection }));
  const client = await MCIClient.fromObject(result.document, { validating: true, unknownKeys: "error" });
  await client.close();
  return { ...result, tools: (result.document.tools ?? []) as readonly Record<string, any>[] };
}

const request = (fields: object) => ({
  name: "Ask",
  request: { method: "POST", url: "https://a.example/x", ...fields },
});
const bodyOf = async (body: object, fields: object = {}) =>
  (await imported([request({ body, ...fields })])).tools[0]!;

describe("[C-import-postman] addresses", () => {
  test("of parts, with path variables and parameters that are switched off", async () => {
    const url = {
      protocol: "https",
      host: ["api", "example", "com"],
      path: ["orders", ":order-id", "items"],
      query: [
        { key: "page", value: "1" },
        { key: "expand", value: "{{expand}}", disabled: true, description: { content: "What to expand" } },
      ],
      variable: [{ id: "order-id", value: "42" }],
    };
    const { tools, variables } = await imported([request({ method: "GET", url })]);
    expect(tools[0]!.execution).toMatchObject({
      url: "https://api.example.com/orders/{{props.order_id}}/items",
      params: { page: "{!!props.page!!}", expand: "{!!props.expand!!}" },
    });
    expect(tools[0]!.inputSchema.properties).toMatchObject({
      order_id: { description: "Example: 42" },
      expand: { description: "What to expand" },
    });
    expect(variables).toEqual([]);
  });

  test.each([
    ["https://a.example/users/:id/posts", "https://a.example/users/{{props.id}}/posts"],
    ["https://a.example/users/{id}/posts", "https://a.example/users/{{props.id}}/posts"],
    ["https://a.example/users/<id>/posts", "https://a.example/users/{{props.id}}/posts"],
    ["https://a.example/users/%3Cid%3E.json", "https://a.example/users/{{props.id}}.json"],
    ["https://a.example/users/{{tenant}}-{id}", "https://a.example/users/{{env.SHOP_TENANT}}-{{props.id}}"],
  ])("%s asks for its id", async (url, expected) => {
    const { tools } = await imported([request({ method: "GET", url })]);
    expect(tools[0]!.execution.url).toBe(expected);
    expect(tools[0]!.inputSchema).toMatchObject({ properties: { id: { type: "string" } }, required: ["id"] });
  });

  test("of variables: addresses keep their value and are public, secrets are neither", async () => {
    const url = "{{base_url}}/v1?api_key={{key}}&tag=a&tag=b#top";
    const { tools, document } = await imported([request({ method: "GET", url })], {
      variable: [
        { key: "base_url", value: "https://shop.example.com/api" },
        { key: "key", value: "s3cr3t" },
      ],
    });
    expect(tools[0]!.execution).toMatchObject({
      url: "{{env.SHOP_BASE_URL | 'https://shop.example.com/api'}}/v1",
      params: { tag: "{!!props.tag!!}" },
    });
    expect(tools[0]!.inputSchema.properties.tag).toMatchObject({ type: "array" });
    expect(document.publicEnv).toEqual(["SHOP_BASE_URL"]);
    expect(JSON.stringify(document)).not.toContain("s3cr3t");
  });

  test("a request may be an address alone, and one without an address is left out", async () => {
    const { tools, skipped } = await imported([
      { name: "Short", request: "https://a.example/short" },
      { name: "None", request: { method: "GET" } },
    ]);
    expect(tools.map(({ execution }) => execution.url)).toEqual(["https://a.example/short"]);
    expect(skipped).toMatchObject([{ what: "None", reason: "it has no address" }]);
  });
});

describe("[C-import-postman] authentication", () => {
  const folder = (auth: object, ...item: object[]) => ({ name: "Folder", auth, item });
  const get = (name: string, fields: object = {}) => ({
    name,
    request: { url: "https://a.example", ...fields },
  });

  test("is inherited from folder and collection, in both formats, and can be switched off", async () => {
    const { tools } = await imported(
      [
        folder({ type: "basic", basic: { username: "u", password: "p" } }, get("Inner")),
        get("Outer"),
        get("Open", { auth: { type: "noauth" } }),
      ],
      {
        auth: {
          type: "apikey",
          apikey: [
            { key: "key", value: "X-Key" },
            { key: "value", value: "{{apiKey}}" },
          ],
        },
      },
    );
    expect(tools.map(({ execution }) => execution.auth)).toEqual([
      { type: "basic", username: "{{env.SHOP_USERNAME}}", password: "{{env.SHOP_PASSWORD}}" },
      { type: "apiKey", in: "header", name: "X-Key", value: "{{env.SHOP_API_KEY}}" },
      undefined,
    ]);
  });

  test("with client credentials is OAuth 2; other flows end in a token", async () => {
    const settings = (grant: string) => [
      { key: "grant_type", value: grant },
      { key: "accessTokenUrl", value: "https://id.example/token" },
      { key: "scope", value: "read write" },
    ];
    const { tools } = await imported([
      get("Machine", { auth: { type: "oauth2", oauth2: settings("client_credentials") } }),
      get("Person", { auth: { type: "oauth2", oauth2: settings("authorization_code") } }),
    ]);
    expect(tools[0]!.execution.auth).toMatchObject({
      type: "oauth2",
      tokenUrl: "https://id.example/token",
      scopes: ["read", "write"],
    });
    expect(tools[1]!.execution.auth).toEqual({ type: "bearer", token: "{{env.SHOP_TOKEN}}" });
  });
});

describe("[C-import-postman] bodies", () => {
  test("JSON with comments, variables without quotes and values that Postman makes up", async () => {
    const raw = '{\n  // who\n  "id": "{{$guid}}", "n": {{count}}, "tags": ["a"], "password": "hidden"\n}';
    const tool = await bodyOf({ mode: "raw", raw, options: { raw: { language: "json" } } });
    expect(tool.execution.body).toEqual({
      type: "json",
      content: {
        id: "{!!props.id!!}",
        n: "{{env.SHOP_COUNT}}",
        tags: "{!!props.tags!!}",
        password: "{{env.SHOP_PASSWORD}}",
      },
    });
    expect(JSON.stringify(tool)).not.toContain("hidden");
  });

  test("XML and text are given whole", async () => {
    const tool = await bodyOf({ mode: "raw", raw: "<a/>", options: { raw: { language: "xml" } } });
    expect(tool.execution).toMatchObject({
      headers: { "Content-Type": "application/xml" },
      body: { type: "raw", content: "{{props.body}}" },
    });
    const text = await bodyOf(
      { mode: "raw", raw: '{"a":1}' },
      { header: "Content-Type: text/plain\nX-Team: a" },
    );
    expect(text.execution.body.type).toBe("raw");
    expect(text.execution.headers).toEqual({ "Content-Type": "text/plain", "X-Team": "a" });
  });

  test("forms, with fields that are switched off", async () => {
    const urlencoded = [
      { key: "a", value: "1" },
      { key: "b", value: "2", disabled: true },
      { key: "client_secret", value: "hidden" },
    ];
    const tool = await bodyOf({ mode: "urlencoded", urlencoded });
    expect(tool.execution.body).toEqual({
      type: "form",
      content: { a: "{!!props.a!!}", b: "{!!props.b!!}", client_secret: "{{env.SHOP_CLIENT_SECRET}}" },
    });
  });

  test("multipart, a file, GraphQL, and none", async () => {
    const formdata = [
      { key: "note", value: "hi", type: "text" },
      { key: "photo", type: "file", src: "/home/me/a.png", contentType: "image/png" },
    ];
    expect((await bodyOf({ mode: "formdata", formdata })).execution.body).toEqual({
      type: "multipart",
      content: { note: "{!!props.note!!}" },
      files: { photo: { path: "{!!props.photo!!}", contentType: "image/png" } },
    });
    expect((await bodyOf({ mode: "file", file: { src: "a.bin" } })).execution.body).toEqual({
      type: "file",
      content: "{{props.body}}",
    });
    const graphql = {
      query: "query ($id: ID!) { user(id: $id) { name { first } } }",
      variables: '{"id": "1"}',
    };
    const login = 'mutation { login(note: "a \\"b\\"", password: """hunter2""", pin : "1234") { id } }';
    const secret = await bodyOf({ mode: "graphql", graphql: { query: login } });
    expect(JSON.stringify(secret.execution)).not.toMatch(/hunter2|1234/);
    expect(secret.execution.body.content.query).toMatch(
      /note: "a \\"b\\"", password: """\{\{env\.\w+\}\}""", pin : "\{\{env\.\w+\}\}"\) \{ id \}/,
    );
    const asked = await bodyOf({ mode: "graphql", graphql });
    expect(asked.execution.body.content).toEqual({
      query: graphql.query,
      variables: "{!!props.variables!!}",
    });
    expect(asked.inputSchema.properties.variables.description).toContain("id");
    expect((await bodyOf({ mode: "raw", raw: "x", disabled: true })).execution.body).toBeUndefined();
  });
});

test("[C-import-postman] nested folders are tags, and scripts that are not run are said", async () => {
  const script = { exec: ["pm.environment.set('t', 1);"] };
  const event = [
    { listen: "prerequest", script },
    { listen: "test", script },
    { listen: "other", script },
  ];
  const inner = { name: "Inner", item: [{ ...request({}), event }] };
  const { tools, warnings } = await imported([{ name: "Outer", item: [inner] }]);
  expect(tools[0]!.tags).toEqual(["Outer", "Inner"]);
  expect(warnings).toEqual([
    "'Ask' has a script that runs before its requests; it is left out",
    "'Ask' has a script that runs after its requests; it is left out",
  ]);
});

test("[C-import-postman] the answer of Postman's API holds a collection, too", () => {
  const collection = { info: { name: "Shop" }, item: [{ name: "A", request: "https://a.example" }] };
  expect(importPostman(JSON.stringify({ collection })).document.tools).toHaveLength(1);
  expect(() => importPostman("{}")).toThrow("not a Postman collection");
});
