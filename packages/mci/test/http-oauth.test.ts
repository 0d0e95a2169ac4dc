import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { serve } from "../../../test/servers.ts";
import { until } from "../../../test/until.ts";
import { type Execution, openSession, tool } from "./http/harness.ts";

type Answer = (number: number, response: ServerResponse) => void;

/** A token endpoint and an API in one server; the API accepts what `accepts` says. */
async function world(answer: Answer = grant(), accepts: (token: string) => boolean = () => true) {
  const tokenRequests: { form: URLSearchParams; request: IncomingMessage }[] = [];
  const tokens: string[] = [];
  const server = await serve(async (request, response) => {
    if (request.url?.startsWith("/token")) {
      const form = new URLSearchParams(await text(request));
      tokenRequests.push({ form, request });
      return answer(tokenRequests.length, response);
    }
    const token = request.headers.authorization?.replace("Bearer ", "") ?? "";
    tokens.push(token);
    response.writeHead(accepts(token) ? 200 : 401).end("api");
  });
  const auth = {
    type: "oauth2",
    flow: "clientCredentials",
    tokenUrl: `${server.url}/token`,
    clientId: "client",
    clientSecret: "{{env.SECRET}}",
  } as const;
  const execution: Execution = { url: `${server.url}/api`, auth };
  return { server, execution, auth, tokenRequests, tokens };
}

/** token-1, token-2, … with this in the answer beside it. */
function grant(fields: Record<string, unknown> = { token_type: "Bearer", expires_in: 3600 }): Answer {
  return (number, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ access_token: `token-${number}`, ...fields }));
  };
}

const env = { SECRET: "s3cret", SCOPE: "write" };

test("[H-oauth] the token is asked for in a form and sent as bearer", async () => {
  const { execution, auth, tokenRequests, tokens } = await world();
  const made = await tool({ ...execution, auth: { ...auth, scopes: ["read", "{{env.SCOPE}}"] } });
  await made.call({ env });
  expect(Object.fromEntries(tokenRequests[0]!.form)).toEqual({
    grant_type: "client_credentials",
    client_id: "client",
    client_secret: "s3cret",
    scope: "read write",
  });
  expect(tokenRequests[0]!.request.headers).toMatchObject({
    accept: "application/json",
    "user-agent": "mci-ts",
  });
  expect(tokenRequests[0]!.request.headers).not.toHaveProperty("authorization");
  expect(tokens).toEqual(["token-1"]);
});

test("[H-secrets] the token is reported as a secret", async () => {
  const { execution } = await world();
  const made = await tool(execution);
  await made.call({ env });
  expect(made.secrets).toEqual(expect.arrayContaining(["s3cret", "token-1"]));
});

test("[H-oauth-401] one token serves many calls and tools of a session, another session has its own", async () => {
  const { execution, tokenRequests, tokens } = await world();
  const first = await tool(execution);
  const second = await tool({ ...execution, method: "POST" }, first.session);
  for (const made of [first, second, first]) await made.call({ env });
  expect(tokenRequests).toHaveLength(1);
  await (await tool(execution)).call({ env });
  expect(tokens).toEqual(["token-1", "token-1", "token-1", "token-2"]);
});

test("[H-oauth-401] another secret is another token", async () => {
  const { execution, tokens } = await world();
  const made = await tool(execution);
  await made.call({ env });
  await made.call({ env: { SECRET: "other" } });
  await made.call({ env });
  expect(tokens).toEqual(["token-1", "token-2", "token-1"]);
});

test("[H-oauth-401] fifty calls at once ask for one token", async () => {
  const { execution, tokenRequests, tokens } = await world();
  const made = await tool(execution);
  await Promise.all(Array.from({ length: 50 }, () => made.call({ env })));
  expect(tokenRequests).toHaveLength(1);
  expect(tokens).toHaveLength(50);
});

test("[H-oauth-401] one caller's cancellation does not cost the others their token", async () => {
  let release = () => {};
  const { execution, tokenRequests } = await world((number, response) => {
    release = () => grant()(number, response);
  });
  const made = await tool(execution);
  const controller = new AbortController();
  const cancelled = made.fail({ env, signal: controller.signal });
  const others = Promise.all(Array.from({ length: 5 }, () => made.call({ env })));
  await until(() => tokenRequests.length > 0, "the token request");
  controller.abort();
  expect(await cancelled).toMatchObject({ code: "aborted" });
  release();
  await others;
  expect(tokenRequests).toHaveLength(1);
});

