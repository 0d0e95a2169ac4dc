import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ModelError, type ModelRequest } from "@mci-ts/council";
import { afterEach, describe, expect, it } from "vitest";
import type { ScriptedReply } from "../../../fake-provider/src/script.ts";
import {
  type FakeProvider,
  type FakeProviderOptions,
  startFakeProvider,
} from "../../../fake-provider/src/server.ts";
import { eventually } from "../../test/eventually.ts";
import { readConfig } from "../config/config.ts";
import { openModels } from "./models.ts";

let sim: FakeProvider;
afterEach(() => sim?.close());

const schema = {
  name: "vote",
  jsonSchema: {
    type: "object",
    properties: { answer: { type: "string" }, rationale: { type: "string" } },
    required: ["answer", "rationale"],
    additionalProperties: false,
  },
};

const request: ModelRequest = {
  model: "sim",
  purpose: "vote",
  messages: [
    { role: "system", content: "You vote." },
    { role: "user", content: "Which?" },
  ],
  temperature: 0.1,
  maxOutputTokens: 100,
};

async function modelFor(options: FakeProviderOptions, env: Record<string, string> = {}) {
  sim = await startFakeProvider(options);
  const config = readConfig({ MAKER_API_URL: sim.url, MAKER_API_MODEL: "sim", ...env });
  const model = (await openModels(config.models)).forRun({});
  return (extra: Partial<ModelRequest> = {}, signal = new AbortController().signal) =>
    model.complete({ ...request, ...extra }, signal);
}

