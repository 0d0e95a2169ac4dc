import { importOpenApi } from "mci-ts/openapi";
import { expect, test } from "vitest";
import { importCurl } from "../../src/import/curl/curl.ts";
import { importMcpConfig } from "../../src/import/mcp-config/mcp-config.ts";
import { importPostman } from "../../src/import/postman/postman.ts";

const VALUE = "--require=/tmp/Zq8x7w6v5u4t3s2r1";

/** Documents whose title and names together are the name of a variable that programs obey. */
const DOCUMENTS: Readonly<
  Record<string, () => { readonly variables: readonly { readonly name: string }[] }>
> = {
  "OpenAPI, server": () => openApi("HTTPS", "proxy", {}),
  "OpenAPI, scheme": () => openApi("LD", "x", { a: "A", PRELOAD: "B" }),
  "OpenAPI, title alone": () => openApi("Path", "path", {}),
  Postman: () =>
    importPostman(
      JSON.stringify({
        info: { name: "node" },
        variable: [{ key: "options", value: VALUE }],
        item: [
          {
            name: "a",
            request: { url: "https://a.example/", header: [{ key: "X-A", value: "{{options}}" }] },
          },
        ],
      }),
    ),
  curl: () => importCurl(`curl https://node.example/ -H 'Options: ${VALUE}'`),
  "MCP configuration": () =>
    importMcpConfig(
      JSON.stringify({ mcpServers: { s: { command: "npx", env: { NODE_OPTIONS: VALUE, GIT_TOKEN: "x" } } } }),
    ),
};

test.each(Object.entries(DOCUMENTS))(
  "[C-import-names] no document makes a variable that programs obey: %s",
  (_, read) => {
    const names = read().variables.map(({ name }) => name);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names)
      expect(name).not.toMatch(/^(?:NODE_OPTIONS|LD_PRELOAD|HTTPS_PROXY|PATH|GIT_TOKEN)$/);
  },
);

test.each([
  ["AWS", "secret_access_key", "AWS_SECRET_ACCESS_KEY"],
  ["aws secret", "Access-Key", "AWS_SECRET_ACCESS_KEY"],
  ["OpenAI", "api_key", "OPENAI_API_KEY"],
  ["GitHub", "token", "GITHUB_TOKEN"],
])(
  "[C-import-names] no document gets a credential that people keep for another service: %s, %s",
  (title, name, known) => {
    const item = {
      name: "a",
      request: { url: "https://a.example/", header: [{ key: "X-A", value: `{{${name}}}` }] },
    };
    const collection = { info: { name: title }, variable: [{ key: name, value: "" }], item: [item] };
    const scheme = { type: "apiKey", in: "header", name: "X-A" };
    const description = (prefix?: string) =>
      importOpenApi(
        {
          openapi: "3.1.0",
          info: { title },
          servers: [{ url: "https://a.example" }],
          components: { securitySchemes: { [name]: scheme, other: { ...scheme, name: "X-B" } } },
          paths: { "/x": { get: { security: [{ [name]: [], other: [] }] } } },
        },
        prefix === undefined ? {} : { variablePrefix: prefix },
      );
    for (const { variables } of [importPostman(JSON.stringify(collection)), description()]) {
      expect(variables.length).toBeGreaterThan(0);
      expect(variables.map((variable) => variable.name)).not.toContain(known);
    }
  },
);

test("[C-import-names] where the user or the host decides, the usual name stays", () => {
  const curl = importCurl("curl https://api.github.com/ -H 'Authorization: Bearer abc'");
  expect(curl.variables.map(({ name }) => name)).toEqual(["GITHUB_TOKEN"]);
  const scheme = { type: "http", scheme: "bearer" };
  const { variables } = importOpenApi(
    {
      openapi: "3.1.0",
      info: { title: "x" },
      servers: [{ url: "https://a.example" }],
      components: { securitySchemes: { s: scheme } },
      paths: { "/x": { get: { security: [{ s: [] }] } } },
    },
    { variablePrefix: "GITHUB" },
  );
  expect(variables.map((variable) => variable.name)).toContain("GITHUB_TOKEN");
});

test("[C-import-names] variables that a configuration refers to keep their names", () => {
  const { variables } = importMcpConfig(
    JSON.stringify({
      // biome-ignore lint/suspicious/noTemplateCurlyInString: of the configuration
      mcpServers: { s: { command: "npx", args: ["${HOME}/x"], env: { GITHUB_TOKEN: "x" } } },
    }),
  );
  expect(variables.map(({ name }) => name).sort()).toEqual(["GITHUB_TOKEN", "HOME"]);
});

function openApi(title: string, server: string, schemes: Readonly<Record<string, string>>) {
  return importOpenApi({
    openapi: "3.1.0",
    info: { title, version: "1" },
    servers: [{ url: `https://{${server}}.example`, variables: { [server]: { default: "a" } } }],
    components: {
      securitySchemes: Object.fromEntries(
        Object.entries(schemes).map(([name, header]) => [
          name,
          { type: "apiKey", in: "header", name: header },
        ]),
      ),
    },
    paths: {
      "/x": {
        get: {
          security: [Object.fromEntries(Object.keys(schemes).map((name) => [name, []]))],
          responses: {},
        },
      },
    },
  });
}