describe("401 of the API", () => {
  test("[H-oauth-401] renews the token once and goes on", async () => {
    const { execution, tokens } = await world(grant(), (token) => token !== "token-1");
    const outcome = await (await tool(execution)).call({ env });
    expect(outcome.metadata).toMatchObject({ status_code: 200, attempts: 1 });
    expect(tokens).toEqual(["token-1", "token-2"]);
  });

  test("[H-oauth-401] but only once", async () => {
    const { execution, tokens } = await world(grant(), () => false);
    const error = await (await tool({ ...execution, retries: { attempts: 3, backoff_ms: 1 } })).fail({ env });
    expect(error).toMatchObject({ code: "http_status", metadata: { status_code: 401, attempts: 1 } });
    expect(tokens).toEqual(["token-1", "token-2"]);
  });

  test("[H-oauth-401] many calls that are refused together share the renewal", async () => {
    const { execution, tokenRequests } = await world(grant(), (token) => token !== "token-1");
    const made = await tool(execution);
    await Promise.all(Array.from({ length: 20 }, () => made.call({ env })));
    expect(tokenRequests).toHaveLength(2);
  });
});

describe("lenient servers", () => {
  test.each<[string, Record<string, unknown>]>([
    ["no token_type", { expires_in: 3600 }],
    ["no expires_in", { token_type: "bearer" }],
    ["expires_in as text", { token_type: "BEARER", expires_in: "3600" }],
    ["fields that are null", { token_type: "Bearer", expires_in: null, scope: null, refresh_token: null }],
    ["an id_token that is not one", { token_type: "Bearer", id_token: "x" }],
  ])("[H-oauth] %s", async (_, fields) => {
    const { execution, tokens, tokenRequests } = await world(grant(fields));
    const made = await tool(execution);
    await made.call({ env });
    await made.call({ env });
    expect(tokens).toEqual(["token-1", "token-1"]);
    expect(tokenRequests).toHaveLength(1);
  });

  test("[H-oauth] another content type, another 2xx", async () => {
    const { execution, tokens } = await world((_, response) => {
      response.writeHead(201, { "content-type": "text/plain" }).end('{"access_token":"t"}');
    });
    await (await tool(execution)).call({ env });
    expect(tokens).toEqual(["t"]);
  });
});

describe("failures", () => {
  const refusing =
    (status: number, body: string, headers: Record<string, string> = {}): Answer =>
    (_, response) =>
      void response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);

  test("[H-oauth-error] the server's reason is passed on, and it is not tried again", async () => {
    const { server, execution, tokenRequests, tokens } = await world(
      refusing(401, '{"error":"invalid_client","error_description":"no such client"}', {
        "www-authenticate": "Basic",
      }),
    );
    const made = await tool({ ...execution, retries: { attempts: 3, backoff_ms: 1 } });
    const error = await made.fail({ env });
    expect(error.code).toBe("auth_failed");
    expect(error.message).toContain(`${server.url}/token`);
    expect(error.message).toContain("invalid_client: no such client");
    expect(error.message).toContain("Check tokenUrl, clientId, clientSecret and scopes.");
    expect(tokenRequests).toHaveLength(1);
    expect(tokens).toEqual([]);
  });

  test.each([
    ["no token in it", refusing(200, "{}")],
    ["no JSON", refusing(200, "<html>")],
    ["a JSON array", refusing(200, "[]")],
    ["an error without a reason", refusing(400, "{}")],
    ["a redirect", refusing(302, "", { location: "/api" })],
    ["a token that is not text", refusing(200, '{"access_token":5}')],
  ])("[H-oauth-error] %s", async (_, answer) => {
    const { execution, tokens } = await world(answer);
    expect(await (await tool(execution)).fail({ env })).toMatchObject({ code: "auth_failed" });
    expect(tokens).toEqual([]);
  });

  test("[H-oauth-error] a token that no header can hold", async () => {
    const { execution } = await world(refusing(200, '{"access_token":"a\\nb"}'));
    const error = await (await tool(execution)).fail({ env });
    expect(error).toMatchObject({
      code: "header_refused",
      message: expect.stringContaining("'Authorization'"),
    });
  });

  test("[H-oauth-retry] a token endpoint that is busy is retried within the call's attempts", async () => {
    const { execution, tokens } = await world((number, response) => {
      if (number < 3) response.writeHead(503).end();
      else grant()(number, response);
    });
    const made = await tool({ ...execution, retries: { attempts: 3, backoff_ms: 1 } });
    expect((await made.call({ env })).metadata).toMatchObject({ attempts: 3 });
    expect(tokens).toEqual(["token-3"]);
    const { execution: busy } = await world(refusing(429, "", { "retry-after": "100" }));
    expect(
      await (await tool({ ...busy, retries: { attempts: 3, backoff_ms: 1 } })).fail({ env }),
    ).toMatchObject({
      code: "auth_failed",
      message: expect.stringContaining("status 429"),
    });
  });

  test("[H-oauth-retry] so is one that cannot be reached", async () => {
    const { execution, auth } = await world();
    const made = await tool(
      {
        ...execution,
        auth: { ...auth, tokenUrl: "http://127.0.0.1:1/token" },
        retries: { attempts: 2, backoff_ms: 1 },
      },
      openSession(),
    );
    expect(await made.fail({ env })).toMatchObject({ code: "http_network", metadata: { attempts: 2 } });
  });
});
