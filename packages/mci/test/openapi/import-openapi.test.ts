// biome-ignore-all lint/suspicious/noExplicitAny: tools are looked at as plain data
import { describe, expect, test } from "vitest";
import { cpuMs } from "../../../../test/cpu-time.ts";
import { type ImportOptions, importOpenApi } from "../../src/openapi/index.ts";
import { compile } from "./wire/sample.ts";

type Json = Record<string, unknown>;

/** A document with these paths, and the tools it becomes. */
function tools(paths: Json, more: Json = {}, options: ImportOptions = {}) {
  const document = {
    openapi: "3.0.3",
    info: { title: "Pet Shop", version: "1" },
    servers: [{ url: "https://api.example.com/v1/" }],
    paths,
    ...more,
  };
  return importOpenApi(document, options);
}

/** The only tool of a document with one operation. */
function only(operation: Json, more: Json = {}, { method = "get", path = "/pets" } = {}): any {
  return tools({ [path]: { [method]: operation } }, more).toolset.tools[0];
}

const query = (name: string, schema: Json, more: Json = {}) => ({ name, in: "query", schema, ...more });
const jsonBody = (schema: Json, required = true) => ({
  required,
  content: { "application/json": { schema } },
});
const properties = (tool: any) => Object.keys(tool.inputSchema.properties);

describe("names", () => {
  test("[I-names] operation ids become names that models accept; two that look alike stay apart", () => {
    const { toolset } = tools({
      "/a": { get: { operationId: "repos/list-for-user" } },
      "/b": { get: { operationId: "repos.list.for.user" } },
      "/c/{id}": { delete: {} },
      "/d": { get: { operationId: "x".repeat(90) }, post: { operationId: "x".repeat(91) } },
      "/e": { get: { operationId: "2fa" } },
    });
    const names = toolset.tools.map(({ name }) => name);
    expect(names[0]).toBe("repos_list_for_user");
    expect(names[1]).toMatch(/^repos_list_for_user_[0-9a-f]{8}$/);
    expect(names[2]).toBe("delete_c_id");
    expect(names[5]).toBe("_2fa");
    for (const name of names) expect(name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/);
    expect(new Set(names).size).toBe(names.length);
  });

  test("[I-names] a prefix counts against the limit, and names do not depend on what is chosen", () => {
    const paths = {
      "/a": { get: { operationId: "list" } },
      "/b": { get: { operationId: "list", tags: ["b"] } },
    };
    const all = tools(paths, {}, { prefix: "shop_" }).toolset.tools.map(({ name }) => name);
    const some = tools(paths, {}, { prefix: "shop_", tags: ["B"] }).toolset.tools.map(({ name }) => name);
    expect(all[0]).toBe("shop_list");
    expect(some).toEqual([all[1]]);
    const [long] = tools({ "/a": { get: { operationId: "y".repeat(64) } } }, {}, { prefix: "p_" }).toolset
      .tools;
    expect(long!.name).toHaveLength(64);
  });

  test("[I-properties] names that providers refuse are renamed and still sent under their own", () => {
    const tool = only({ parameters: [query("filter[id]", {}), query("$top", {}), query("__proto__", {})] });
    expect(properties(tool)).toEqual(["filter_id", "top", "proto"]);
    expect(Object.keys(tool.execution.params)).toEqual(["filter[id]", "$top", "__proto__"]);
  });

  test("[I-properties] a name in two places stays in both", () => {
    const operation = {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }, query("id", {})],
      requestBody: jsonBody({ type: "object", properties: { id: { type: "string" } } }),
    };
    const tool = only(operation, {}, { method: "put", path: "/pets/{id}" });
    expect(properties(tool)).toEqual(["id", "query_id", "body_id"]);
    expect(tool.execution.url).toMatch(/\/pets\/\{\{props\.id\}\}$/);
    expect(tool.execution.params).toEqual({ id: "{!!props.query_id!!}" });
    expect(tool.execution.body.content).toEqual({ id: "{!!props.body_id!!}" });
  });
});

