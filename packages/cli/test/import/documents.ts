// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of other clients look like this
import { importOpenApi } from "../../../mci/src/openapi/index.ts";
import { writeServer } from "../../../mci/src/template/setting.ts";
import { importCurl } from "../../src/import/curl/curl.ts";
import { importMcpConfig } from "../../src/import/mcp-config/mcp-config.ts";
import { importPostman } from "../../src/import/postman/postman.ts";
import { serverSettings } from "../../src/registry/server-settings.ts";

/** What an import made, whatever the kind. */
export interface Made {
  readonly document: {
    readonly envAllowList?: readonly string[];
    readonly tools?: readonly object[];
    readonly mcp_servers?: Readonly<Record<string, object>>;
  };
  readonly variables: readonly { readonly name: string }[];
}

interface Kind {
  /** Documents with a string in every place that reaches a tool. */
  readonly documents: readonly unknown[];
  readonly read: (document: unknown) => Made;
}

const openapi = (operation: object, more: object = {}) => ({
  openapi: "3.1.0",
  info: { title: "Shop API", version: "1", description: "About" },
  servers: [
    {
      url: "https://{region}.shop.example/v1",
      variables: { region: { default: "eu", description: "Where" } },
    },
  ],
  paths: {
    "/orders/{id}": {
      post: { operationId: "op", tags: ["t"], summary: "Sum", description: "Desc", ...operation },
    },
  },
  ...more,
});
const schema = {
  type: "object",
  properties: {
    file: { type: "string", format: "binary" },
    note: { type: "string", default: "d", enum: ["d"] },
  },
};
const secured = (scheme: object) =>
  openapi({ security: [{ s: ["scope"] }] }, { components: { securitySchemes: { s: scheme } } });

const quote = (word: unknown) => `'${String(word).replaceAll("'", "'\\''")}'`;

