import { describe, expect, test } from "vitest";
import type { HttpExecution } from "../../schema/execution.ts";
import { credentialLeak } from "./credential-leak.ts";

const found = (execution: Omit<HttpExecution, "type">, properties?: Record<string, object>) =>
  credentialLeak({ type: "http", ...execution } as HttpExecution, ["execution"], { properties }).map(
    ({ place, message }) =>
      `${place.slice(1).join(".")}: ${message.replace("The caller chooses the host that receives ", "")}`,
  );

const bearer = { type: "bearer", token: "{{env.TOKEN}}" } as const;

describe("[I-credentials] credentials that go to a host of the caller's choice are a warning", () => {
  test.each<[string, Omit<HttpExecution, "type">, string[]]>([
    ["bearer", { url: "{{props.url}}", auth: bearer }, ["url: env.TOKEN"]],
    ["native", { url: "{!! input.url !!}", auth: bearer }, ["url: env.TOKEN"]],
    ["header", { url: "{{props.base}}/v1", headers: { "X-Key": "k {{env.KEY}}" } }, ["url: env.KEY"]],
    ["query", { url: "https://{{props.host}}/v1", params: { k: "{{env.KEY}}" } }, ["url: env.KEY"]],
    [
      "body",
      {
        url: "https://{{props.host}}:8443",
        body: { type: "json", content: { a: ["{{env.A}}", "{{env.B}}"] } },
      },
      ["url: env.A, env.B"],
    ],
    ["path", { url: "https://api.{{props.domain}}/{{env.KEY}}", headers: {} }, ["url: env.KEY"]],
    ["fallback", { url: "https://{{props.host | env.HOST}}/", auth: bearer }, ["url: env.HOST, env.TOKEN"]],
    ["written", { url: "{{props.url}}", auth: { type: "bearer", token: "abc" } }, ["url: its auth"]],
    [
      "token endpoint",
      {
        url: "https://api.example.com",
        auth: {
          type: "oauth2",
          flow: "clientCredentials",
          tokenUrl: "https://{{props.tenant}}/token",
          clientId: "a",
          clientSecret: "{{env.S}}",
        },
      },
      ["auth.tokenUrl: the client secret"],
    ],
  ])("%s", (_, execution, expected) => {
    expect(found(execution)).toEqual(expected);
  });
});

describe("no warning", () => {
  test.each<[string, Omit<HttpExecution, "type">]>([
    ["nothing is sent", { url: "{{props.url}}" }],
    ["the host is the author's", { url: "https://api.example.com/{{props.path}}", auth: bearer }],
    ["the host is env's", { url: "{{env.BASE}}/{{props.path}}", auth: bearer }],
    ["only a name below the author's", { url: "https://{{props.tenant}}.example.com/", auth: bearer }],
    ["only the scheme", { url: "{{props.scheme}}://api.example.com", auth: bearer }],
    ["only the port", { url: "https://api.example.com:{{props.port}}/", auth: bearer }],
    ["only the query", { url: "https://api.example.com?next={{props.url}}", auth: bearer }],
  ])("%s", (_, execution) => {
    expect(found(execution)).toEqual([]);
  });

  test("a property with an enum is the author's choice", () => {
    expect(found({ url: "https://{{props.host}}/", auth: bearer }, { host: { enum: ["a.com"] } })).toEqual(
      [],
    );
    expect(
      found({ url: "https://{{props.host}}/", auth: bearer }, { host: { type: "string" } }),
    ).toHaveLength(1);
  });
});