describe("schemas", () => {
  const bodyOf = (schema: Json, more: Json = {}) =>
    only({ requestBody: jsonBody(schema) }, more, { method: "post" });

  test("[I-defaults] defaults are described, not sent: a partial update must not reset what it leaves out", () => {
    const tool = bodyOf({ type: "object", properties: { private: { type: "boolean", default: false } } });
    expect(tool.inputSchema.properties.private).toEqual({ type: "boolean", description: "Default: false" });
  });

  test("[I-schema] nullable becomes a type and an enum value; nullable: false loses nothing", () => {
    const tool = bodyOf({
      type: "object",
      properties: {
        a: { type: "string", nullable: true },
        b: { type: "string", nullable: true, enum: ["x"] },
        c: { type: "string", nullable: false },
      },
    });
    expect(tool.inputSchema.properties).toEqual({
      a: { type: ["string", "null"] },
      b: { type: ["string", "null"], enum: ["x", null] },
      c: { type: "string" },
    });
  });

  test("[I-schema] references become $defs of the tools that use them, and cycles stay references", () => {
    const schemas = {
      Node: {
        type: "object",
        properties: {
          next: { $ref: "#/components/schemas/Node" },
          leaf: { $ref: "#/components/schemas/Leaf" },
        },
      },
      Leaf: { type: "object", properties: { id: { type: "integer" } } },
      Unused: { type: "object" },
    };
    const tool = bodyOf(
      { type: "object", properties: { tree: { $ref: "#/components/schemas/Node" } } },
      { components: { schemas } },
    );
    expect(tool.inputSchema.properties.tree).toEqual({ $ref: "#/$defs/Node" });
    expect(Object.keys(tool.inputSchema.$defs)).toEqual(["Node", "Leaf"]);
    expect(compile(tool.inputSchema)({ tree: { next: { next: { leaf: { id: 1 } } } } })).toBe(true);
    expect(compile(tool.inputSchema)({ tree: { next: { leaf: { id: "x" } } } })).toBe(false);
  });

  test("[I-schema] a reference may lead anywhere in the document", () => {
    const shared = {
      "/other": {
        get: { parameters: [query("a~/b", { type: "object", properties: { n: { type: "integer" } } })] },
      },
    };
    const reference = "#/paths/~1other/get/parameters/0/schema";
    const { toolset } = tools({
      ...shared,
      "/x": { post: { requestBody: jsonBody({ type: "array", items: { $ref: reference } }) } },
    });
    const schema: any = toolset.tools[1]!.inputSchema;
    expect(compile(schema)({ body: [{ n: 1 }] })).toBe(true);
    expect(compile(schema)({ body: [{ n: "1" }] })).toBe(false);
  });

  test("[I-schema] read-only properties are not asked for, at any depth, not even if required", () => {
    const tool = bodyOf({
      type: "object",
      required: ["id", "name"],
      properties: {
        id: { type: "string", readOnly: true },
        name: { type: "string" },
        owner: {
          type: "object",
          required: ["id"],
          properties: { id: { type: "string", readOnly: true }, login: { type: "string" } },
        },
      },
    });
    expect(properties(tool)).toEqual(["name", "owner"]);
    expect(tool.inputSchema.required).toEqual(["name"]);
    expect(tool.inputSchema.properties.owner).toEqual({
      type: "object",
      properties: { login: { type: "string" } },
    });
  });

  test("[I-schema] a discriminator becomes a const in each branch", () => {
    const schemas = {
      Cat: { type: "object", properties: { kind: { type: "string" }, lives: { type: "integer" } } },
      Dog: { type: "object", properties: { kind: { type: "string" }, barks: { type: "boolean" } } },
    };
    const pet = {
      oneOf: [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }],
      discriminator: { propertyName: "kind", mapping: { cat: "#/components/schemas/Cat", dog: "Dog" } },
    };
    const tool = bodyOf({ type: "object", properties: { pet } }, { components: { schemas } });
    const fits = compile(tool.inputSchema);
    expect(fits({ pet: { kind: "cat", lives: 9 } })).toBe(true);
    expect(fits({ pet: { kind: "cat", lives: "nine" } })).toBe(false);
    expect(fits({ pet: { kind: "bird" } })).toBe(false);
    expect(JSON.stringify(tool.inputSchema)).not.toContain("oneOf");
  });

  test("[I-schema] examples, ids and extensions go as keywords and stay as names of properties", () => {
    const tool = bodyOf({
      type: "object",
      "x-internal": true,
      properties: {
        example: { type: "string", example: "x", id: "clash" },
        id: { type: "integer", xml: { name: "i" }, $id: "https://example.com/clash" },
      },
    });
    expect(tool.inputSchema.properties).toEqual({ example: { type: "string" }, id: { type: "integer" } });
  });

  test("[I-schema] what clients refuse is mended: lists without items, repeated names, true as a schema, foreign patterns", () => {
    const tool = bodyOf({
      type: "object",
      required: ["a", "a"],
      properties: {
        a: { type: "array" },
        b: true,
        c: { type: "string", pattern: "(?i)^x$" },
        d: { type: "string", enum: ["x", "x", 1] },
        e: { type: "integer", minimum: 1, exclusiveMinimum: true },
        f: { type: "int" },
      },
    });
    expect(tool.inputSchema.required).toEqual(["a"]);
    expect(tool.inputSchema.properties).toMatchObject({
      a: { type: "array", items: {} },
      b: {},
      c: { type: "string" },
      d: { type: "string", enum: ["x", "1"] },
      e: { type: "integer", exclusiveMinimum: 1 },
      f: { type: "integer" },
    });
    expect(tool.inputSchema.properties.e).not.toHaveProperty("minimum");
    compile(tool.inputSchema);
  });

  test("[I-schema] rules about the names of properties stay", () => {
    const labels = {
      type: "object",
      propertyNames: { pattern: "^[a-z]+$" },
      additionalProperties: { type: "string" },
    };
    const tool = bodyOf({ type: "object", properties: { labels } });
    expect(tool.inputSchema.properties.labels).toEqual(labels);
  });

  test("[I-schema] allOf is put together, so that its properties can be asked for", () => {
    const schemas = { Base: { type: "object", required: ["id"], properties: { id: { type: "string" } } } };
    const schema = {
      allOf: [{ $ref: "#/components/schemas/Base" }, { properties: { name: { type: "string" } } }],
    };
    expect(properties(bodyOf(schema, { components: { schemas } }))).toEqual(["id", "name"]);
  });

  test("[I-schema] a schema too large for a client is shortened and says so", () => {
    const deep = (depth: number): Json => ({
      type: "object",
      description: "d".repeat(300),
      properties:
        depth === 0 ? {} : Object.fromEntries("abcdef".split("").map((key) => [key, deep(depth - 1)])),
    });
    const { toolset, warnings } = tools({
      "/x": {
        post: {
          operationId: "big",
          requestBody: jsonBody({ type: "object", properties: { root: deep(4) } }),
        },
      },
    });
    const [tool] = toolset.tools;
    expect(Buffer.byteLength(JSON.stringify(tool!.inputSchema))).toBeLessThanOrEqual(50_000);
    expect(warnings).toEqual(["big: its input schema was shortened to 50 kB"]);
    compile(tool!.inputSchema);
  });
});

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

  test("[I-annotations] methods become hints, tags stay tags", () => {
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

describe("choosing", () => {
  const paths = {
    "/repos/{id}/issues": {
      get: { operationId: "issues/list", tags: ["Issues"] },
      post: { operationId: "issues/create", tags: ["Issues"] },
    },
    "/repos": { get: { operationId: "repos/list", deprecated: true } },
    "/reposx": { get: { operationId: "other" } },
  };
  const chosen = (options: ImportOptions) => tools(paths, {}, options).toolset.tools.map(({ name }) => name);

  test.each<[ImportOptions, string[]]>([
    [{}, ["issues_list", "issues_create", "other"]],
    [{ includeDeprecated: true, paths: ["/repos"] }, ["issues_list", "issues_create", "repos_list"]],
    [{ paths: ["/repos/*/issues"] }, ["issues_list", "issues_create"]],
    [{ paths: ["/repos*"] }, ["other"]],
    [{ tags: ["issues"], readOnly: true }, ["issues_list"]],
    [{ methods: ["post"] }, ["issues_create"]],
    [{ operations: ["issues/*", "other"], exclude: ["*create"] }, ["issues_list", "other"]],
    [{ exclude: ["Issues"] }, ["other"]],
    [{ exclude: ["/reposx"] }, ["issues_list", "issues_create"]],
  ])("[I-select] %j", (options, expected) => {
    expect(chosen(options)).toEqual(expected);
  });

  test("[I-select] what is left out is named with its reason", () => {
    expect(tools(paths).skipped).toEqual([
      { method: "GET", path: "/repos", operationId: "repos/list", reason: "deprecated", byChoice: true },
    ]);
  });
});

describe("documents", () => {
  test("[I-swagger] Swagger 2: host and base path, body, form, file, list formats", () => {
    const { toolset } = importOpenApi(`
swagger: "2.0"
info: { title: Old, version: 1 }
host: api.example.com
basePath: /v2
schemes: [http, https]
paths:
  /a:
    parameters: [{ $ref: "#/parameters/limit" }]
    post:
      parameters:
        - { name: ids, in: query, type: array, items: { type: string }, collectionFormat: pipes }
        - { name: body, in: body, required: true, schema: { $ref: "#/definitions/Pet" } }
      responses: { 200: { description: ok } }
  /b:
    post:
      consumes: [multipart/form-data]
      parameters:
        - { name: file, in: formData, type: file, required: true }
        - { name: note, in: formData, type: string }
parameters:
  limit: { name: limit, in: query, type: integer, maximum: 5 }
definitions:
  Pet: { type: object, required: [name], properties: { name: { type: string } } }
`);
    const [a, b]: any[] = [...toolset.tools];
    expect(a.execution).toMatchObject({
      url: "{{env.OLD_BASE_URL | 'https://api.example.com/v2'}}/a",
      paramStyles: { query: { ids: "pipeDelimited" } },
      body: { type: "json", content: { name: "{!!props.name!!}" } },
    });
    expect(a.inputSchema.properties.limit).toEqual({ type: "integer", maximum: 5 });
    expect(b.execution.body).toEqual({
      type: "multipart",
      content: { note: "{!!props.note!!}" },
      files: { file: { path: "{!!props.file!!}" } },
    });
    expect(b.inputSchema.properties.file.description).toBe("Path of the file to upload.");
  });

  test("[I-same] importing twice gives the same text", () => {
    const paths = { "/a/{b}": { get: { operationId: "a", parameters: [query("c", { type: "string" })] } } };
    expect(JSON.stringify(tools(paths).toolset)).toBe(JSON.stringify(tools(paths).toolset));
  });

  test.each([
    ["{}", "no field 'openapi' or 'swagger'"],
    ['{"openapi":"4.0.0","paths":{}}', "Version 4.0.0 is not supported"],
    ['{"swagger":"1.2"}', "Version 1.2 is not supported"],
    ['{"openapi":"3.1.0"}', "no 'paths', so there is nothing to import."],
    ['{"openapi":"3.1.0","components":{}}', "import the one that refers to it"],
    ['{"openapi":"3.1.0","webhooks":{},"components":{}}', "only 'webhooks': requests that the API sends"],
    ['{"info":{},"item":[]}', "mci import postman"],
    ["a: [b", "neither JSON nor YAML"],
    ["just text", "must be a JSON or YAML object"],
  ])("[I-errors] %s says what is wrong", (text, message) => {
    expect(() => importOpenApi(text)).toThrow(message);
  });

  test("[I-hostile] circles of references, chains without end and deep nesting end in a tool", () => {
    const chain = Object.fromEntries(
      Array.from({ length: 5000 }, (_, index) => [
        `S${index}`,
        { type: "object", properties: { next: { $ref: `#/components/schemas/S${index + 1}` } } },
      ]),
    );
    let deep: Json = { type: "string" };
    for (let index = 0; index < 3000; index++) deep = { type: "object", properties: { a: deep } };
    const schemas = {
      ...chain,
      Self: { $ref: "#/components/schemas/Self" },
      A: { allOf: [{ $ref: "#/components/schemas/B" }] },
      B: { allOf: [{ $ref: "#/components/schemas/A" }, { $ref: "#/components/schemas/A" }] },
      Deep: deep,
    };
    const props = ["S0", "Self", "A", "Deep"].map((name) => [name, { $ref: `#/components/schemas/${name}` }]);
    const body = jsonBody({ type: "object", properties: Object.fromEntries(props) });
    const { toolset } = tools({ "/x": { post: { requestBody: body } } }, { components: { schemas } });
    expect(Buffer.byteLength(JSON.stringify(toolset.tools[0]!.inputSchema))).toBeLessThanOrEqual(50_000);
    compile(toolset.tools[0]!.inputSchema);
  });

  test("[I-hostile] a document that doubles itself at every level takes no time", () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => {
        const next = { $ref: `#/components/schemas/D${index + 1}` };
        return [
          `D${index}`,
          { allOf: [{ properties: { [`a${index}`]: next, [`b${index}`]: next } }, next, { allOf: [next] }] },
        ];
      }),
    );
    const started = cpuMs();
    const { toolset } = tools(
      { "/x": { post: { requestBody: jsonBody({ $ref: "#/components/schemas/D0" }) } } },
      { components: { schemas } },
    );
    expect(toolset.tools).toHaveLength(1);
    expect(cpuMs() - started).toBeLessThan(5000);
  });

  test("[I-hostile] text of the document never acts as a template", () => {
    const { toolset } = tools(
      { "/a'}}{{env.SECRET}}/@{id}": { get: { parameters: [query("{{env.SECRET}}", {})] } } },
      { servers: [{ url: "https://api.example.com/{{env.SECRET}}'}}" }] },
    );
    const { url, params }: any = toolset.tools[0]!.execution;
    expect(url.match(/env\.\w+/g)).not.toContain("env.SECRET");
    expect(Object.keys(params)).toEqual(["{{env.SECRET}}"]);
  });
});

