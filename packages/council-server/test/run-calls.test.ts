import { describe, expect, it } from "vitest";
import { post, startCouncil } from "./harness.ts";
import { readJson } from "./read-json.ts";

const KEY = "sk-live-0123456789abcdef";
const CAPITAL = { prompt: "What is the capital of Australia?", intent: "validation" };

describe("model calls of a run [H-calls]", () => {
  it("are stored whole, with prompt, reply, settings and the flag that discarded them, without our key", async () => {
    const long = "x".repeat(3000);
    const { url } = await startCouncil(
      {
        rules: [
          { times: 1, reply: { kind: "text", text: `no JSON ${KEY} ${long}` } },
          { reply: { kind: "answer", answer: "Canberra" } },
        ],
      } as never,
      { MAKER_API_KEY: KEY },
    );
    const { metadata } = await readJson(post(`${url}/mcp/model`, CAPITAL));
    const { calls } = await readJson(fetch(`${url}/runs/${metadata.request_id}/calls`));
    expect(calls).toHaveLength(4);
    const flagged = calls.find((call: { red_flag: unknown }) => call.red_flag !== null);
    expect(flagged.reply).toBe(`no JSON [key] ${long}`);
    expect(flagged.red_flag.reason).not.toBe("");
    const one = await readJson(fetch(`${url}/runs/${metadata.request_id}/calls/${flagged.call}`));
    expect(one).toEqual(flagged);
    expect(one.messages.map(({ role }: { role: string }) => role)).toEqual(["system", "user"]);
    expect(one.messages[1].content).toContain(CAPITAL.prompt);
    expect(one).toMatchObject({
      purpose: "vote",
      model: "sim",
      finish_reason: "stop",
      attempts: 1,
      cut_chars: 0,
    });
    expect(one.latency_ms).toBeGreaterThan(0);
    const capsule = await readJson(fetch(`${url}/runs/${metadata.request_id}/capsule`));
    expect([capsule.capsule, capsule.calls.length, capsule.events.at(-1).type]).toEqual([
      1,
      4,
      "run.response",
    ]);
    expect(JSON.stringify(capsule)).not.toContain(KEY);
    expect((await fetch(`${url}/runs/${metadata.request_id}/calls/99`)).status).toBe(404);
    expect((await fetch(`${url}/runs/${metadata.request_id}/calls/x`)).status).toBe(400);
    expect((await fetch(`${url}/runs/none/calls`)).status).toBe(404);
  });

  it("are cut to MCI_STORE_REPLIES, which says how much is missing; 0 keeps none", async () => {
    const rules = [{ reply: { kind: "answer", answer: "Canberra" } }] as never;
    const { url } = await startCouncil({ rules }, { MCI_STORE_REPLIES: "50" });
    const { metadata } = await readJson(post(`${url}/mcp/model`, CAPITAL));
    const { calls } = await readJson(fetch(`${url}/runs/${metadata.request_id}/calls`));
    expect(calls[0].messages.every(({ content }: { content: string }) => content.length <= 50)).toBe(true);
    expect(calls[0].cut_chars).toBeGreaterThan(200);
    const none = await startCouncil({ rules }, { MCI_STORE_REPLIES: "0" });
    const other = await readJson(post(`${none.url}/mcp/model`, CAPITAL));
    const refused = await fetch(`${none.url}/runs/${other.metadata.request_id}/calls/1`);
    expect(await refused.text()).toContain("MCI_STORE_REPLIES is 0");
  });
});

describe("the list of runs [H-sorted]", () => {
  it("is sorted, counted and bounded in time over HTTP, names the winner, and tells who watches what begins and ends [H-feed]", async () => {
    const { url } = await startCouncil({
      rules: [{ reply: { kind: "answer", answer: "Canberra" } }],
    } as never);
    const stream = await fetch(`${url}/runs/events`, { headers: { accept: "text/event-stream" } });
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
    await reader.read();
    // What watches has read the list once.
    await new Promise((resolve) => setTimeout(resolve, 100));
    for (let n = 0; n < 3; n++) await readJson(post(`${url}/mcp/model`, CAPITAL));
    let heard = "";
    while ((heard.match(/"status":"complete"/g) ?? []).length < 3) heard += (await reader.read()).value;
    await reader.cancel();
    expect(heard).toContain('"answer":"Canberra"');
    for (const sort of ["newest", "oldest", "cost", "duration"]) {
      const first = await readJson(fetch(`${url}/runs?limit=2&total=true&sort=${sort}`));
      expect([first.total, first.runs.length]).toEqual([3, 2]);
      const next = await readJson(fetch(`${url}/runs?limit=2&sort=${sort}&cursor=${first.next_cursor}`));
      const ids = [...first.runs, ...next.runs].map(({ id }: { id: string }) => id);
      expect(new Set(ids).size).toBe(3);
      expect(next.next_cursor).toBeNull();
    }
    const { next_cursor } = await readJson(fetch(`${url}/runs?limit=1&sort=cost`));
    expect((await fetch(`${url}/runs?sort=newest&cursor=${next_cursor}`)).status).toBe(400);
    expect((await readJson(fetch(`${url}/runs?until=2001-01-01T00:00:00Z&total=true`))).total).toBe(0);
    expect((await fetch(`${url}/runs?since=yesterday`)).status).toBe(400);
  });
});
