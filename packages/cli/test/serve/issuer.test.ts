import { createServer } from "node:http";
import { MCIClient } from "mci-ts";
import { beforeAll, expect, test } from "vitest";
import { startIssuer, type TestIssuer } from "../../../../test/issuer/authorization-server.ts";
import { freePort, listen } from "../../../../test/servers.ts";
import { folder, mci } from "../mci.ts";
import { file, text } from "./file.ts";
import { rpc, send } from "./raw.ts";
import { serveHttp } from "./support.ts";

let issuer: TestIssuer;
let api: { origin: string; seen: string[]; exchanges: URLSearchParams[]; close(): void };
beforeAll(async () => {
  issuer = await startIssuer(["read", "write"]);
  api = await startApi();
  return async () => {
    api.close();
    await issuer.close();
  };
});

/** An API that exchanges a token of the caller for one of its own. */
async function startApi(): Promise<typeof api> {
  const seen: string[] = [];
  const exchanges: URLSearchParams[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    response.setHeader("content-type", "application/json");
    if (request.url !== "/token") {
      seen.push(request.headers.authorization ?? "");
      return response.end('{"ok":true}');
    }
    exchanges.push(new URLSearchParams(body));
    return response.end(
      JSON.stringify({
        access_token: `exchanged-${exchanges.length}`,
        issued_token_type: "urn:ietf:params:oauth:token-type:access_token",
        token_type: "Bearer",
        expires_in: 300,
      }),
    );
  });
  const { url: origin } = await listen(server, () => {});
  return { origin, seen, exchanges, close: () => void server.close() };
}

const AUDIENCE = "https://tools.example.com/mcp";
const tools = () =>
  file(
    text("whoami", "{{caller.sub}} {{caller.scopes.length}} {{caller.claims.email | 'no address'}}", {
      tags: ["read"],
    }),
    text("write_it", "written", { tags: ["write"] }),
    {
      ...text("exchanged", "", { tags: ["read"] }),
      execution: {
        type: "http",
        url: `${api.origin}/data`,
        auth: {
          ...{ type: "tokenExchange", tokenUrl: `${api.origin}/token`, clientId: "mci", clientSecret: "s" },
          audience: "https://api.example.com",
        },
      },
    },
  );

function serve(args: readonly string[] = [], audience = AUDIENCE) {
  const cwd = folder({ "mci.json": tools() });
  const options = ["--oauth-issuer", issuer.issuer, "--audience", audience, "--claim", "email"];
  const scopes = ["--scope", "read=tags:read", "--scope", "write=tags:write"];
  return serveHttp({
    cwd,
    args: [...options, ...scopes, ...args],
    env: { MCI_INTROSPECTION_SECRET: "secret" },
  });
}

async function post(url: string, token: string | undefined, method: string, params: object = {}) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const { status, headers: received, body } = await send(url, rpc(method, params), { headers });
  return { status, challenge: received["www-authenticate"] ?? "", ...JSON.parse(body) };
}
const named = ({ result }: { result: { tools: { name: string }[] } }) => result.tools.map(({ name }) => name);

test("[RUN-issuer] a caller lists and calls what its scopes allow, and is told which scope another tool needs", async () => {
  const { url } = await serve();
  const refused = await post(url, undefined, "tools/list");
  expect([refused.status, refused.challenge]).toEqual([
    401,
    'Bearer realm="mci", scope="read write", resource_metadata="https://tools.example.com/.well-known/oauth-protected-resource/mcp"',
  ]);
  const metadata = await send(url.replace("/mcp", "/.well-known/oauth-protected-resource/mcp"), undefined);
  expect(JSON.parse(metadata.body)).toEqual({
    resource: AUDIENCE,
    authorization_servers: [issuer.issuer],
    bearer_methods_supported: ["header"],
    scopes_supported: ["read", "write"],
  });
  const [reads, writes, both, none, other] = await Promise.all([
    issuer.token("ann", { audience: AUDIENCE, scope: "read" }),
    issuer.token("bob", { audience: AUDIENCE, scope: "write" }),
    issuer.token("bob", { audience: AUDIENCE, scope: "read write" }),
    issuer.token("bob", { audience: AUDIENCE }),
    issuer.token("ann", { audience: "https://other.example", scope: "read" }),
  ]);
  expect(named(await post(url, reads, "tools/list"))).toEqual(["whoami", "exchanged"]);
  expect(named(await post(url, writes, "tools/list"))).toEqual(["write_it"]);
  expect(named(await post(url, both, "tools/list"))).toEqual(["whoami", "write_it", "exchanged"]);
  expect((await post(url, reads, "tools/call", { name: "whoami" })).result.content[0].text).toBe(
    "ann 1 ann@example.com",
  );
  const stepUp = await post(url, reads, "tools/call", { name: "write_it" });
  expect([stepUp.status, stepUp.challenge]).toEqual([
    403,
    expect.stringContaining('error="insufficient_scope", scope="write"'),
  ]);
  expect((await post(url, none, "tools/list")).status).toBe(403);
  const wrong = await post(url, other, "tools/list");
  expect([wrong.status, wrong.error.message]).toEqual([
    401,
    "The token was refused: the token is for another audience",
  ]);
});