test("[I-public] addresses are public variables, credentials are not", () => {
  const { toolset } = importOpenApi({
    openapi: "3.0.0",
    info: { title: "Pets", version: "1" },
    servers: [{ url: "https://{region}.pets.example.com/v1", variables: { region: { default: "eu" } } }],
    components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } } },
    security: [{ key: [] }],
    paths: { "/pets": { get: { operationId: "list" } } },
  });
  expect(toolset.publicEnv).toEqual(["PETS_REGION"]);
});

test("[I-output] output schemas come only when asked for, name what is there, and no real response fails them", () => {
  const pet = {
    type: "object",
    required: ["id", "name"],
    additionalProperties: false,
    properties: {
      id: { type: "integer", readOnly: true, description: "Its number" },
      status: { type: "string", enum: ["free", "sold"] },
      password: { type: "string", writeOnly: true },
      owner: { $ref: "#/components/schemas/Pet" },
    },
  };
  const document = {
    openapi: "3.0.0",
    info: { title: "Pets", version: "1" },
    components: { schemas: { Pet: pet } },
    paths: {
      "/pet": {
        get: {
          operationId: "pet",
          responses: {
            201: {
              description: "ok",
              content: { "application/json": { schema: { $ref: "#/components/schemas/Pet" } } },
            },
          },
        },
        delete: { operationId: "remove", responses: { 204: { description: "gone" } } },
      },
      "/pets": {
        get: {
          operationId: "pets",
          responses: {
            "2XX": {
              description: "ok",
              content: { "application/json": { schema: { type: "array", items: {} } } },
            },
          },
        },
      },
    },
  };
  const plain = importOpenApi(document).toolset.tools;
  expect(plain.map((tool) => tool.outputSchema)).toEqual([undefined, undefined, undefined]);
  const [one, none, list] = importOpenApi(document, { outputSchemas: true }).toolset.tools;
  expect(none?.outputSchema).toBeUndefined();
  expect(list?.outputSchema).toBeUndefined();
  expect(one?.outputSchema).toMatchObject({
    type: "object",
    properties: {
      id: { description: "integer; Its number" },
      status: { description: "string; one of free, sold" },
    },
  });
  expect(JSON.stringify(one?.outputSchema)).not.toMatch(/password|required|additionalProperties|enum/);
  const validate = compile(one!.outputSchema!);
  for (const response of [{}, { id: "7", status: null, more: 1 }, { owner: { owner: 5 } }])
    expect(validate(response)).toBe(true);
});