/** Every kind. A curl command is a list of words. */
export const KINDS: Readonly<Record<string, Kind>> = {
  openapi: {
    documents: [
      openapi({
        parameters: [
          {
            name: "id",
            in: "path",
            required: true,
            style: "matrix",
            schema: { type: "array", items: {} },
            description: "D",
          },
          { name: "q", in: "query", schema: { type: "string", default: "x" } },
          { name: "f", in: "query", style: "deepObject", schema: { type: "object" } },
          { name: "X-H", in: "header", schema: { type: "string" } },
          { name: "c", in: "cookie", schema: { type: "string" } },
        ],
        responses: { 200: { content: { "application/vnd.shop+json": {} } } },
      }),
      openapi({ requestBody: { content: { "application/json": { schema } }, description: "B" } }),
      openapi({
        requestBody: {
          content: {
            "multipart/form-data": {
              schema,
              encoding: { file: { contentType: "image/png" }, note: { contentType: "text/csv" } },
            },
          },
        },
      }),
      openapi({
        requestBody: {
          content: {
            "application/x-www-form-urlencoded": {
              schema,
              encoding: { note: { style: "form", explode: false } },
            },
          },
        },
      }),
      openapi({
        requestBody: { required: true, content: { "text/markdown": { schema: { type: "string" } } } },
      }),
      openapi({ requestBody: { content: { "application/octet-stream": {} } } }),
      openapi({}, { servers: [{ url: "https://shop.example/v1" }] }),
      openapi({ servers: [{ url: "//other.example" }] }),
      {
        ...openapi({}),
        paths: {
          "/orders": {
            get: {
              parameters: [
                { name: "cursor", in: "query", schema: { type: "string" } },
                { name: "Idempotency-Key", in: "header", schema: { type: "string" } },
              ],
              responses: {
                200: {
                  headers: { Link: { description: "next" } },
                  content: {
                    "application/json": {
                      schema: {
                        type: "object",
                        properties: {
                          items: { type: "array", items: {} },
                          next_cursor: { type: "string" },
                        },
                      },
                    },
                  },
                },
              },
            },
          },
        },
      },
      {
        swagger: "2.0",
        info: { title: "Shop" },
        host: "shop.example",
        basePath: "/v1",
        schemes: ["https"],
        consumes: ["multipart/form-data"],
        securityDefinitions: { k: { type: "apiKey", in: "header", name: "X-Key" } },
        security: [{ k: [] }],
        paths: {
          "/a/{id}": {
            post: {
              parameters: [
                { name: "id", in: "path", type: "string", required: true },
                { name: "l", in: "query", type: "array", items: { type: "string" }, collectionFormat: "tsv" },
                { name: "f", in: "formData", type: "file" },
                { name: "t", in: "formData", type: "string", default: "d" },
              ],
            },
          },
        },
      },
      secured({ type: "apiKey", in: "header", name: "X-Key" }),
      secured({ type: "apiKey", in: "query", name: "key" }),
      secured({ type: "http", scheme: "bearer" }),
      secured({ type: "http", scheme: "token" }),
      secured({
        type: "oauth2",
        flows: { clientCredentials: { tokenUrl: "https://id.example/t", scopes: { scope: "S" } } },
      }),
    ],
    read: (document) => {
      const { toolset, variables } = importOpenApi(document as object);
      return { document: toolset, variables };
    },
  },
  postman: {
    documents: [
      {
        info: { name: "Shop", description: "About" },
        variable: [
          { key: "base", value: "https://shop.example" },
          { key: "v", value: "w" },
        ],
        auth: {
          type: "apikey",
          apikey: [
            { key: "key", value: "X-Key" },
            { key: "in", value: "header" },
            { key: "value", value: "abc" },
          ],
        },
        item: [
          {
            name: "F",
            item: [
              {
                name: "Ask",
                request: {
                  method: "POST",
                  description: "D",
                  url: {
                    raw: "{{base}}/a/:id/<x>/{y}/b?q=1",
                    query: [{ key: "q", value: "1", description: "Q" }],
                    variable: [{ key: "id", value: "7" }],
                  },
                  header: [
                    { key: "X-H", value: "plain" },
                    { key: "X-V", value: "a{{v}}b" },
                    { key: "Cookie", value: "s={{v}}" },
                  ],
                  body: { mode: "raw", raw: '{"a": "b", "n": {"token": "t", "l": ["{{v}}"]}}' },
                },
              },
              {
                name: "Form",
                request: {
                  url: "https://shop.example/f",
                  body: { mode: "urlencoded", urlencoded: [{ key: "k", value: "v" }] },
                },
              },
              {
                name: "Multi",
                request: {
                  url: "https://me:pw@shop.example/f",
                  body: {
                    mode: "formdata",
                    formdata: [
                      { key: "t", value: "v", contentType: "text/csv" },
                      { key: "u", type: "file", src: "a.png", contentType: "image/png" },
                    ],
                  },
                },
              },
              {
                name: "Graph",
                request: {
                  url: "https://{{user}}:{{pass}}@shop.example/g",
                  body: {
                    mode: "graphql",
                    graphql: { query: 'q(password: "x") { a }', variables: '{"id":1}' },
                  },
                },
              },
              {
                name: "OAuth",
                request: {
                  url: "https://shop.example/o",
                  auth: {
                    type: "oauth2",
                    oauth2: [
                      { key: "grant_type", value: "client_credentials" },
                      { key: "accessTokenUrl", value: "https://id.example/t" },
                      { key: "scope", value: "a b" },
                    ],
                  },
                },
              },
            ],
          },
        ],
      },
    ],
    read: (document) => importPostman(JSON.stringify(document)),
  },
  curl: {
    documents: [
      [
        "-X",
        "POST",
        "https://shop.example/a/42/b?q=1&token=t",
        "-H",
        "X-H: plain",
        "-H",
        "X-Token: t",
        "--json",
        '{"a":"b","n":{"secret":"s"}}',
      ],
      ["https://shop.example/f", "-d", "a=1&b=two", "-b", "sid=1", "-u", "me:pw"],
      ["https://shop.example/m", "-F", "a=b;type=text/csv", "-F", "f=@a.png;type=image/png;filename=b.png"],
      [
        "https://shop.example/q",
        "--url-query",
        "q=1",
        "-G",
        "-d",
        "a=b",
        "-T",
        "up.bin",
        "--oauth2-bearer",
        "t",
      ],
      ["https://shop.example/r", "-H", "Content-Type: text/xml", "--data-raw", "<a/>"],
    ],
    read: (words) => importCurl(["curl", ...(words as unknown[]).map(quote)].join(" ")),
  },
  "mcp-config": {
    documents: [
      {
        mcpServers: {
          a: {
            command: "npx",
            args: ["-y", "x", "--api-key", "k", "--u=https://s.example/?key=v&b=c"],
            env: { A: "plain", TOKEN: "t", R: "${HOME}/x" },
          },
          b: { url: "https://s.example/p?key=v&q=w", headers: { "X-H": "plain", Authorization: "Bearer t" } },
        },
      },
    ],
    read: (document) => importMcpConfig(JSON.stringify(document)),
  },
  registry: {
    documents: [
      {
        packages: [
          {
            registryType: "npm",
            identifier: "@ada/weather",
            version: "1.2.0",
            transport: { type: "stdio" },
            packageArguments: [
              { type: "positional", value: "serve" },
              { type: "named", name: "--units", default: "metric", description: "D" },
              { type: "positional", valueHint: "city", isRequired: true },
              { type: "named", name: "--at", value: "{where}", variables: { where: { default: "here" } } },
            ],
            environmentVariables: [
              { name: "WEATHER_KEY", isRequired: true, isSecret: true, description: "Key" },
              { name: "WEATHER_URL", value: "https://{r}.example", variables: { r: { default: "eu" } } },
            ],
          },
        ],
      },
      {
        remotes: [
          {
            type: "streamable-http",
            url: "https://{tenant}.weather.example/{path}",
            variables: { tenant: { default: "a", description: "T" }, path: { isRequired: true } },
            headers: [
              { name: "X-Key", isRequired: true, isSecret: true },
              { name: "X-Team", value: "a {team}", variables: { team: { default: "b" } } },
            ],
          },
        ],
      },
    ],
    read: (entry) => {
      const { settings, inputs } = serverSettings(entry as Record<string, unknown>, "weather", undefined);
      const read = new Set<string>();
      const server = writeServer(settings, read);
      return { document: { mcp_servers: { weather: server } }, variables: inputs.variables.readBy(read) };
    },
  },
};

export type Change = (text: string, index: number) => string;

/** A copy in which every string, keys included, is what `change` makes of it. */
export function changeStrings(value: unknown, change: Change): unknown {
  let index = 0;
  const visit = (node: unknown): unknown => {
    if (typeof node === "string") return change(node, index++);
    if (Array.isArray(node)) return node.map(visit);
    if (typeof node !== "object" || node === null) return node;
    return Object.fromEntries(Object.entries(node).map(([key, item]) => [change(key, index++), visit(item)]));
  };
  return visit(value);
}

/** How many strings, keys included. */
export function countStrings(value: unknown): number {
  let count = 0;
  changeStrings(value, (text) => {
    count += 1;
    return text;
  });
  return count;
}
