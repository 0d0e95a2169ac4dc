// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of other clients look like this

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { serve } from "../../../test/servers.ts";
import { mciHere as mci } from "./in-process.ts";
import { folder as project } from "./mci.ts";

const PETS = {
  openapi: "3.0.3",
  info: { title: "Pets", version: "1" },
  servers: [{ url: "https://pets.example.com" }],
  components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } } },
  security: [{ key: [] }],
  paths: {
    "/pets": { get: { operationId: "list", tags: ["read"] }, post: { operationId: "create" } },
    "/pets/{id}": { delete: { operationId: "remove", deprecated: true } },
  },
};

const json = (path: string) => JSON.parse(readFileSync(path, "utf8"));
const names = (path: string) => json(path).tools.map(({ name }: { name: string }) => name);

describe("mci import openapi", () => {
  test("[C-import] writes a toolset that validates, and says what it made and what to set", async () => {
    const cwd = project({
      "pets.json": JSON.stringify(PETS),
      "mci.json": '{"schemaVersion":"1.0","toolsets":["zoo"]}',
    });
    const { code, stdout } = await mci(["import", "openapi", "pets.json", "-o", "mci/zoo.mci.json"], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain("Imported 2 tools into mci/zoo.mci.json");
    expect(stdout).toContain("Not chosen (deprecated): 1");
    expect(stdout).toContain("ZOO_API_KEY  API key (security scheme 'key') (set it)");
    const checked = await mci(["validate", "--strict", "--env", "ZOO_API_KEY=x"], { cwd });
    expect(checked.stdout).toContain("mci.json: valid");
  });

  test("what would not be valid is left out with the reason, and the file passes mci validate", async () => {
    const unknownStyle = [{ name: "n", in: "query", style: "weird", schema: { type: "array" } }];
    const paths = { ...PETS.paths, "/odd": { get: { operationId: "odd", parameters: unknownStyle } } };
    const cwd = project({
      "pets.json": JSON.stringify({ ...PETS, paths }),
      "odd.json": JSON.stringify({ ...PETS, paths: { "/odd": paths["/odd"] } }),
    });
    const { stdout } = await mci(["import", "openapi", "pets.json", "-o", "x.yaml"], { cwd });
    expect(stdout).toContain("Imported 2 tools into x.yaml");
    expect(stdout).toContain(
      "  Left out: 1\n    odd: it would not be valid: execution.paramStyles.query.n: Must be one of form,",
    );
    expect((await mci(["validate", "-f", "x.yaml"], { cwd })).code).toBe(0);
    const nothing = await mci(["import", "openapi", "odd.json", "-o", "y.json"], { cwd });
    expect(nothing.code).toBe(1);
    expect(nothing.stderr).toContain("Nothing could be imported:\n  odd: it would not be valid");
    expect(existsSync(join(cwd, "y.json"))).toBe(false);
  });

  test("[C-import] importing again changes nothing, or says what was added, removed and changed", async () => {
    const cwd = project({ "pets.json": JSON.stringify(PETS) });
    const again = () =>
      mci(["import", "openapi", "pets.json", "-o", "pets.mci.yaml", "--format", "json"], { cwd });
    await again();
    const before = readFileSync(join(cwd, "pets.mci.yaml"), "utf8");
    expect(JSON.parse((await again()).stdout)).toMatchObject({ added: [], removed: [], changed: [] });
    expect(readFileSync(join(cwd, "pets.mci.yaml"), "utf8")).toBe(before);
    const paths = {
      "/pets": { get: { operationId: "list", summary: "New" } },
      "/cats": { get: { operationId: "cats" } },
    };
    writeFileSync(join(cwd, "pets.json"), JSON.stringify({ ...PETS, paths }));
    expect(JSON.parse((await again()).stdout)).toMatchObject({
      added: ["cats"],
      removed: ["create"],
      changed: ["list"],
    });
    expect(parse(readFileSync(join(cwd, "pets.mci.yaml"), "utf8")).tools).toHaveLength(2);
  });

  test("[C-import] a file with more in it than an import is not overwritten", async () => {
    const entry = '{"schemaVersion":"1.0","toolsets":["a"],"tools":[]}';
    const cwd = project({ "pets.json": JSON.stringify(PETS), "mci.json": entry });
    const { code, stderr } = await mci(["import", "openapi", "pets.json", "-o", "mci.json"], { cwd });
    expect(code).toBe(1);
    expect(stderr).toContain("it would be lost");
    expect(readFileSync(join(cwd, "mci.json"), "utf8")).toBe(entry);
  });

  test("[C-import] the choice that leaves nothing is an error with the way out", async () => {
    const cwd = project({ "pets.json": JSON.stringify(PETS) });
    const { code, stderr } = await mci(["import", "openapi", "pets.json", "--tag", "none"], { cwd });
    expect(code).toBe(1);
    expect(stderr).toContain("No operation is left: has none of the chosen tags (3).");
    expect(stderr).toContain("Try without --tag");
  });

  test("[C-import] a document that makes no tool by itself says why, and no option is blamed", async () => {
    const get = (more: object) => ({ get: { responses: { 200: { description: "ok" } }, ...more } });
    const nothing = async (paths: object) => {
      const cwd = project({ "a.json": JSON.stringify({ ...PETS, paths }) });
      return (await mci(["import", "openapi", "a.json"], { cwd })).stderr;
    };
    expect(await nothing({})).toBe("error: The document has no operations: its 'paths' are empty.\n");
    expect(await nothing({ "/old": get({ deprecated: true }) })).toBe(
      "error: No operation is left: deprecated (1).\nhint: Import them with --include-deprecated.\n",
    );
  });

  test("[C-import] options choose and shape", async () => {
    const cwd = project({ "pets.json": JSON.stringify(PETS) });
    const options = ["--read-only", "--prefix", "p_", "--base-url", "http://127.0.0.1:9", "--auth", "bearer"];
    const { stdout } = await mci(["import", "openapi", "pets.json", ...options], { cwd });
    const [tool] = JSON.parse(stdout).tools;
    expect(tool.name).toBe("p_list");
    expect(tool.execution.url).toBe("{{env.PETS_BASE_URL | 'http://127.0.0.1:9'}}/pets");
    expect(tool.execution.auth).toEqual({ type: "bearer", token: "{{env.PETS_TOKEN}}" });
    expect((await mci(["import", "openapi", "pets.json", "--base-url", "pets"], { cwd })).code).toBe(2);
  });

  test("[C-import] references into other files of the folder are followed, others are not", async () => {
    const paths = {
      "/pets": { $ref: "parts/pets.yaml#/list" },
      "/out": {
        post: { requestBody: { content: { "application/json": { schema: { $ref: "../outside.json" } } } } },
      },
    };
    const cwd = project({
      "api/pets.json": JSON.stringify({ ...PETS, paths }),
      "api/parts/pets.yaml":
        'list:\n  post:\n    operationId: make\n    requestBody: { content: { application/json: { schema: { $ref: "../pet.yaml" } } } }\n',
      "api/pet.yaml": "type: object\nproperties: { name: { type: string }, parent: { $ref: '#' } }\n",
      "outside.json": '{"type":"object","properties":{"secret":{"type":"string"}}}',
    });
    const refused = await mci(["import", "openapi", "api/pets.json", "-o", "x.json"], { cwd });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("1 reference does not resolve");
    expect(refused.stderr).toContain(
      "../outside.json is not followed: it lies outside the document's folder",
    );
    expect(existsSync(join(cwd, "x.json"))).toBe(false);
    const { stdout, stderr } = await mci(["import", "openapi", "api/pets.json", "--force"], { cwd });
    const [make, out] = JSON.parse(stdout).tools;
    expect(Object.keys(make.inputSchema.properties)).toEqual(["name", "parent"]);
    expect(JSON.stringify(out)).not.toContain("secret");
    expect(stderr).toContain("The reference ../outside.json does not resolve");
  });

  test("[C-import] with --force, a method whose reference leads nowhere is left out and listed, not a tool without input", async () => {
    const paths = {
      "/a": { get: { $ref: "#/none" }, post: { operationId: "make" } },
      "/b": { $ref: "#/gone" },
    };
    const cwd = project({ "api.json": JSON.stringify({ ...PETS, paths }) });
    const refused = await mci(["import", "openapi", "api.json", "-o", "x.json"], { cwd });
    expect(refused.stderr).toContain("2 references do not resolve");
    const { stdout } = await mci(["import", "openapi", "api.json", "-o", "x.json", "--force"], { cwd });
    expect(names(join(cwd, "x.json"))).toEqual(["make"]);
    expect(stdout).toContain("  Left out: 1\n    GET /a: the reference #/none does not resolve");
    expect(stdout).toContain("The reference #/gone does not resolve");
  });

  test("[C-import] files that are missing are listed together, by the names they were referred to; --force writes the rest", async () => {
    const body = (file: string) => ({ content: { "application/json": { schema: { $ref: file } } } });
    const paths = {
      "/a": {
        post: { operationId: "make", requestBody: body("schemas/none.yaml#/Body") },
        get: { $ref: "gone.yaml" },
      },
    };
    const cwd = project({ "api.json": JSON.stringify({ ...PETS, paths }) });
    const refused = await mci(["import", "openapi", "api.json", "-o", "x.json"], { cwd });
    expect([refused.code, existsSync(join(cwd, "x.json"))]).toEqual([1, false]);
    expect(refused.stderr).toContain("2 references do not resolve");
    expect(refused.stderr).toContain("schemas/none.yaml#/Body");
    expect(refused.stderr).toContain("gone.yaml");
    const { code, stdout } = await mci(["import", "openapi", "api.json", "-o", "x.json", "--force"], { cwd });
    expect([code, names(join(cwd, "x.json"))]).toEqual([0, ["make"]]);
    expect(stdout).toContain("The reference schemas/none.yaml#/Body does not resolve");
    expect(stdout).toMatch(/cannot be read: File not found: .*none\.yaml/);
    expect((await mci(["validate", "x.json"], { cwd })).code).toBe(0);
  });

  test("[C-import] the summary names the tools that follow pages, and those that do not", async () => {
    const page = { type: "object", properties: { pets: { type: "array" }, next: { type: "string" } } };
    const get = (operationId: string, schema: object) => ({
      get: {
        operationId,
        parameters: [{ name: "cursor", in: "query", schema: { type: "string" } }],
        responses: { 200: { description: "ok", content: { "application/json": { schema } } } },
      },
    });
    const paths = { "/pets": get("pets", page), "/cats": get("cats", {}) };
    const cwd = project({ "api.json": JSON.stringify({ ...PETS, paths }) });
    const { stdout } = await mci(["import", "openapi", "api.json", "-o", "x.json"], { cwd });
    expect(stdout).toContain("  Pages are followed by 1 tool (pagination): pets\n");
    expect(stdout).toContain(
      "  Pages are not followed by 1 tool, as the document does not show how (set pagination): cats\n",
    );
  });

  test("[C-import] references are followed wherever they stand: at a path, a method, a list, a media type, a text", async () => {
    const cwd = project({
      "api.yaml":
        "openapi: 3.1.0\ninfo: { title: Pets, version: '1' }\npaths:\n  /pets/{id}: { $ref: paths/pet.yaml }\n  /gone: { $ref: none.yaml#/x }\n",
      "none.yaml": "y: {}\n",
      "paths/pet.yaml":
        "get: { $ref: ../operations/get.yaml }\npost: { $ref: '../operations/post.yaml#/make' }\n",
      "operations/get.yaml":
        "operationId: read\ndescription: { $ref: ../texts/get.md }\nparameters: { $ref: ../parts.yaml#/parameters }\n",
      "operations/post.yaml":
        "make:\n  operationId: make\n  requestBody: { content: { application/json: { $ref: ../parts.yaml#/media } } }\n",
      "texts/get.md": "Reads a pet.\n",
      "parts.yaml":
        "parameters: [{ $ref: '#/limit' }]\nlimit: { name: limit, in: query, schema: { type: integer } }\nmedia: { schema: { type: object, properties: { name: { type: string } } } }\n",
    });
    const refused = await mci(["import", "openapi", "api.yaml"], { cwd });
    expect(refused.stderr).toContain("1 reference does not resolve");
    const { stdout } = await mci(["import", "openapi", "api.yaml", "--force", "--path", "/pets"], { cwd });
    const [read, make] = JSON.parse(stdout).tools;
    expect(read).toMatchObject({ name: "read", description: "Reads a pet." });
    expect(Object.keys(read.inputSchema.properties)).toEqual(["id", "limit"]);
    expect(Object.keys(make.inputSchema.properties)).toEqual(["id", "name"]);
  });

  test("[C-import] an output that cannot be written is an ordinary error, of types and lock too", async () => {
    const cwd = project({
      "pets.json": JSON.stringify(PETS),
      "mci.json": '{"schemaVersion":"1.0","tools":[]}',
      file: "",
    });
    for (const args of [
      ["import", "openapi", "pets.json", "-o", "file/x.json"],
      ["types", "-o", "file/x.ts"],
      ["lock", "-o", "file/x.json"],
    ]) {
      const { code, stderr } = await mci(args, { cwd });
      expect(code).toBe(1);
      expect(stderr).toMatch(/\((ENOTDIR|EEXIST)\)/);
      expect(stderr).not.toContain("looks like a bug");
    }
  });

  test("[C-import] from an address: relative servers start there, other hosts are never asked", async () => {
    let asked = 0;
    const other = await serve((_, response) => {
      asked += 1;
      response.end("{}");
    });
    const { url: address } = await serve((_, response) => {
      const ref = `${other.url}/x.json`;
      const paths = {
        "/a": { get: { operationId: "a", parameters: [{ name: "q", in: "query", schema: { $ref: ref } }] } },
      };
      response.end(JSON.stringify({ ...PETS, servers: [{ url: "/v1" }], paths }));
    });
    const { stdout, stderr } = await mci(["import", "openapi", `${address}/docs/openapi.json`, "--force"], {
      cwd: project({}),
    });
    expect(JSON.parse(stdout).tools[0].execution.url).toBe(`{{env.PETS_BASE_URL | '${address}/v1'}}/a`);
    expect(stderr).toContain("is not followed");
    expect(asked).toBe(0);
  });

  test.each([
    [["import", "openapi", "none.json"], "File not found: none.json", 1],
    [["import", "openapi", "text.txt"], "not an OpenAPI document", 1],
    [["import", "nothing", "text.txt"], "nothing", 2],
  ])("[C-import] %j is explained", async (args, message, expected) => {
    const { code, stderr } = await mci(args, { cwd: project({ "text.txt": "hello" }) });
    expect(stderr).toContain(message);
    expect(code).toBe(expected);
  });
});

describe("mci import curl", () => {
  test("[C-import-curl] a command as a browser copies it: values are defaults, secrets are variables", async () => {
    const command = `curl 'https://api.example.com/v1/search?q=a%20b&api_key=SECRET1' \\
      -X POST -H 'authorization: Bearer SECRET2' -H 'sec-ch-ua: "x"' -H 'content-type: application/json' \\
      -b 'sid=SECRET3' --data-raw $'{"name":"it\\'s","n":2}' --compressed`;
    const { stdout, stderr } = await mci(["import", "curl", command, "--name", "search"], {
      cwd: project({}),
    });
    const [tool] = JSON.parse(stdout).tools;
    expect(tool.name).toBe("search");
    expect(stdout).not.toContain("SECRET");
    expect(tool.inputSchema.properties).toMatchObject({
      q: { default: "a b" },
      name: { default: "it's" },
      n: { type: "integer", default: 2 },
    });
    expect(tool.execution).toMatchObject({
      method: "POST",
      url: "https://api.example.com/v1/search",
      params: { q: "{!!props.q!!}", api_key: "{{env.EXAMPLE_API_KEY}}" },
      headers: { Cookie: "{{env.EXAMPLE_COOKIE}}" },
      auth: { type: "bearer", token: "{{env.EXAMPLE_TOKEN}}" },
      body: { type: "json", content: { name: "{!!props.name!!}", n: "{!!props.n!!}" } },
    });
    expect(stderr).toContain("EXAMPLE_TOKEN");
  });

  test("[C-import-curl] the imported tool sends the request of the command, and joins a file that is there", async () => {
    const seen: { method?: string; url?: string; body: string; auth?: string }[] = [];
    const { url } = await serve(async (request, response) => {
      const body = await text(request);
      seen.push({ method: request.method, url: request.url, body, auth: request.headers.authorization });
      response.end("ok");
    });
    const cwd = project({
      "mci.json": '{"schemaVersion":"1.0","tools":[{"name":"t","execution":{"type":"text","text":"x"}}]}',
    });
    const command = `curl "${url}/a/{{b}}?x=1" -u me:pw -d 'f=1&g=a%26b'`;
    await mci(["import", "curl", command, "-o", "mci.json", "--name", "go"], { cwd });
    expect(names(join(cwd, "mci.json"))).toEqual(["t", "go"]);
    const variables = json(join(cwd, "mci.json")).tools[1].execution.auth;
    const [user] = /env\.(\w+)/.exec(variables.username)!.slice(1);
    const [password] = /env\.(\w+)/.exec(variables.password)!.slice(1);
    const called = await mci(["call", "go", "--env", `${user}=me`, "--env", `${password}=pw`], { cwd });
    expect(called.code).toBe(0);
    expect(seen).toEqual([
      { method: "POST", url: "/a/%7B%7Bb%7D%7D?x=1", body: "f=1&g=a%26b", auth: "Basic bWU6cHc=" },
    ]);
  });

  test("[C-import-curl] what is not a curl command is explained", async () => {
    expect((await mci(["import", "curl", "wget x"], { cwd: project({}) })).stderr).toContain(
      "not a curl command",
    );
    expect((await mci(["import", "curl", "curl -s"], { cwd: project({}) })).stderr).toContain(
      "no http:// or https:// address",
    );
  });
});

test("[C-import-postman] a collection: folders are tags, variables keep their values, secrets do not", async () => {
  const collection = {
    info: {
      name: "Shop API",
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    variable: [
      { key: "baseUrl", value: "https://shop.example.com" },
      { key: "token", value: "SECRET" },
    ],
    auth: { type: "bearer", bearer: [{ key: "token", value: "{{token}}" }] },
    item: [
      {
        name: "Orders",
        item: [
          {
            name: "Get order",
            request: {
              method: "GET",
              url: {
                raw: "{{baseUrl}}/orders/:id?full=true",
                path: ["orders", ":id"],
                query: [{ key: "full", value: "true" }],
                variable: [{ key: "id" }],
              },
            },
          },
          {
            name: "Get order",
            request: {
              method: "POST",
              url: "{{baseUrl}}/orders",
              header: [{ key: "X-Api-Key", value: "SECRET" }],
              body: { mode: "raw", raw: '{"n": 1, "who": "{{user}}"}' },
            },
          },
          { name: "Signed", request: { url: "https://x.example.com", auth: { type: "awsv4" } } },
        ],
      },
    ],
  };
  const cwd = project({ "shop.json": JSON.stringify(collection) });
  const { stdout, stderr } = await mci(["import", "postman", "shop.json"], { cwd });
  const [first, second] = JSON.parse(stdout).tools;
  expect(stdout).not.toContain("SECRET");
  expect([first.name, second.name, first.tags]).toEqual(["Get_order", "Get_order_2", ["Orders"]]);
  expect(first.execution).toMatchObject({
    url: "{{env.SHOP_BASE_URL | 'https://shop.example.com'}}/orders/{{props.id}}",
    params: { full: "{!!props.full!!}" },
    auth: { type: "bearer", token: "{{env.SHOP_TOKEN}}" },
  });
  expect(first.inputSchema.required).toEqual(["id"]);
  expect(second.execution.body).toEqual({
    type: "json",
    content: { n: "{!!props.n!!}", who: "{{env.SHOP_USER}}" },
  });
  expect(stderr).toContain("Signed: its authentication 'awsv4' has no counterpart in MCI");
  writeFileSync(join(cwd, "tools.mci.json"), stdout);
  expect((await mci(["validate", "tools.mci.json"], { cwd })).code).toBe(0);
});

describe("mci import mcp-config", () => {
  test.each([
    ["mcpServers", (servers: object) => ({ mcpServers: servers })],
    ["servers", (servers: object) => ({ servers, inputs: [] })],
    ["mcp.servers", (servers: object) => ({ mcp: { servers } })],
  ])("[C-import-mcp] %s become mcp_servers, secrets become variables", async (_, wrap) => {
    const servers = {
      files: {
        command: "npx",
        args: ["-y", "server", "${HOME}"],
        env: { API_TOKEN: "SECRET", MODE: "fast" },
      },
      remote: { type: "http", url: "https://mcp.example.com", headers: { Authorization: "Bearer SECRET" } },
      old: { type: "sse", url: "https://sse.example.com/${env:TEAM}" },
      off: { command: "x", disabled: true },
    };
    const cwd = project({
      "config.json": `// written by an editor\n${JSON.stringify(wrap(servers))}`,
      "mci.json": '{"schemaVersion":"1.0","tools":[]}',
    });
    const { code, stdout } = await mci(["import", "mcp-config", "config.json", "-o", "mci.json"], { cwd });
    expect(code).toBe(0);
    expect(json(join(cwd, "mci.json"))).toMatchObject({
      mcp_servers: {
        files: {
          command: "npx",
          args: ["-y", "server", "{{env.HOME}}"],
          env: { API_TOKEN: "{{env.API_TOKEN}}", MODE: "fast" },
        },
        remote: {
          url: "https://mcp.example.com",
          headers: { Authorization: "Bearer {{env.REMOTE_AUTHORIZATION}}" },
        },
        old: { type: "sse", url: "https://sse.example.com/{{env.TEAM}}" },
      },
    });
    expect(readFileSync(join(cwd, "mci.json"), "utf8")).not.toContain("SECRET");
    expect(stdout).toContain("off: is disabled");
    expect((await mci(["validate"], { cwd })).stdout).not.toContain("not valid");
  });

  test("[C-import-mcp] another file is refused with the names of those that fit", async () => {
    const { stderr } = await mci(["import", "mcp-config", "a.json"], { cwd: project({ "a.json": "{}" }) });
    expect(stderr).toContain(".mcp.json");
  });
});
