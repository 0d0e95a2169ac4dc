import { expect, it } from "vitest";
import { post, startCouncil } from "./harness.ts";
import { readJson } from "./read-json.ts";

const QUESTION = { prompt: "Is it better to use tabs or spaces?" };

it("fifty runs at once against a provider that takes eight calls at a time all succeed [M-limiter]", async () => {
  const { url, sim } = await startCouncil({
    limitConcurrency: 8,
    behaviour: { truth: "tabs", latency: { median_ms: 10 } },
  });
  const responses = await Promise.all(Array.from({ length: 50 }, () => post(`${url}/mcp/model`, QUESTION)));
  expect(responses.map(({ status }) => status).filter((status) => status !== 200)).toEqual([]);
  const bodies = await Promise.all(responses.map((response) => readJson(response)));
  const errors = bodies.reduce((sum, { metadata }) => sum + metadata.voting.transport_errors, 0);
  expect(sim.stats.answered).toBe(150);
  expect(errors).toBe(sim.stats.refused);
});

it("a run that a busy provider cannot serve in time fails at once and passes Retry-After on [M-limiter]", async () => {
  const { url } = await startCouncil({
    rules: [{ reply: { kind: "status", status: 429, retry_after: 90 } }],
  });
  const started = performance.now();
  const response = await post(`${url}/mcp/model`, { ...QUESTION, config: { deadline_ms: 20_000 } });
  expect(performance.now() - started).toBeLessThan(15_000);
  expect(response.status).toBe(502);
  const seconds = Number(response.headers.get("retry-after"));
  expect(seconds).toBeGreaterThanOrEqual(60);
  expect(seconds).toBeLessThanOrEqual(99);
});
