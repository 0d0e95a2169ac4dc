import { describe, expect, it } from "vitest";
import { post, startCouncil } from "./harness.ts";
import { checker } from "./openapi-checker.ts";
import { readJson } from "./read-json.ts";

/** Imported by a name that the type checker does not follow: its types alone would take a tenth of the whole check. */
const LINTER: string = "@redocly/openapi-core";

interface Problem {
  readonly ruleId: string;
  readonly message: string;
}

const TOOL = { type: "function", function: { name: "look", parameters: { type: "object", properties: {} } } };
const VOTE = { prompt: "Tabs or spaces?", intent: "validation" };

let fetched: Promise<string> | undefined;
/** The same for every service, so it is asked for once. */
function documentText(): Promise<string> {
  fetched ??= startCouncil().then(async ({ url }) => (await fetch(`${url}/openapi.json`)).text());
  return fetched;
}

describe("/openapi.json [A-openapi]", () => {
  it("describes every response of the service", async () => {
    const { url, sim } = await startCouncil();
    const api = await readJson(fetch(`${url}/openapi.json`));
    const check = checker(api);
    const seen = new Set<string>();
    const ask = async (path: string, request: Promise<Response> | Response, template = path) => {
      const response = await request;
      const text = await response.text();
      const method = path.startsWith("POST") ? "post" : path.startsWith("DELETE") ? "delete" : "get";
      seen.add(`${method} ${template.replace(/^\w+ /, "")} ${response.status}`);
      check(method, template.replace(/^\w+ /, ""), response, text);
      return { response, text };
    };

    await ask("GET /", fetch(`${url}/`));
    await ask("GET /assets/{name}", fetch(`${url}/assets/missing.js`));
    await ask("POST /mcp/model", post(`${url}/mcp/model`, VOTE, { headers: { prefer: "respond-async" } }));
    await ask("GET /api/console", fetch(`${url}/api/console`));
    await ask("GET /api/evaluation", fetch(`${url}/api/evaluation?model=a&model=anthropic/b`));
    await ask("GET /api/evaluation", fetch(`${url}/api/evaluation?model=${"x".repeat(201)}`));
    await ask("GET /healthz", fetch(`${url}/healthz`));
    await ask("GET /readyz", fetch(`${url}/readyz`));
    await ask("GET /metrics", fetch(`${url}/metrics`));
    await ask("GET /v1/models", fetch(`${url}/v1/models`));
    await ask("GET /v1/models/{id}", fetch(`${url}/v1/models/vote`));
    await ask("GET /v1/models/{id}", fetch(`${url}/v1/models/gpt-4`));
    await ask("GET /assets/{name}", fetch(`${url}/assets/none.js`));
    const stream = { headers: { accept: "text/event-stream" } };
    for (const intent of ["decision", "code_review", "decomposition", "validation"]) {
      await ask("POST /mcp/model", post(`${url}/mcp/model`, { prompt: "Tabs or spaces?", intent }));
      await ask("POST /mcp/model", post(`${url}/mcp/model`, { prompt: "Tabs or spaces?", intent }, stream));
    }
    await ask("POST /mcp/model", post(`${url}/mcp/model`, {}));
    await ask(
      "POST /mcp/model",
      post(`${url}/mcp/model`, VOTE, { headers: { "content-type": "text/plain" } }),
    );
    await ask("POST /mcp/model", post(`${url}/mcp/model`, { prompt: "x".repeat(2_000_000) }));
    await ask(
      "POST /mcp/model",
      post(`${url}/mcp/model`, VOTE, { headers: { origin: "https://evil.example" } }),
    );
    const messages = [{ role: "user", content: "Tabs or spaces?" }];
    await ask("POST /v1/chat/completions", post(`${url}/v1/chat/completions`, { model: "vote", messages }));
    await ask("POST /v1/chat/completions", post(`${url}/v1/chat/completions`, { model: "vote" }));
    await ask("POST /v1/chat/completions", post(`${url}/v1/chat/completions`, { model: "gpt-4", messages }));
    for (const model of ["act", "vote"]) {
      const chat = { model, messages, tools: [TOOL] };
      await ask("POST /v1/chat/completions", post(`${url}/v1/chat/completions`, chat));
      await ask("POST /v1/responses", post(`${url}/v1/responses`, { model, input: "Tabs or spaces?" }));
      await ask("POST /v1/messages", post(`${url}/v1/messages`, { model, max_tokens: 9, messages }));
    }
    await ask("POST /v1/responses", post(`${url}/v1/responses`, { model: "act", previous_response_id: "a" }));
    await ask("POST /v1/messages", post(`${url}/v1/messages`, { model: "act", messages }));
    await ask("POST /v1/messages/count_tokens", post(`${url}/v1/messages/count_tokens`, { messages }));
    const anthropic = { headers: { "anthropic-version": "2023-06-01" } };
    await ask("GET /v1/models", fetch(`${url}/v1/models`, anthropic));
    await ask("GET /v1/models/{id}", fetch(`${url}/v1/models/act%2Fsim`, anthropic));
    const { text } = await ask("GET /runs", fetch(`${url}/runs?limit=3`));
    const [{ id }] = JSON.parse(text).runs;
    await ask("GET /runs", fetch(`${url}/runs?limit=x`));
    await ask("GET /runs/{id}", fetch(`${url}/runs/${id}`));
    await ask("POST /runs/{id}/verdict", post(`${url}/runs/${id}/verdict`, { right: true }));
    await ask("GET /runs/{id}/calls", fetch(`${url}/runs/${id}/calls`));
    await ask("GET /runs/{id}/calls/{call}", fetch(`${url}/runs/${id}/calls/1`));
    await ask("GET /runs/{id}/calls/{call}", fetch(`${url}/runs/${id}/calls/99`));
    await ask("GET /runs/{id}/capsule", fetch(`${url}/runs/${id}/capsule`));
    await ask("GET /calibration", fetch(`${url}/calibration`));
    await ask("GET /runs/{id}/events", fetch(`${url}/runs/${id}/events`));
    await ask("DELETE /runs/{id}", fetch(`${url}/runs/${id}`, { method: "DELETE" }));
    await ask("GET /runs/{id}", fetch(`${url}/runs/${id}`));
    sim.script({ rules: [{ reply: { kind: "status", status: 401 } }] });
    await ask("POST /mcp/model", post(`${url}/mcp/model`, VOTE));
    await ask("POST /v1/chat/completions", post(`${url}/v1/chat/completions`, { model: "vote", messages }));
    sim.script({ rules: [{ reply: { kind: "hang" } }] });
    await ask("POST /mcp/model", post(`${url}/mcp/model`, { ...VOTE, config: { deadline_ms: 50 } }));

    const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method} ${path}`),
    );
    // Those of tasks and schedules need PostgreSQL: tasks.test.ts checks them in the same way.
    const here = operations.filter((operation) => !/ \/(tasks|schedules)/.test(operation));
    const untested = here.filter((operation) => ![...seen].some((one) => one.startsWith(`${operation} `)));
    // The list of runs is followed without an end: run-calls.test.ts does so.
    expect(untested).toEqual(["post /mcp", "get /runs/events", "get /openapi.json"]);
    expect([...seen].filter((one) => one.startsWith("post /mcp/model")).map((one) => one.slice(-3))).toEqual(
      expect.arrayContaining(["200", "202", "400", "403", "413", "415", "502", "504"]),
    );
  });

  it("describes the errors of each protocol: by the guard, the token, the rate limit", async () => {
    const token = "0123456789abcdef";
    const { url } = await startCouncil({}, { MCI_TOKEN: token, MCI_RATE_LIMIT: "1" });
    const check = checker(await readJson(fetch(`${url}/openapi.json`)));
    const authorization = `Bearer ${token}`;
    for (const path of ["/mcp/model", "/v1/chat/completions", "/mcp"]) {
      for (const [status, headers] of [
        [401, {}],
        [403, { origin: "https://evil.example" }],
        [429, { authorization }],
      ] as const) {
        // The first with the token takes the minute's one place.
        if (status === 429) await post(url + path, "not an object", { headers });
        const response = await post(url + path, "not an object", { headers });
        expect(response.status, path).toBe(status);
        check("post", path, response, await response.text());
      }
    }
    const open = await fetch(`${url}/healthz`, { headers: { origin: "https://evil.example" } });
    check("get", "/healthz", open, await open.text());
  });

  it("has no lint problem [A-openapi-lint]", async () => {
    const source = await documentText();
    const { createConfig, lintFromString } = await import(LINTER);
    const config = await createConfig({ extends: ["recommended"] });
    const problems = await lintFromString({ source, absoluteRef: "openapi.json", config });
    expect(problems.map(({ ruleId, message }: Problem) => `${ruleId}: ${message}`)).toEqual([]);
    // The linter does find problems.
    const broken = source.replace('"summary":"Liveness check"', '"sumary":"Liveness check"');
    expect(await lintFromString({ source: broken, absoluteRef: "openapi.json", config })).not.toEqual([]);
  });

  it("types success precisely: a generated client knows result and metadata", async () => {
    const { paths, components } = JSON.parse(await documentText());
    const ok = paths["/mcp/model"].post.responses["200"].content["application/json"].schema;
    expect(ok).toEqual({ $ref: "#/components/schemas/ModelResponse" });
    const { ModelResponse, Metadata } = components.schemas;
    expect(ModelResponse).toMatchObject({
      required: ["result", "metadata"],
      properties: {
        result: { anyOf: [{ type: "string" }, { $ref: "#/components/schemas/Decomposition" }] },
        metadata: { $ref: "#/components/schemas/Metadata" },
      },
    });
    expect(Object.keys(Metadata.properties)).toEqual(
      expect.arrayContaining(["answer", "council", "voting", "usage"]),
    );
    // Nothing in it is untyped, and no index signature hides a misspelt field.
    expect(JSON.stringify([ModelResponse, Metadata])).not.toMatch(/:\{\}|additionalProperties":\{\}/);
  });

  it("names its schemas once and resolves every reference", async () => {
    const api = JSON.parse(await documentText());
    expect(Object.keys(api.components.schemas)).toEqual(
      expect.arrayContaining(["ModelRequest", "ModelResponse", "Error", "Event", "Run"]),
    );
    const refs = [...JSON.stringify(api).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref!);
    expect(refs.length).toBeGreaterThan(10);
    for (const ref of refs) {
      expect(ref).toMatch(/^#\/components\/schemas\/\w+$/);
      expect(api.components.schemas).toHaveProperty(ref.split("/").at(-1)!);
    }
    const { required, properties } = api.components.schemas.ModelRequest;
    expect(required).toEqual(["prompt"]);
    expect(Object.keys(properties)).toEqual(["prompt", "context", "intent", "config"]);
  });
});
