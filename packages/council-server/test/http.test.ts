import { request as rawRequest } from "node:http";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { eventually } from "./eventually.ts";
import { post, startCouncil } from "./harness.ts";
import { readJson } from "./read-json.ts";

const VOTE = { prompt: "Tabs or spaces?", intent: "validation" };
const TOKEN = "a-token-of-some-length";

describe("the service over HTTP", () => {
  it("reports what it is, that it is alive and which model it uses [A-health]", async () => {
    const { url } = await startCouncil();
    expect(await readJson(fetch(`${url}/`))).toMatchObject({
      name: "council",
      links: { api: "/openapi.json" },
    });
    expect(await readJson(fetch(`${url}/healthz`))).toEqual({ status: "ok" });
    expect(await readJson(fetch(`${url}/readyz`))).toEqual({
      status: "ready",
      model: "sim",
      simulated: false,
      history: { status: "ok", storage: "memory" },
    });
  });

  it("takes the prompt as query too, and suggests the field that was meant [P-prompt]", async () => {
    const { url } = await startCouncil({ behaviour: { truth: "Tabs" } });
    const ask = (body: object) => readJson(post(`${url}/mcp/model`, body));
    expect((await ask({ query: VOTE.prompt, context: null })).metadata.answer).toBe("Tabs");
    expect((await ask({ promt: VOTE.prompt })).error.details[1].message).toMatch(
      /^promt is not a field \(did you mean prompt\?\)/,
    );
    expect((await ask({ prompt: "Tabs?", query: "Spaces?" })).error.message).toMatch(
      /^query and prompt are two names/,
    );
  });

  it("shows the provider's address in /readyz only with the token [H-ready]", async () => {
    const { url, sim } = await startCouncil({}, { MCI_TOKEN: TOKEN });
    const ready = async (authorization?: string) =>
      (await fetch(`${url}/readyz`, authorization ? { headers: { authorization } } : {})).text();
    const { host } = new URL(sim.url);
    expect(await ready()).not.toContain(host);
    expect(await ready("Bearer wrong")).not.toContain(host);
    expect(await ready(`Bearer ${TOKEN}`)).toContain(host);
    const open = await startCouncil();
    expect(await (await fetch(`${open.url}/readyz`)).text()).not.toContain(new URL(open.sim.url).host);
  });

  it("one client cannot hold all streams", async () => {
    const { url, sim } = await startCouncil({ rules: [{ reply: { kind: "hang" } }] });
    const controller = new AbortController();
    const { signal } = controller;
    const first = await post(`${url}/mcp/model`, VOTE, { headers: { accept: "text/event-stream" }, signal });
    const watch = () => fetch(`${url}/runs/${first.headers.get("x-request-id")}/events`, { signal });
    const opened = await Promise.all(Array.from({ length: 260 }, watch));
    const count = (status: number) => opened.filter((response) => response.status === status).length;
    expect([count(200), count(429)]).toEqual([255, 5]);
    expect(opened.find(({ status }) => status === 429)?.headers.get("retry-after")).toBeTruthy();
    // Neither does a refused stream start a run, nor do plain requests suffer.
    const refused = await post(`${url}/mcp/model`, VOTE, { headers: { accept: "text/event-stream" } });
    expect([refused.status, sim.stats.arrivals]).toEqual([429, 3]);
    expect((await fetch(`${url}/runs`)).status).toBe(200);
    controller.abort();
    await eventually(async () => (await fetch(`${url}/runs/none/events`)).status).toBe(404);
  });

  it("exposes metrics for Prometheus [A-health]", async () => {
    const { url } = await startCouncil({ rules: [{ times: 1, reply: { kind: "refusal" } }] });
    await post(`${url}/mcp/model`, { prompt: "Tabs or spaces?" });
    const response = await fetch(`${url}/metrics`);
    expect(response.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
    const text = await response.text();
    for (const line of [
      'council_http_requests_total{method="POST",route="/mcp/model",status="200"} 1',
      'council_runs_total{tool="solve_with_voting",status="complete"} 1',
      'council_run_seconds_count{tool="solve_with_voting"} 1',
      'council_model_calls_total{model="sim",purpose="vote",outcome="succeeded"} 4',
      'council_red_flags_total{rule="refusal"} 1',
      "council_votes_total 3",
      "council_runs_active 0",
      'council_provider_call_limit{provider="127.0.0.1"} 64',
      "council_history_up 1",
    ])
      expect(text.split("\n")).toContain(line);
  });

  it("responds to unknown paths and methods with JSON errors", async () => {
    const { url } = await startCouncil();
    const missing = await fetch(`${url}/nowhere`);
    expect([missing.status, (await readJson(missing)).error.code]).toEqual([404, "not_found"]);
    const wrong = await fetch(`${url}/mcp/model`);
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "POST"]);
    expect((await readJson(wrong)).error.code).toBe("method_not_allowed");
    const run = await fetch(`${url}/runs/none`, { method: "PUT" });
    expect([run.status, run.headers.get("allow")]).toEqual([405, "GET, DELETE"]);
    const outside = await fetch(`${url}/mcp`);
    expect([outside.status, outside.headers.get("allow")]).toEqual([405, "POST"]);
    expect((await readJson(outside)).error.message).toBe("/mcp supports POST, not GET");
  });

  it.each<[string, unknown, string[]]>([
    ["no prompt", {}, ["prompt"]],
    [
      "too many voters and k out of range",
      { prompt: "x", config: { num_voters: 26, k: 0 } },
      ["config.num_voters", "config.k"],
    ],
    ["an unknown intent", { prompt: "x", intent: "guess" }, ["intent"]],
    ["a misspelt limit", { prompt: "x", config: { max_call: 1 } }, ["config.max_call"]],
  ])("rejects %s with every problem, before any model call [A-400]", async (_, body, paths) => {
    const { url, sim } = await startCouncil();
    const response = await post(`${url}/mcp/model`, body);
    const { error } = await readJson(response);
    expect([response.status, error.code]).toEqual([400, "invalid_request"]);
    expect(error.details.map(({ path }: { path: string }) => path)).toEqual(paths);
    expect(sim.stats.arrivals).toBe(0);
  });

  it.each<[string, string]>([
    ["/runs?limit=500", 'query.limit must be a whole number from 1 to 100; it is "500"'],
    ["/runs?cursor=zz", "query.cursor must be a next_cursor returned by this service for the same sort"],
  ])("says what is wrong with %s in a sentence [Q-words]", async (path, message) => {
    const { url } = await startCouncil();
    const response = await fetch(url + path);
    expect([response.status, (await readJson(response)).error]).toEqual([
      400,
      {
        code: "invalid_request",
        message,
        details: [{ path: path.replace(/.*\?(\w+)=.*/, "query.$1"), message }],
      },
    ]);
  });

  it("rejects bodies that are not JSON, not declared as JSON, or too large [H-body]", async () => {
    const { url } = await startCouncil({}, { MCI_BODY_LIMIT: "2048" });
    const broken = await post(`${url}/mcp/model`, null, { body: '{"prompt": ' });
    expect([broken.status, (await readJson(broken)).error.code]).toEqual([400, "invalid_request"]);
    const form = await post(
      `${url}/mcp/model`,
      { prompt: "x" },
      { headers: { "content-type": "text/plain" } },
    );
    expect([form.status, (await readJson(form)).error.code]).toEqual([415, "unsupported_media_type"]);
    const large = await post(`${url}/mcp/model`, { prompt: "x".repeat(5000) });
    expect([large.status, (await readJson(large)).error.code]).toEqual([413, "body_too_large"]);
    const chunked = await post(`${url}/mcp/model`, null, {
      body: new Blob(["x".repeat(5000)]).stream(),
      duplex: "half",
    } as RequestInit);
    expect(chunked.status).toBe(413);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  it("rejects a deeply nested body", async () => {
    const { url, logged } = await startCouncil();
    const body = `{"prompt": "x", "context": {"history": ${"[".repeat(200_000)}${"]".repeat(200_000)}}}`;
    const response = await post(`${url}/mcp/model`, null, { body });
    expect([response.status, (await readJson(response)).error.code]).toEqual([400, "invalid_request"]);
    expect(logged).toEqual([]);
  });

  it("rejects a body that never ends", async () => {
    const { url, logged } = await startCouncil();
    const { port } = new URL(url);
    const half = connect(Number(port), "127.0.0.1", () => {
      half.write(
        "POST /mcp/model HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{",
      );
      setTimeout(() => half.destroy(), 50);
    });
    await new Promise((go) => half.once("close", go));
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(logged).toEqual([]);
  });

  it("serves only its own host names, and no foreign origin [H-rebinding]", async () => {
    const { url } = await startCouncil();
    const { port } = new URL(url);
    expect(await statusWithHost(port, "evil.example")).toBe(403);
    expect(await statusWithHost(port, `localhost:${port}`)).toBe(200);
    const foreign = await fetch(`${url}/runs`, { headers: { origin: "https://evil.example" } });
    expect([foreign.status, foreign.headers.get("access-control-allow-origin")]).toEqual([403, null]);
  });

  it("serves allowed origins, with the CORS headers that browsers need", async () => {
    const { url } = await startCouncil({}, { MCI_ALLOWED_ORIGINS: "https://app.example" });
    const origin = { origin: "https://app.example" };
    const preflight = await fetch(`${url}/mcp/model`, {
      method: "OPTIONS",
      headers: { ...origin, "access-control-request-headers": "content-type" },
    });
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([
      204,
      "https://app.example",
    ]);
    expect(preflight.headers.get("access-control-allow-headers")).toContain("content-type");
    const answer = await fetch(`${url}/runs`, { headers: origin });
    expect(answer.headers.get("access-control-allow-origin")).toBe("https://app.example");
    expect((await fetch(`${url}/runs`)).headers.get("access-control-allow-origin")).toBeNull();
  });

  it("requires its token everywhere but at the health checks [H-bearer]", async () => {
    const { url } = await startCouncil({}, { MCI_TOKEN: TOKEN });
    for (const path of ["/runs", "/metrics", "/v1/models"]) {
      const refused = await fetch(url + path);
      expect([refused.status, refused.headers.get("www-authenticate")], path).toEqual([
        401,
        'Bearer realm="council"',
      ]);
      expect((await fetch(url + path, { headers: { authorization: `Bearer ${TOKEN}` } })).status, path).toBe(
        200,
      );
    }
    expect((await post(`${url}/mcp`, {})).status).toBe(401);
    expect((await post(`${url}/mcp/model`, { prompt: "x" })).status).toBe(401);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });

  it("limits the requests of a client, but not health checks [H-body]", async () => {
    const { url } = await startCouncil({}, { MCI_RATE_LIMIT: "5" });
    const statuses: number[] = [];
    for (let n = 0; n < 7; n++) statuses.push((await fetch(`${url}/v1/models`)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
    const limited = await fetch(`${url}/v1/models`);
    expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });
});

/** fetch does not let us lie about the host. */
function statusWithHost(port: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    rawRequest({ port, host: "127.0.0.1", path: "/healthz", headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on("error", reject)
      .end();
  });
}
