import { describe, expect, test } from "vitest";
import type { MCIClientError } from "../../errors.ts";
import { parseObject } from "../parse/parse.ts";
import { formatProblem } from "../problems.ts";
import { validateDocument } from "./document.ts";

const check = (data: unknown) => validateDocument(parseObject(data));

/** The problems of a document, as text. */
const problemsOf = async (data: unknown) => {
  const error: unknown = await check(data).catch((thrown: unknown) => thrown);
  return (error as MCIClientError).problems.map((problem) => formatProblem(problem));
};
const withTool = (tool: object) => ({ schemaVersion: "1.0", tools: [{ name: "t", ...tool }] });
const withExecution = (execution: unknown) => withTool({ execution });
const http = (fields: object) => withExecution({ type: "http", url: "https://x.test", ...fields });
const text = { type: "text", text: "hi" };

describe("[F-variants] a variant is chosen by its type, and messages are about that variant alone", () => {
  test.each([
    {
      data: withExecution({ type: "HTTP", url: "x" }),
      problem:
        "tool 't', execution.type: Invalid execution type 'HTTP'. Valid types: http, cli, file, text, mcp — did you mean 'http'?",
    },
    {
      data: withExecution({ url: "x" }),
      problem:
        "tool 't', execution.type: Missing required field 'type'. Valid types: http, cli, file, text, mcp",
    },
    {
      data: withExecution({ type: 5 }),
      problem:
        "tool 't', execution.type: Must be a string, found a number. Valid types: http, cli, file, text, mcp",
    },
    {
      data: withExecution("ls"),
      problem:
        'tool \'t\', execution: Must be an object, found a string — write an object with a type: { "type": "text", … }',
    },
    {
      data: withExecution({ type: "http", ulr: "x" }),
      problem: "tool 't', execution.url: Missing required field 'url' — is 'ulr' meant to be it?",
    },
    {
      data: withExecution({ type: "cli" }),
      problem: "tool 't', execution.command: Missing required field 'command'",
    },
    {
      data: withExecution({ type: "file" }),
      problem: "tool 't', execution.path: Missing required field 'path'",
    },
    {
      data: withExecution({ type: "text" }),
      problem: "tool 't', execution.text: Missing required field 'text'",
    },
    {
      data: withExecution({ type: "mcp", serverName: "a" }),
      problem: "tool 't', execution.toolName: Missing required field 'toolName'",
    },
    {
      data: http({ auth: { type: "digest", username: "u", password: "p" } }),
      problem:
        "tool 't', execution.auth.type: Invalid auth type 'digest'. Valid types: apiKey, bearer, basic, oauth2, tokenExchange",
    },
    {
      data: http({ auth: { token: "x" } }),
      problem:
        "tool 't', execution.auth.type: Missing required field 'type'. Valid types: apiKey, bearer, basic, oauth2, tokenExchange",
    },
    {
      data: http({ auth: { type: "apiKey", in: "header", name: "k", token: "x" } }),
      problem: "tool 't', execution.auth.value: Missing required field 'value'",
    },
    {
      data: http({ auth: { type: "apiKey", in: "body", name: "k", value: "x" } }),
      problem: "tool 't', execution.auth.in: Must be one of header, query, cookie, found 'body'",
    },
    {
      data: http({
        auth: { type: "oauth2", flow: "implicit", tokenUrl: "u", clientId: "i", clientSecret: "s" },
      }),
      problem:
        "tool 't', execution.auth.flow: Invalid auth flow 'implicit'. Valid flows: clientCredentials, authorizationCode, deviceCode",
    },
    {
      data: http({ auth: { type: "oauth2", flow: "authorizationCode", clientId: "i", tokenUrl: "u" } }),
      problem:
        "tool 't', execution.auth: Flow authorizationCode needs 'issuer', or 'authorizationUrl' and 'tokenUrl'",
    },
    {
      data: http({ auth: { type: "oauth2", flow: "deviceCode", issuer: "https://i.example" } }),
      problem: "tool 't', execution.auth.clientId: Missing required field 'clientId'",
    },
    {
      data: http({ body: { type: "xml", content: "" } }),
      problem:
        "tool 't', execution.body.type: Invalid body type 'xml'. Valid types: json, form, raw, multipart, file",
    },
    {
      data: http({ body: { content: "x" } }),
      problem:
        "tool 't', execution.body.type: Missing required field 'type'. Valid types: json, form, raw, multipart, file",
    },
    {
      data: http({ body: { type: "form" } }),
      problem: "tool 't', execution.body.content: Missing required field 'content'",
    },
    {
      data: http({ body: { type: "form", json: {} } }),
      problem: "tool 't', execution.body.content: Missing required field 'content'",
    },
    {
      data: http({ body: { json: {}, form: {} } }),
      problem:
        "tool 't', execution.body.form: A body has exactly one of 'json', 'form' and 'raw' — remove this",
    },
    {
      data: http({ body: { raw: {} } }),
      problem:
        'tool \'t\', execution.body.raw: Must be a string, found an object — to send an object write "json" in place of "raw"',
    },
    {
      data: http({ body: { json: true } }),
      problem:
        "tool 't', execution.body.json: Must be an object, an array, or a string such as {!!props.data!!}, found a boolean",
    },
    {
      data: http({ body: { type: "form", content: [] } }),
      problem:
        "tool 't', execution.body.content: Must be an object of form fields, or a string such as {!!props.fields!!}, found a list",
    },
    { data: http({ body: "x" }), problem: "tool 't', execution.body: Must be an object, found a string" },
    {
      data: { schemaVersion: "1.0", mcp_servers: { a: {} } },
      problem: "mcp_servers.a: An MCP server needs a 'command' (a program to start) or a 'url' (an address)",
    },
    {
      data: { schemaVersion: "1.0", mcp_servers: { a: { command: "x", url: "y" } } },
      problem:
        "mcp_servers.a: An MCP server has either a 'command' or a 'url', not both — make two servers of it",
    },
    {
      data: { schemaVersion: "1.0", mcp_servers: { a: { command: 5 } } },
      problem: "mcp_servers.a.command: Must be a string, found a number — put it in quotes",
    },
    {
      data: { schemaVersion: "1.0", mcp_servers: { a: { url: "x", type: "stdio" } } },
      problem:
        "mcp_servers.a.type: Must be one of http, sse, streamable-http, streamableHttp, streamable_http, found 'stdio'",
    },
    {
      data: { schemaVersion: "1.0", mcp_servers: { "my server": "npx" } },
      problem: 'mcp_servers["my server"]: Must be an object, found a string',
    },
    {
      data: { schemaVersion: "1.0", mcp_servers: [] },
      problem: "mcp_servers: Must be an object, found a list — servers are a map by name, not a list",
    },
    {
      data: { schemaVersion: "1.0", toolsets: [{}] },
      problem: "toolsets[0].name: Missing required field 'name'",
    },
    {
      data: { schemaVersion: "1.0", toolsets: [5] },
      problem: "toolsets[0]: Must be the name of a toolset or an object with a name, found a number",
    },
    { data: { schemaVersion: "1.0", toolsets: [" "] }, problem: "toolsets[0]: Must be a non-empty string" },
  ])("$problem", async ({ data, problem }) => {
    expect(await problemsOf(data)).toEqual([problem]);
  });

  test("an execution that carries another type's field is still of its own type", async () => {
    const { document } = await check(
      withExecution({ type: "text", text: "hi", url: "https://x.test", command: "ls" }),
    );
    expect(document.tools?.[0]?.execution).toEqual({ type: "text", text: "hi" });
  });

  test("an auth that carries another type's field is still of its own type", async () => {
    const { document } = await check(
      http({ auth: { type: "bearer", token: "a", username: "u", password: "p" } }),
    );
    expect(document.tools?.[0]?.execution).toMatchObject({ auth: { type: "bearer", token: "a" } });
  });
});

