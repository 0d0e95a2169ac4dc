import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { eventually } from "./eventually.ts";
import { post, readEvents, startCouncil, startService } from "./harness.ts";
import { readJson } from "./read-json.ts";

const VOTE = { prompt: "Tabs or spaces?", intent: "validation", config: { k: 2 } };
const key = (text: string) => ({ headers: { "idempotency-key": text } });

describe("Idempotency-Key [A-idempotency]", () => {
  it("gives the same response for the same request, computed once, also while it is in flight", async () => {
    const { url, sim } = await startCouncil({ behaviour: { latency: { median_ms: 50 } } });
    const [first, second] = await Promise.all([
      post(`${url}/mcp/model`, VOTE, key("a")),
      post(`${url}/mcp/model`, VOTE, key("a")),
    ]);
    const answer = await readJson(first);
    expect(await readJson(second)).toEqual(answer);
    const later = await post(
      `${url}/mcp/model`,
      { config: { k: 2 }, intent: "validation", prompt: "Tabs or spaces?" },
      key("a"),
    );
    expect(later.headers.get("idempotent-replayed")).toBe("true");
    expect(await readJson(later)).toEqual(answer);
    expect(sim.stats.arrivals).toBe(2);
    const other = await post(`${url}/mcp/model`, VOTE, key("b"));
    expect((await readJson(other)).metadata.request_id).not.toBe(answer.metadata.request_id);
  });

  it("rejects the key for another request", async () => {
    const { url } = await startCouncil();
    await post(`${url}/mcp/model`, VOTE, key("a"));
    const other = await post(`${url}/mcp/model`, { ...VOTE, prompt: "Vim or Emacs?" }, key("a"));
    expect([other.status, (await readJson(other)).error.code]).toEqual([422, "idempotency_mismatch"]);
  });

  it("continues for the remaining client when the other disconnects", async () => {
    const { url } = await startCouncil({ behaviour: { latency: { median_ms: 150 } } });
    const leaving = new AbortController();
    const first = post(`${url}/mcp/model`, VOTE, { ...key("a"), signal: leaving.signal });
    first.catch(() => undefined);
    await eventually(async () => (await readJson(fetch(`${url}/runs`))).runs.length).toBe(1);
    const second = post(`${url}/mcp/model`, VOTE, key("a"));
    await new Promise((go) => setTimeout(go, 30));
    leaving.abort();
    expect((await second).status).toBe(200);
  });

  it("does not cache a failure, so that it can be retried", async () => {
    const { url } = await startCouncil({ rules: [{ times: 2, reply: { kind: "status", status: 401 } }] });
    expect((await post(`${url}/mcp/model`, VOTE, key("a"))).status).toBe(502);
    expect((await post(`${url}/mcp/model`, VOTE, key("a"))).status).toBe(200);
  });

  it("replays a stream as its response", async () => {
    const { url } = await startCouncil();
    const answer = await readJson(post(`${url}/mcp/model`, VOTE, key("a")));
    const stream = await post(`${url}/mcp/model`, VOTE, {
      headers: { "idempotency-key": "a", accept: "text/event-stream" },
    });
    expect(JSON.parse((await readEvents(stream)).at(-1)!.data).body).toEqual(answer);
  });

  it("survives a restart with a data folder", async () => {
    const env = { MCI_DATA_DIR: temporaryFolder() };
    const first = await startService(env);
    const answer = await readJson(post(`${first.url}/mcp/model`, VOTE, key("a")));
    await first.server.close();
    const second = await startService(env);
    expect(await readJson(post(`${second.url}/mcp/model`, VOTE, key("a")))).toEqual(answer);
    expect((await post(`${second.url}/mcp/model`, { ...VOTE, prompt: "Other?" }, key("a"))).status).toBe(422);
  });

  it("must not be empty or too long", async () => {
    const { url } = await startCouncil();
    const response = await post(`${url}/mcp/model`, VOTE, key("x".repeat(300)));
    expect((await readJson(response)).error.details).toMatchObject([{ path: "headers.idempotency-key" }]);
  });
});