describe("a provider's model", () => {
  it("reports text, usage, latency and the model that answered", async () => {
    const ask = await modelFor({ rules: [{ reply: { kind: "text", text: "Paris" }, delay_ms: 20 }] });
    const reply = await ask();
    expect(reply).toMatchObject({ text: "Paris", finishReason: "stop", model: "sim" });
    expect(reply.usage.inputTokens).toBeGreaterThan(0);
    expect(reply.usage.outputTokens).toBe(2);
    expect(reply.usage.costUsd).toBeUndefined();
    expect(reply.latencyMs).toBeGreaterThanOrEqual(15);
    expect(sim.log[0]).toMatchObject({ temperature: 0.1, structured: false });
  });

  it.each<[ScriptedReply, object]>([
    [{ kind: "length" }, { finishReason: "length" }],
    [{ kind: "refusal" }, { finishReason: "refusal" }],
    [{ kind: "content_filter" }, { finishReason: "content_filter", text: "" }],
    [{ kind: "empty" }, { finishReason: "stop", text: "" }],
    [{ kind: "reasoning_only" }, { finishReason: "stop", text: "" }],
    [{ kind: "malformed" }, { finishReason: "stop", text: '{"answer": "no closing brace", "rationale": ' }],
  ])("passes on how an answer ended, unmended: %o [M-finish]", async (reply, expected) => {
    const ask = await modelFor({ rules: [{ reply }] });
    expect(await ask({ schema })).toMatchObject(expected);
    expect(sim.stats.arrivals).toBe(1);
  });

  it.each<[string, ScriptedReply, object]>([
    ["401", { kind: "status", status: 401 }, { status: 401, retryable: false }],
    [
      "429",
      { kind: "status", status: 429, retry_after: 1.5 },
      { status: 429, retryable: true, retryAfterMs: 1500 },
    ],
    ["500", { kind: "status", status: 500 }, { status: 500, retryable: true }],
    ["a cut before the answer", { kind: "cut", after: "request" }, { retryable: true }],
    ["a cut inside the answer", { kind: "cut", after: "body" }, { retryable: true }],
  ])("turns %s into a transport error after one attempt [M-transport]", async (_, reply, expected) => {
    const ask = await modelFor({ rules: [{ reply }] });
    const error = await ask().catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject(expected);
    expect(sim.stats.arrivals).toBe(1);
  });

  it("fails, and may be retried, when nothing listens", async () => {
    const ask = await modelFor({});
    await sim.close();
    await expect(ask()).rejects.toMatchObject({ name: "ModelError", retryable: true });
  });

  it("gives up on a silent provider after the call timeout", async () => {
    const ask = await modelFor({ rules: [{ reply: { kind: "hang" } }] }, { MCI_CALL_TIMEOUT_MS: "80" });
    await expect(ask()).rejects.toMatchObject({ name: "ModelError", retryable: true });
    await eventually(() => sim.stats.aborted).toBe(1);
  });

  it("closes the socket as soon as it is aborted [F-hang]", async () => {
    const ask = await modelFor({ rules: [{ reply: { kind: "hang" } }] });
    const controller = new AbortController();
    const pending = ask({}, controller.signal);
    pending.catch(() => undefined);
    await eventually(() => sim.stats.in_flight).toBe(1);
    const aborted = performance.now();
    controller.abort();
    await expect(pending).rejects.toThrow();
    while (sim.stats.aborted === 0 && performance.now() - aborted < 2000)
      await new Promise((go) => setTimeout(go, 1));
    // The guarantee is 50 ms; a busy machine may be late to notice.
    expect(performance.now() - aborted).toBeLessThan(1000);
  });

  it("asks by schema, and in the prompt once the endpoint refuses one [M-structured]", async () => {
    const ask = await modelFor({ structured: false, behaviour: { truth: "Paris" } });
    for (const _ of [1, 2]) {
      expect(JSON.parse((await ask({ schema })).text)).toMatchObject({ answer: "Paris" });
    }
    expect(sim.log.map((entry) => entry.structured)).toEqual([false, false]);
  });

  it("asks in the prompt after an endpoint ignored the schema twice", async () => {
    const ask = await modelFor({
      rules: [{ reply: { kind: "text", text: "Paris!" }, times: 2 }],
      behaviour: { truth: "Paris" },
    });
    for (const _ of [1, 2, 3]) await ask({ schema });
    expect(sim.log.map((entry) => entry.structured)).toEqual([true, true, false]);
  });

  it("does not follow a redirect, which would take key and prompt elsewhere, and says where it leads [S-key]", async () => {
    const elsewhere = await startFakeProvider({});
    const redirecting = createServer((_, out) => {
      out.writeHead(308, { location: `${elsewhere.url}/chat/completions` }).end();
    });
    await new Promise<void>((resolve) => redirecting.listen(0, "127.0.0.1", resolve));
    const { port } = redirecting.address() as AddressInfo;
    const ask = await modelFor({}, { MAKER_API_URL: `http://127.0.0.1:${port}/v1` });
    await expect(ask()).rejects.toMatchObject({
      message: expect.stringContaining(`HTTP 308: Permanent Redirect to ${elsewhere.url}`),
      retryable: false,
      status: 308,
    });
    expect(elsewhere.stats.arrivals).toBe(0);
    redirecting.close();
    await elsewhere.close();
  });

  it("says that an address without a chat API may lack its /v1, but not of a model that does not exist", async () => {
    let body = "404 page not found";
    const server = createServer((_, out) => out.writeHead(404).end(body));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const ask = await modelFor({}, { MAKER_API_URL: `http://127.0.0.1:${port}` });
    await expect(ask()).rejects.toThrow(
      "HTTP 404: Not Found (there is no chat API at this address: that of most servers ends in /v1)",
    );
    body = '{"error":{"message":"model \'sim\' not found"}}';
    await expect(ask()).rejects.toThrow(/model 'sim' not found$/);
    server.close();
  });

  it("sends a call again at once that a pooled connection lost, and counts it as a transport error [M-transport]", async () => {
    const ask = await modelFor({ rules: [{ reply: { kind: "text", text: "Paris" } }] });
    await ask();
    sim.script({
      rules: [
        { reply: { kind: "cut", after: "request" }, times: 1 },
        { reply: { kind: "text", text: "Paris" } },
      ],
    });
    expect(await ask()).toMatchObject({ text: "Paris", retries: 1 });
    expect(sim.stats).toMatchObject({ arrivals: 2, cut: 1 });
    sim.script({ rules: [{ reply: { kind: "cut", after: "request" } }] });
    await expect(ask()).rejects.toMatchObject({ name: "ModelError", retryable: true, retries: 1 });
  });

  it("waits for a provider that is too busy while its run has time, and counts the refusals [M-limiter]", async () => {
    sim = await startFakeProvider({
      rules: [
        { reply: { kind: "status", status: 429, retry_after: 0.05 }, times: 3 },
        { reply: { kind: "text", text: "Paris" } },
      ],
    });
    const models = await openModels(readConfig({ MAKER_API_URL: sim.url, MAKER_API_MODEL: "sim" }).models);
    const { complete } = models.forRun({ deadlineAt: performance.now() + 10_000 });
    expect(await complete(request, new AbortController().signal)).toMatchObject({
      text: "Paris",
      retries: 3,
    });
  });

  it("keeps keys out of its errors", async () => {
    const ask = await modelFor({ key: "another" }, { MAKER_API_KEY: "very-secret-key" });
    const error = (await ask().catch((error: unknown) => error)) as ModelError;
    expect(error.message).toContain("HTTP 401");
    expect(error.message).not.toContain("very-secret-key");
  });
});