describe("wrong values", () => {
  test.each([
    {
      data: { schemaVersion: "1.0", tools: {} },
      problem: "tools: Must be a list, found an object — 'tools' is a list, not a map by name",
    },
    {
      data: { schemaVersion: "1.0", tools: { name: "a", execution: { type: "text", text: "" } } },
      problem:
        "tools: Must be a list, found an object — 'tools' is a list: in YAML each item begins with '- ', in JSON they stand in [ ]",
    },
    {
      data: { schemaVersion: "1.0", tools: [{ name: "a", execution: "cli" }] },
      problem:
        'tool \'a\', execution: Must be an object, found a string — write an object with a type: { "type": "cli", … }',
    },
    {
      data: {
        schemaVersion: "1.0",
        tools: [{ name: "a", execution: { type: "cli", command: "ls", args: "-l  /tmp" } }],
      },
      problem: 'tool \'a\', execution.args: Must be a list, found a string — make it a list: ["-l","/tmp"]',
    },
    {
      data: {
        schemaVersion: "1.0",
        tools: [{ name: "a", execution: { type: "cli", command: "ls", flags: { "-l": "props.long" } } }],
      },
      problem:
        'tool \'a\', execution.flags["-l"]: Must be an object, found a string — write { "from": "props.long", "type": "value" }',
    },
    {
      data: {
        schemaVersion: "1.0",
        tools: [{ name: "a", execution: { type: "http", url: "https://x", retries: 3 } }],
      },
      problem: "tool 'a', execution.retries: Must be an object, found a number — write { \"attempts\": 3 }",
    },
    {
      data: { schemaVersion: "1.0", tools: [{ name: "a", execution: null }] },
      problem:
        "tool 'a', execution: Must be an object, found null — it has no value; in YAML, indent what belongs to it under it",
    },
    {
      data: { schemaVersion: "1.0", toolsets: "weather" },
      problem: 'toolsets: Must be a list, found a string — make it a list: ["weather"]',
    },
    { data: { schemaVersion: "1.0", tools: ["x"] }, problem: "tools[0]: Must be an object, found a string" },
    {
      data: { schemaVersion: "1.0", tools: [{ execution: text }] },
      problem: "tools[0].name: Missing required field 'name'",
    },
    {
      data: { schemaVersion: "1.0", tools: [{ name: "t", excution: text }] },
      problem: "tool 't', execution: Missing required field 'execution' — is 'excution' meant to be it?",
    },
    { data: withTool({ name: "", execution: text }), problem: "tools[0].name: Must be a non-empty string" },
    {
      data: withTool({ name: 5, execution: text }),
      problem: "tools[0].name: Must be a string, found a number — put it in quotes",
    },
    {
      data: withTool({ execution: text, tags: "a" }),
      problem: "tool 't', tags: Must be a list, found a string — make it a list: [\"a\"]",
    },
    {
      data: withTool({ execution: text, inputSchema: [] }),
      problem: "tool 't', inputSchema: Must be an object, found a list",
    },
    {
      data: withTool({ execution: text, disabled: "perhaps" }),
      problem: "tool 't', disabled: Must be true or false, found a string",
    },
    {
      data: withTool({ execution: text, annotations: { readOnlyHint: 3 } }),
      problem: "tool 't', annotations.readOnlyHint: Must be true or false, found 3",
    },
    {
      data: withTool({ execution: text, annotations: { audience: ["users"] } }),
      problem:
        "tool 't', annotations.audience[0]: Must be one of user, assistant, found 'users' — did you mean 'user'?",
    },
    {
      data: http({ method: "BREW" }),
      problem:
        "tool 't', execution.method: Must be one of GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS, TRACE, QUERY",
    },
    {
      data: http({ timeout_ms: -1 }),
      problem:
        "tool 't', execution.timeout_ms: Must be a whole number of at least 0, or a template such as {{env.LIMIT}}, found -1",
    },
    {
      data: http({ timeout_ms: 10.5 }),
      problem:
        "tool 't', execution.timeout_ms: Must be a whole number of at least 0, or a template such as {{env.LIMIT}}, found 10.5",
    },
    {
      data: http({ timeout_ms: 1e300 }),
      problem:
        "tool 't', execution.timeout_ms: Must be a whole number of at least 0, or a template such as {{env.LIMIT}}, found 1e+300",
    },
    {
      data: http({ timeout_ms: "soon" }),
      problem:
        "tool 't', execution.timeout_ms: Must be a whole number of at least 0, or a template such as {{env.LIMIT}}",
    },
    {
      data: http({ timeout_ms: [] }),
      problem:
        "tool 't', execution.timeout_ms: Must be a whole number of at least 0, or a template such as {{env.LIMIT}}, found a list",
    },
    {
      data: http({ retries: { attempts: 0 } }),
      problem:
        "tool 't', execution.retries.attempts: Must be a whole number of at least 1, or a template such as {{env.LIMIT}}, found 0",
    },
    {
      data: http({ retries: { attempts: "0" } }),
      problem:
        "tool 't', execution.retries.attempts: Must be a whole number of at least 1, or a template such as {{env.LIMIT}}",
    },
    {
      data: http({ headers: { A: null } }),
      problem: "tool 't', execution.headers.A: Must be a string, found null",
    },
    {
      data: http({ headers: { "X-A": [] } }),
      problem: "tool 't', execution.headers[\"X-A\"]: Must be a string, found a list",
    },
    {
      data: withExecution({ type: "cli", command: "x", flags: { "--x": { from: "props.x", type: "bool" } } }),
      problem: "tool 't', execution.flags[\"--x\"].type: Must be one of boolean, value, found 'bool'",
    },
    {
      data: withExecution({ type: "text", text: "x", templateEngine: "handlebars" }),
      problem:
        "tool 't', execution.templateEngine: Must be one of builtin, jinja2, built-in, Jinja2, found 'handlebars'",
    },
    {
      data: { schemaVersion: "1.0", toolsets: [{ name: "a", filter: "Only", filterValue: "x" }] },
      problem:
        "toolsets[0].filter: Invalid filter type 'Only'. Valid types: only, except, tags, withoutTags — did you mean 'only'?",
    },
    {
      data: { schemaVersion: "1.0", toolsets: [{ name: "a", filter: "only" }] },
      problem: "toolsets[0].filter: Filter type 'only' specified but filterValue is missing",
    },
    {
      data: {
        schemaVersion: "1.0",
        mcp_servers: { s: { url: "x", config: { filter: "tags", filterValue: " , " } } },
      },
      problem: "mcp_servers.s.config.filter: Filter value cannot be empty for filter type 'tags'",
    },
    {
      data: { schemaVersion: "1.0", mcp_servers: { s: { url: "x", config: { expDays: 0 } } } },
      problem:
        "mcp_servers.s.config.expDays: Must be a whole number of at least 1, or a template such as {{env.LIMIT}}, found 0",
    },
  ])("[F-wrong] $problem", async ({ data, problem }) => {
    expect(await problemsOf(data)).toEqual([problem]);
  });

  test("a value that could be a secret is not repeated", async () => {
    const problems = await problemsOf(
      http({ auth: { type: "bearer", token: 123456789 }, timeout_ms: "hunter2" }),
    );
    expect(problems.join("\n")).not.toMatch(/123456789|hunter2/);
  });
});
