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
/** The first of the types that a message lists: a new type changes no case. */
const withFirstType = (problem: string) => problem.replace(/(Valid types: \w+), [\w, ]+\w/, "$1, …");
const withTool = (tool: object) => ({ schemaVersion: "1.0", tools: [{ name: "t", ...tool }] });
const withExecution = (execution: unknown) => withTool({ execution });
const http = (fields: object) => withExecution({ type: "http", url: "https://x.test", ...fields });
const text = { type: "text", text: "hi" };

describe("[F-variants] a variant is chosen by its type, and messages are about that variant alone", () => {
  test.each([
    [
      "tool 't', execution.type: Invalid execution type 'HTTP'. Valid types: http, … — did you mean 'http'?",
      withExecution({ type: "HTTP", url: "x" }),
    ],
    [
      "tool 't', execution.type: Missing required field 'type'. Valid types: http, …",
      withExecution({ url: "x" }),
    ],
    [
      "tool 't', execution.type: Must be a string, found a number. Valid types: http, …",
      withExecution({ type: 5 }),
    ],
    [
      'tool \'t\', execution: Must be an object, found a string — write an object with a type: { "type": "text", … }',
      withExecution("ls"),
    ],
    [
      "tool 't', execution.url: Missing required field 'url' — is 'ulr' meant to be it?",
      withExecution({ type: "http", ulr: "x" }),
    ],
    ["tool 't', execution.command: Missing required field 'command'", withExecution({ type: "cli" })],
    ["tool 't', execution.path: Missing required field 'path'", withExecution({ type: "file" })],
    ["tool 't', execution.text: Missing required field 'text'", withExecution({ type: "text" })],
    [
      "tool 't', execution.toolName: Missing required field 'toolName'",
      withExecution({ type: "mcp", serverName: "a" }),
    ],
    [
      "tool 't', execution.auth.type: Invalid auth type 'digest'. Valid types: apiKey, …",
      http({ auth: { type: "digest", username: "u", password: "p" } }),
    ],
    [
      "tool 't', execution.auth.type: Missing required field 'type'. Valid types: apiKey, …",
      http({ auth: { token: "x" } }),
    ],
    [
      "tool 't', execution.auth.value: Missing required field 'value'",
      http({ auth: { type: "apiKey", in: "header", name: "k", token: "x" } }),
    ],
    [
      "tool 't', execution.auth.in: Must be one of header, query, cookie, found 'body'",
      http({ auth: { type: "apiKey", in: "body", name: "k", value: "x" } }),
    ],
    [
      "tool 't', execution.auth.flow: Invalid auth flow 'implicit'. Valid flows: clientCredentials, authorizationCode, deviceCode",
      http({
        auth: { type: "oauth2", flow: "implicit", tokenUrl: "u", clientId: "i", clientSecret: "s" },
      }),
    ],
    [
      "tool 't', execution.auth: Flow authorizationCode needs 'issuer', or 'authorizationUrl' and 'tokenUrl'",
      http({ auth: { type: "oauth2", flow: "authorizationCode", clientId: "i", tokenUrl: "u" } }),
    ],
    [
      "tool 't', execution.auth.clientId: Missing required field 'clientId'",
      http({ auth: { type: "oauth2", flow: "deviceCode", issuer: "https://i.example" } }),
    ],
    [
      "tool 't', execution.body.type: Invalid body type 'xml'. Valid types: json, …",
      http({ body: { type: "xml", content: "" } }),
    ],
    [
      "tool 't', execution.body.type: Missing required field 'type'. Valid types: json, …",
      http({ body: { content: "x" } }),
    ],
    ["tool 't', execution.body.content: Missing required field 'content'", http({ body: { type: "form" } })],
    [
      "tool 't', execution.body.content: Missing required field 'content'",
      http({ body: { type: "form", json: {} } }),
    ],
    [
      "tool 't', execution.body.form: A body has exactly one of 'json', 'form' and 'raw' — remove this",
      http({ body: { json: {}, form: {} } }),
    ],
    [
      'tool \'t\', execution.body.raw: Must be a string, found an object — to send an object write "json" in place of "raw"',
      http({ body: { raw: {} } }),
    ],
    [
      "tool 't', execution.body.json: Must be an object, an array, or a string such as {!!props.data!!}, found a boolean",
      http({ body: { json: true } }),
    ],
    [
      "tool 't', execution.body.content: Must be an object of form fields, or a string such as {!!props.fields!!}, found a list",
      http({ body: { type: "form", content: [] } }),
    ],
    ["tool 't', execution.body: Must be an object, found a string", http({ body: "x" })],
    [
      "mcp_servers.a: An MCP server needs a 'command' (a program to start) or a 'url' (an address)",
      { schemaVersion: "1.0", mcp_servers: { a: {} } },
    ],
    [
      "mcp_servers.a: An MCP server has either a 'command' or a 'url', not both — make two servers of it",
      { schemaVersion: "1.0", mcp_servers: { a: { command: "x", url: "y" } } },
    ],
    [
      "mcp_servers.a.command: Must be a string, found a number — put it in quotes",
      { schemaVersion: "1.0", mcp_servers: { a: { command: 5 } } },
    ],
    [
      "mcp_servers.a.type: Must be one of http, sse, streamable-http, streamableHttp, streamable_http, found 'stdio'",
      { schemaVersion: "1.0", mcp_servers: { a: { url: "x", type: "stdio" } } },
    ],
    [
      'mcp_servers["my server"]: Must be an object, found a string',
      { schemaVersion: "1.0", mcp_servers: { "my server": "npx" } },
    ],
    [
      "mcp_servers: Must be an object, found a list — servers are a map by name, not a list",
      { schemaVersion: "1.0", mcp_servers: [] },
    ],
    ["toolsets[0].name: Missing required field 'name'", { schemaVersion: "1.0", toolsets: [{}] }],
    [
      "toolsets[0]: Must be the name of a toolset or an object with a name, found a number",
      { schemaVersion: "1.0", toolsets: [5] },
    ],
    ["toolsets[0]: Must be a non-empty string", { schemaVersion: "1.0", toolsets: [" "] }],
  ])("%s", async (problem, data) => {
    expect((await problemsOf(data)).map(withFirstType)).toEqual([problem]);
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
    [
      "tools: Must be a list, found an object — 'tools' is a list, not a map by name",
      { schemaVersion: "1.0", tools: {} },
    ],
    [
      "tools: Must be a list, found an object — 'tools' is a list: in YAML each item begins with '- ', in JSON they stand in [ ]",
      { schemaVersion: "1.0", tools: { name: "a", execution: { type: "text", text: "" } } },
    ],
    [
      'tool \'a\', execution: Must be an object, found a string — write an object with a type: { "type": "cli", … }',
      { schemaVersion: "1.0", tools: [{ name: "a", execution: "cli" }] },
    ],
    [
      'tool \'a\', execution.args: Must be a list, found a string — make it a list: ["-l","/tmp"]',
      {
        schemaVersion: "1.0",
        tools: [{ name: "a", execution: { type: "cli", command: "ls", args: "-l  /tmp" } }],
      },
    ],
    [
      'tool \'a\', execution.flags["-l"]: Must be an object, found a string — write { "from": "props.long", "type": "value" }',
      {
        schemaVersion: "1.0",
        tools: [{ name: "a", execution: { type: "cli", command: "ls", flags: { "-l": "props.long" } } }],
      },
    ],
    [
      "tool 'a', execution.retries: Must be an object, found a number — write { \"attempts\": 3 }",
      {
        schemaVersion: "1.0",
        tools: [{ name: "a", execution: { type: "http", url: "https://x", retries: 3 } }],
      },
    ],
    [
      "tool 'a', execution: Must be an object, found null — it has no value; in YAML, indent what belongs to it under it",
      { schemaVersion: "1.0", tools: [{ name: "a", execution: null }] },
    ],
    [
      'toolsets: Must be a list, found a string — make it a list: ["weather"]',
      { schemaVersion: "1.0", toolsets: "weather" },
    ],
    ["tools[0]: Must be an object, found a string", { schemaVersion: "1.0", tools: ["x"] }],
    ["tools[0].name: Missing required field 'name'", { schemaVersion: "1.0", tools: [{ execution: text }] }],
    [
      "tool 't', execution: Missing required field 'execution' — is 'excution' meant to be it?",
      { schemaVersion: "1.0", tools: [{ name: "t", excution: text }] },
    ],
    ["tools[0].name: Must be a non-empty string", withTool({ name: "", execution: text })],
    [
      "tools[0].name: Must be a string, found a number — put it in quotes",
      withTool({ name: 5, execution: text }),
    ],
    [
      "tool 't', tags: Must be a list, found a string — make it a list: [\"a\"]",
      withTool({ execution: text, tags: "a" }),
    ],
    [
      "tool 't', inputSchema: Must be an object, found a list",
      withTool({ execution: text, inputSchema: [] }),
    ],
    [
      "tool 't', disabled: Must be true or false, found a string",
      withTool({ execution: text, disabled: "perhaps" }),
    ],
    [
      "tool 't', annotations.readOnlyHint: Must be true or false, found 3",
      withTool({ execution: text, annotations: { readOnlyHint: 3 } }),
    ],
    [
      "tool 't', annotations.audience[0]: Must be one of user, assistant, found 'users' — did you mean 'user'?",
      withTool({ execution: text, annotations: { audience: ["users"] } }),
    ],
    [
      "tool 't', execution.method: Must be one of GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS, TRACE, QUERY",
      http({ method: "BREW" }),
    ],
    [
      "tool 't', execution.timeout_ms: Must be a whole number of at least 0, or a template such as {{env.LIMIT}}, found -1",
      http({ timeout_ms: -1 }),
    ],
    [
      "tool 't', execution.timeout_ms: Must be a whole number of at least 0, or a template such as {{env.LIMIT}}, found 10.5",
      http({ timeout_ms: 10.5 }),
    ],
    [
      "tool 't', execution.timeout_ms: Must be a whole number of at least 0, or a template such as {{env.LIMIT}}, found 1e+300",
      http({ timeout_ms: 1e300 }),
    ],
    [
      "tool 't', execution.timeout_ms: Must be a whole number of at least 0, or a template such as {{env.LIMIT}}",
      http({ timeout_ms: "soon" }),
    ],
    [
      "tool 't', execution.timeout_ms: Must be a whole number of at least 0, or a template such as {{env.LIMIT}}, found a list",
      http({ timeout_ms: [] }),
    ],
    [
      "tool 't', execution.retries.attempts: Must be a whole number of at least 1, or a template such as {{env.LIMIT}}, found 0",
      http({ retries: { attempts: 0 } }),
    ],
    [
      "tool 't', execution.retries.attempts: Must be a whole number of at least 1, or a template such as {{env.LIMIT}}",
      http({ retries: { attempts: "0" } }),
    ],
    ["tool 't', execution.headers.A: Must be a string, found null", http({ headers: { A: null } })],
    [
      "tool 't', execution.headers[\"X-A\"]: Must be a string, found a list",
      http({ headers: { "X-A": [] } }),
    ],
    [
      "tool 't', execution.flags[\"--x\"].type: Must be one of boolean, value, found 'bool'",
      withExecution({ type: "cli", command: "x", flags: { "--x": { from: "props.x", type: "bool" } } }),
    ],
    [
      "tool 't', execution.templateEngine: Must be one of builtin, jinja2, built-in, Jinja2, found 'handlebars'",
      withExecution({ type: "text", text: "x", templateEngine: "handlebars" }),
    ],
    [
      "toolsets[0].filter: Invalid filter type 'Only'. Valid types: only, except, tags, withoutTags — did you mean 'only'?",
      { schemaVersion: "1.0", toolsets: [{ name: "a", filter: "Only", filterValue: "x" }] },
    ],
    [
      "toolsets[0].filter: Filter type 'only' specified but filterValue is missing",
      { schemaVersion: "1.0", toolsets: [{ name: "a", filter: "only" }] },
    ],
    [
      "mcp_servers.s.config.filter: Filter value cannot be empty for filter type 'tags'",
      {
        schemaVersion: "1.0",
        mcp_servers: { s: { url: "x", config: { filter: "tags", filterValue: " , " } } },
      },
    ],
    [
      "mcp_servers.s.config.expDays: Must be a whole number of at least 1, or a template such as {{env.LIMIT}}, found 0",
      { schemaVersion: "1.0", mcp_servers: { s: { url: "x", config: { expDays: 0 } } } },
    ],
  ])("[F-wrong] %s", async (problem, data) => {
    expect(await problemsOf(data)).toEqual([problem]);
  });

  test("a value that could be a secret is not repeated", async () => {
    const problems = await problemsOf(
      http({ auth: { type: "bearer", token: 123456789 }, timeout_ms: "hunter2" }),
    );
    expect(problems.join("\n")).not.toMatch(/123456789|hunter2/);
  });
});
