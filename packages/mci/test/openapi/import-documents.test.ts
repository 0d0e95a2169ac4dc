// biome-ignore-all lint/suspicious/noExplicitAny: tools are looked at as plain data
import { describe, expect, test } from "vitest";
import { cpuMs } from "../../../../test/cpu-time.ts";
import { type ImportOptions, importOpenApi } from "../../src/openapi/index.ts";
import { type Json, jsonBody, query, tools } from "./one-operation.ts";
import { compile } from "./wire/sample.ts";

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

  test("importing twice gives the same text", () => {
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
      Array.from({ length: 2000 }, (_, index) => [
        `S${index}`,
        { type: "object", properties: { next: { $ref: `#/components/schemas/S${index + 1}` } } },
      ]),
    );
    let deep: Json = { type: "string" };
    for (let index = 0; index < 2000; index++) deep = { type: "object", properties: { a: deep } };
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

test("[I-base-url] a path that does not begin with a slash is refused: it would move the host", () => {
  const paths = {
    ".evil.example/x": { get: {} },
    "@evil.example": { get: {} },
    ":81/x": { get: {} },
    "/ok": { get: {} },
  };
  const document = { openapi: "3.1.0", info: { title: "Pets", version: "1" }, paths };
  const { toolset, skipped } = importOpenApi(document, { baseUrl: "https://api.example.com" });
  expect(toolset.tools).toHaveLength(1);
  expect(skipped.map(({ path, reason }) => `${path}: ${reason}`)).toEqual(
    [".evil.example/x", "@evil.example", ":81/x"].map((path) => `${path}: its path does not begin with '/'`),
  );
});

test("[I-env-allow-list] the toolset names all variables that it reads, those of the base address too", () => {
  const document = {
    openapi: "3.1.0",
    info: { title: "Pets", version: "1" },
    paths: { "/a": { get: {} } },
    security: [{ key: [] }],
    components: { securitySchemes: { key: { type: "http", scheme: "bearer" } } },
  };
  const { toolset, variables } = importOpenApi(document, { baseUrl: "https://{{env.STAGE}}.example.com" });
  expect(toolset.envAllowList).toEqual(["PETS_TOKEN", "STAGE"]);
  expect(variables.map(({ name }) => name)).toEqual(toolset.envAllowList);
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

test("[I-bearer-key] an API key in Authorization that is a bearer token is sent as one", () => {
  const auth = (scheme: object) => {
    const document = {
      swagger: "2.0",
      info: { title: "Pets", version: "1" },
      paths: { "/a": { get: {} } },
      security: [{ BearerToken: [] }],
      securityDefinitions: {
        BearerToken: { type: "apiKey", in: "header", name: "Authorization", ...scheme },
      },
    };
    return importOpenApi(document).toolset.tools[0]!.execution.auth;
  };
  expect(auth({})).toEqual({ type: "bearer", token: "{{env.PETS_API_KEY}}" });
  expect(auth({ name: "X-Key" })).toMatchObject({ type: "apiKey", name: "X-Key" });
});
