import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { eventually } from "./eventually.ts";
import { post, readEvents, startCouncil, startService } from "./harness.ts";
import { readJson } from "./read-json.ts";

const VOTE = { prompt: "Tabs or spaces?", intent: "validation" };
const COUNCIL = { prompt: "How should we store sessions?", intent: "decision", config: { num_voters: 3 } };

describe("when providers fail", () => {
  it("one failed seat does not stop the council [F-seat]", async () => {
    const { url } = await startCouncil(
      { rules: [{ model: "b", reply: { kind: "status", status: 401 } }] },
      { MAKER_VOTER_MODEL: "a,b,c", MAKER_JUDGE_MODEL: "judge" },
    );
    const response = await post(`${url}/mcp/model`, COUNCIL);
    const { result, metadata } = await readJson(response);
    expect(response.status).toBe(200);
    expect(result).toContain("## Judge's Final Decision");
    expect(metadata.warnings.length).toBeGreaterThan(0);
  });

  it("a failing judge is replaced by the next, then by the best-supported proposal, and reports it", async () => {
    const one = { rules: [{ model: "judge", reply: { kind: "status" as const, status: 401 } }] };
    const next = await startCouncil(one, { MAKER_JUDGE_MODEL: "judge", MCI_FALLBACK_MODELS: "second" });
    const replaced = (await readJson(post(`${next.url}/mcp/model`, COUNCIL))).metadata;
    expect(replaced.judge_model).toBe("second");
    const all = {
      rules: [{ contains: "You are the judge", reply: { kind: "status" as const, status: 401 } }],
    };
    const none = await startCouncil(all, { MAKER_JUDGE_MODEL: "judge" });
    const without = (await readJson(post(`${none.url}/mcp/model`, COUNCIL))).metadata;
    expect(without).toMatchObject({ status: "degraded" });
    expect(without.judge_model).toBeUndefined();
    expect(without.warnings.length).toBeGreaterThan(0);
  });

  it.each([VOTE, COUNCIL, { prompt: "Plan a party", intent: "decomposition" }])(
    "all calls failing is a 502, never an empty win: %o [F-all]",
    async (body) => {
      const { url } = await startCouncil({ rules: [{ reply: { kind: "status", status: 401 } }] });
      const response = await post(`${url}/mcp/model`, body);
      expect(response.status).toBe(502);
      expect((await readJson(response)).error).toMatchObject({
        code: expect.any(String),
        message: expect.any(String),
        details: [],
      });
      const [run] = (await readJson(fetch(`${url}/runs`))).runs;
      expect(run.status).toBe("failed");
    },
  );

  it("transport errors are retried and counted apart from red flags [F-retry]", async () => {
    const { url } = await startCouncil({
      rules: [
        { times: 1, reply: { kind: "status", status: 429, retry_after: 0.01 } },
        { times: 1, reply: { kind: "cut" } },
        { times: 1, reply: { kind: "refusal" } },
      ],
    });
    const { metadata } = await readJson(post(`${url}/mcp/model`, VOTE));
    expect(metadata.voting).toMatchObject({ transport_errors: 2, red_flagged: 1, converged: true });
  });

  it("a connection that is cut after it was used before counts as a transport error [F-reused]", async () => {
    const { url, sim } = await startCouncil({
      // k calls at once open k connections; the fourth request reuses one of them.
      rules: [
        { times: 3, reply: { kind: "answer", answer: "tabs" } },
        { times: 1, reply: { kind: "cut" } },
      ],
    });
    const ask = async () => (await readJson(post(`${url}/mcp/model`, VOTE))).metadata;
    expect((await ask()).voting.transport_errors).toBe(0);
    expect((await ask()).voting).toMatchObject({ transport_errors: 1, converged: true });
    expect(sim.stats).toMatchObject({ arrivals: 7 });
  });

  it("a provider that limits the rate to the end passes its Retry-After on [F-retry-after]", async () => {
    const { url } = await startCouncil(
      { rules: [{ reply: { kind: "status", status: 429, retry_after: 30 } }] },
      { MCI_DEADLINE_MS: "10000" },
    );
    const response = await post(`${url}/mcp/model`, VOTE);
    expect(response.status).toBeGreaterThanOrEqual(500);
    // The provider's 30 seconds, and a little jitter.
    expect(Number(response.headers.get("retry-after"))).toBeOneOf([29, 30, 31, 32, 33]);
    const chat = await post(`${url}/v1/chat/completions`, {
      model: "vote",
      messages: [{ role: "user", content: "Tabs or spaces?" }],
    });
    expect(Number(chat.headers.get("retry-after"))).toBeOneOf([29, 30, 31, 32, 33]);
  });

  it("a provider that hangs is aborted at the deadline [F-hang]", async () => {
    const { url, sim } = await startCouncil({ rules: [{ reply: { kind: "hang" } }] });
    const response = await post(`${url}/mcp/model`, { ...VOTE, config: { deadline_ms: 1000 } });
    expect(response.status).toBe(504);
    await eventually(() => sim.stats).toMatchObject({ in_flight: 0, aborted: 3 });
  });

  it("a client that disconnects cancels its calls [F-hang]", async () => {
    const { url, sim } = await startCouncil({ rules: [{ reply: { kind: "hang" } }] });
    const client = new AbortController();
    const asked = post(`${url}/mcp/model`, VOTE, { signal: client.signal });
    asked.catch(() => undefined);
    await eventually(() => sim.stats.in_flight).toBe(3);
    client.abort();
    const left = performance.now();
    while (sim.stats.in_flight > 0 && performance.now() - left < 2000) await sleep(1);
    // The guarantee is 50 ms; the bound is wide for busy machines.
    expect(performance.now() - left).toBeLessThan(1000);
    expect(sim.stats.aborted).toBe(3);
    const [run] = (await readJson(fetch(`${url}/runs`))).runs;
    expect(run.status).toBe("cancelled");
  });

  it("a client that closes a stream cancels its calls", async () => {
    const { url, sim } = await startCouncil({ rules: [{ reply: { kind: "hang" } }] });
    const client = new AbortController();
    const response = await post(`${url}/mcp/model`, VOTE, {
      signal: client.signal,
      headers: { accept: "text/event-stream" },
    });
    expect(response.status).toBe(200);
    await eventually(() => sim.stats.in_flight).toBe(3);
    client.abort();
    await eventually(() => sim.stats).toMatchObject({ in_flight: 0, aborted: 3 });
  });

  it("DELETE stops a run, its calls and its stream [F-hang]", async () => {
    const { url, sim } = await startCouncil({ rules: [{ reply: { kind: "hang" } }] });
    const response = await post(`${url}/mcp/model`, VOTE, { headers: { accept: "text/event-stream" } });
    const id = response.headers.get("x-request-id");
    await eventually(() => sim.stats.in_flight).toBe(3);
    expect(await readJson(fetch(`${url}/runs/${id}`, { method: "DELETE" }))).toEqual({
      id,
      status: "cancelled",
    });
    await eventually(() => sim.stats).toMatchObject({ in_flight: 0, aborted: 3 });
    const last = JSON.parse((await readEvents(response)).at(-1)!.data);
    expect(last).toMatchObject({ type: "run.error", status: 409, body: { error: { code: "cancelled" } } });
  });

  it("a budget reached mid-run ends the run with a partial result [F-budget]", async () => {
    // Answers that never agree: the vote would go on and on.
    const split = [0, 1, 2, 3].map((n) => ({
      times: 1,
      reply: { kind: "answer" as const, answer: n % 2 ? "tabs" : "spaces" },
    }));
    const { url, sim } = await startCouncil({ rules: split });
    const { result, metadata } = await readJson(
      post(`${url}/mcp/model`, { ...VOTE, config: { max_calls: 4 } }),
    );
    expect(metadata).toMatchObject({ status: "partial", voting: { converged: false } });
    expect(result).toEqual(expect.any(String));
    expect(metadata.usage.calls).toBe(4);
    expect(sim.stats.arrivals).toBeLessThanOrEqual(4);
  });

  it("an exhausted token budget closes every connection to the provider [F-hang]", async () => {
    const { url, sim } = await startCouncil({
      rules: [
        { times: 1, reply: { kind: "answer", answer: "tabs" }, delay_ms: 50 },
        { reply: { kind: "hang" } },
      ],
    });
    const { metadata } = await readJson(post(`${url}/mcp/model`, { ...VOTE, config: { max_tokens: 10 } }));
    expect(metadata).toMatchObject({ status: "partial", usage: { calls: 3, aborted_calls: 2 } });
    await eventually(() => sim.stats).toMatchObject({ in_flight: 0, answered: 1, aborted: 2 });
  });

  it("a request cannot raise the service's own limits", async () => {
    const { url, sim } = await startCouncil(
      { rules: [{ times: 4, reply: { kind: "refusal" } }] },
      { MCI_MAX_CALLS: "4" },
    );
    await post(`${url}/mcp/model`, { ...VOTE, config: { max_calls: 100 } });
    expect(sim.stats.arrivals).toBeGreaterThan(0);
    expect(sim.stats.arrivals).toBeLessThanOrEqual(4);
  });

  it("the daily budget stops runs in flight and rejects new ones until tomorrow [F-daily]", async () => {
    const { url, sim } = await startCouncil(
      { rules: [{ reply: { kind: "refusal" } }] },
      { MCI_DAILY_MAX_CALLS: "5" },
    );
    const stopped = await post(`${url}/mcp/model`, VOTE);
    expect([stopped.status, (await readJson(stopped)).error.code]).toEqual([503, "daily_budget_exhausted"]);
    const refused = await post(`${url}/mcp/model`, VOTE);
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(sim.stats.arrivals).toBeLessThanOrEqual(5);
  });

  it("the last call of the day succeeds like any other", async () => {
    const { url, sim } = await startCouncil({}, { MCI_DAILY_MAX_CALLS: "3" });
    expect((await post(`${url}/mcp/model`, VOTE)).status).toBe(200);
    expect((await post(`${url}/mcp/model`, VOTE)).status).toBe(503);
    expect(sim.stats).toMatchObject({ arrivals: 3, answered: 3 });
  });

  it("the daily budget survives a restart with a data folder", async () => {
    const env = { MCI_DAILY_MAX_CALLS: "3", MCI_DATA_DIR: temporaryFolder() };
    const first = await startService(env);
    await post(`${first.url}/mcp/model`, VOTE);
    await first.server.close();
    const second = await startService(env);
    expect((await post(`${second.url}/mcp/model`, VOTE)).status).toBe(503);
  });

  it("an unknown cost exhausts a budget in dollars", async () => {
    const { url } = await startCouncil({}, { MCI_DAILY_MAX_USD: "100" });
    const response = await post(`${url}/mcp/model`, VOTE);
    expect((await readJson(response)).error.code).toBe("daily_budget_exhausted");
    expect((await readJson(post(`${url}/mcp/model`, VOTE))).error.message).toContain("unknown cost");
  });

  it("an unknown cost still exhausts the daily budget after a restart, until there are prices", async () => {
    const dir = temporaryFolder();
    const { sim, server, url } = await startCouncil({}, { MCI_DATA_DIR: dir });
    expect((await post(`${url}/mcp/model`, VOTE)).status).toBe(200);
    await server.close();
    const prices = join(dir, "prices.json");
    writeFileSync(prices, JSON.stringify({ sim: { input: 1, output: 1 } }));
    const ask = async (env: Record<string, string>) => {
      const provider = { MAKER_API_URL: sim.url, MAKER_API_MODEL: "sim", MCI_DATA_DIR: dir };
      const again = await startService({ ...provider, ...env });
      const body = await readJson(post(`${again.url}/mcp/model`, VOTE));
      await again.server.close();
      return body;
    };
    expect((await ask({ MCI_DAILY_MAX_USD: "100" })).error.message).toContain("unknown cost");
    const tiny = { MCI_DAILY_MAX_USD: "0.000001", MCI_PRICES: prices };
    expect((await ask(tiny)).error.message).toContain("has reached MCI_DAILY_MAX_USD");
    expect(await ask({ MCI_DAILY_MAX_USD: "100", MCI_PRICES: prices })).toHaveProperty("result");
  });

  it("a model without a provider is rejected before any call", async () => {
    const { url, sim } = await startCouncil(
      {},
      { MAKER_API_URL: "", MAKER_API_MODEL: "anthropic/x", ANTHROPIC_API_KEY: "k" },
    );
    const response = await post(`${url}/mcp/model`, { ...VOTE, config: { model: "google/gemini" } });
    expect(response.status).toBe(400);
    expect((await readJson(response)).error.details).toMatchObject([{ path: "config.model" }]);
    expect(sim.stats.arrivals).toBe(0);
  });
});
