import { describe, expect, it } from "vitest";
import { post, readEvents, startCouncil } from "./harness.ts";
import { readJson } from "./read-json.ts";

const VOTE = { prompt: "Tabs or spaces?", intent: "validation" };
const ALLOW = { ...VOTE, config: { cache: "allow" } };

describe("the cache [A-cache]", () => {
  it("uses the response of an equal run only where the caller allows it, and says so", async () => {
    const { url, sim } = await startCouncil();
    const ask = (body: object, init?: RequestInit) => post(`${url}/mcp/model`, body, init);
    const first = (await readJson(ask(VOTE))).metadata;
    expect((await readJson(ask(VOTE))).metadata.cached).toBeUndefined();
    expect(sim.stats.arrivals).toBe(6);
    const response = await ask(ALLOW);
    const { result, metadata } = await readJson(response);
    expect(result).toContain("## Winning Answer");
    expect(metadata.cached).toMatchObject({ run: metadata.request_id, age_seconds: expect.any(Number) });
    expect(response.headers.get("age")).toBe(String(metadata.cached.age_seconds));
    expect(response.headers.get("idempotent-replayed")).toBeNull();
    expect(metadata.tool_used).toBe(first.tool_used);
    const events = await readEvents(await ask(ALLOW, { headers: { accept: "text/event-stream" } }));
    expect(JSON.parse(events.at(-1)!.data).body.metadata.cached.run).toBe(metadata.request_id);
    expect(sim.stats.arrivals).toBe(6);
  });

  it("calls the model for anything that differs, or is too old", async () => {
    const { url, sim } = await startCouncil();
    const ask = (body: object) => post(`${url}/mcp/model`, body);
    await ask(VOTE);
    await ask({ ...ALLOW, prompt: "Spaces or tabs?" });
    await ask({ ...ALLOW, context: { filePath: "a.ts" } });
    await ask({ ...VOTE, config: { cache: "allow", k: 3 } });
    expect(sim.stats.arrivals).toBe(12);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    await ask({ ...VOTE, config: { cache: "allow", cache_max_age_seconds: 1 } });
    expect(sim.stats.arrivals).toBe(15);
  });

  it("a maximum age without a cache is named as unused, and for steps of agents both are refused", async () => {
    const { url } = await startCouncil();
    const { metadata } = await readJson(
      post(`${url}/mcp/model`, { ...VOTE, config: { cache_max_age_seconds: 60 } }),
    );
    expect(metadata.warnings).toEqual([
      'config.cache_max_age_seconds was ignored: it goes with cache: "allow"',
    ]);
    for (const config of [
      { cache: "allow" },
      { cache_max_age_seconds: 60 },
      { webhook: "https://x.example" },
    ]) {
      const step = { model: "act", messages: [{ role: "user", content: "a" }], config };
      const { error } = await readJson(post(`${url}/v1/chat/completions`, step));
      expect(error.message).toContain(`config.${Object.keys(config)[0]} is not for steps of agents`);
    }
  });

  it("never repeats a failure", async () => {
    const { url, sim } = await startCouncil({
      rules: [{ times: 3, reply: { kind: "status", status: 401 } }],
    });
    expect((await post(`${url}/mcp/model`, ALLOW)).status).toBe(502);
    sim.script({});
    expect((await post(`${url}/mcp/model`, ALLOW)).status).toBe(200);
  });
});