test("[RUN-issuer] opaque tokens are asked about; a token of the command itself still allows everything", async () => {
  const { url } = await serve(["--introspection-client", "rs", "--token", "of-the-operator"]);
  const opaque = await issuer.token("bob", { audience: AUDIENCE, scope: "write", format: "opaque" });
  expect(named(await post(url, opaque, "tools/list"))).toEqual(["write_it"]);
  expect(named(await post(url, "of-the-operator", "tools/list"))).toHaveLength(3);
  const call = await post(url, "of-the-operator", "tools/call", { name: "whoami" });
  expect(call.result.content[0].text).toContain("Only requests with a token of an issuer have a caller");
  expect((await post(url, "made-up", "tools/list")).status).toBe(401);
});

test("[RUN-exchange] each caller's token is exchanged for one of the API, and shown nowhere", async () => {
  const { url, stderr } = await serve();
  const [ann, bob] = await Promise.all(
    ["ann", "bob"].map((client) => issuer.token(client, { audience: AUDIENCE, scope: "read" })),
  );
  for (const token of [ann, bob, ann]) {
    const { result } = await post(url, token, "tools/call", { name: "exchanged" });
    expect(result.structuredContent).toEqual({ ok: true });
  }
  expect(api.exchanges.map((form) => [form.get("subject_token"), form.get("audience")])).toEqual([
    [ann, "https://api.example.com"],
    [bob, "https://api.example.com"],
  ]);
  expect(api.exchanges[0]!.get("grant_type")).toBe("urn:ietf:params:oauth:grant-type:token-exchange");
  expect(api.seen).toEqual(["Bearer exchanged-1", "Bearer exchanged-2", "Bearer exchanged-1"]);
  expect(stderr()).not.toContain(ann);
});

test("[RUN-issuer] our own client logs in to our own server", async () => {
  const port = await freePort();
  await serve(["--http", String(port)], `http://127.0.0.1:${port}/mcp`);
  await using client = await MCIClient.fromObject({
    schemaVersion: "1.0",
    mcp_servers: {
      ours: {
        url: `http://127.0.0.1:${port}/mcp`,
        auth: {
          ...{ type: "oauth2", flow: "clientCredentials", issuer: issuer.issuer, scopes: ["read"] },
          ...{ clientId: "ann", clientSecret: "secret" },
        },
      },
    },
  });
  expect(client.warnings).toEqual([]);
  expect((await client.execute("whoami")).text).toContain("ann");
});

test.each([
  [["--audience", "x"], "--audience is for --oauth-issuer"],
  [["--oauth-issuer", "https://a.example"], "--oauth-issuer needs --audience"],
  [["--oauth-issuer", "a", "--audience", "x"], "--oauth-issuer cannot be 'a'"],
  [["--oauth-issuer", "https://a.example", "--audience", "x", "--scope", "read"], "--scope cannot be 'read'"],
  [
    ["--oauth-issuer", "https://a.example", "--audience", "x", "--scope", "r=*", "--mode", "search"],
    "--scope is for --mode list",
  ],
  [
    ["--oauth-issuer", "https://a.example", "--audience", "x", "--introspection-client", "c"],
    "needs a secret",
  ],
])("[RUN-issuer] %j is refused", async (args, message) => {
  const { code, stderr } = await mci(["run", "--http", "0", ...args], {
    cwd: folder({ "mci.json": tools() }),
  });
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});

test("[RUN-tasks-limits] a task of one caller does not exist for another", async () => {
  const cwd = folder({ "mci.json": file({ ...text("slow", "done"), task: true }) });
  const options = ["--oauth-issuer", issuer.issuer, "--audience", AUDIENCE];
  const { url } = await serveHttp({ cwd, args: options });
  const [ann, bob] = await Promise.all(
    ["ann", "bob"].map((name) => issuer.token(name, { audience: AUDIENCE, scope: "read" })),
  );
  const ask = async (token: string, method: string, name: string, params: object) => {
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": { extensions: { "io.modelcontextprotocol/tasks": {} } },
    };
    const { body } = await send(url, rpc(method, { ...params, _meta }), {
      headers: {
        authorization: `Bearer ${token}`,
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": method,
        "mcp-name": name,
      },
    });
    return JSON.parse(/\{"jsonrpc.*/.exec(body)?.[0] ?? body);
  };
  const { result: created } = await ask(ann!, "tools/call", "slow", { name: "slow", arguments: {} });
  expect(created).toMatchObject({ resultType: "task", status: "working" });
  const { taskId } = created;
  for (const method of ["tasks/get", "tasks/cancel", "tasks/update"])
    expect((await ask(bob!, method, taskId, { taskId })).error).toMatchObject({ code: -32_602 });
  // It was not cancelled by the other caller, and is there for a new connection.
  expect((await ask(ann!, "tasks/get", taskId, { taskId })).result).toMatchObject({
    status: "completed",
    result: { content: [{ text: "done" }] },
  });
});
