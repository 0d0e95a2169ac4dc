import { afterEach, describe, expect, it } from "vitest";
import { eventually } from "../../council-server/test/eventually.ts";
import { readJson } from "../../council-server/test/read-json.ts";
import { type FakeProvider, type FakeProviderOptions, startFakeProvider } from "./server.ts";

let sim: FakeProvider | undefined;
afterEach(async () => {
  await sim?.close();
  sim = undefined;
});

const VOTE = {
  type: "json_schema",
  json_schema: {
    name: "vote",
    schema: { type: "object", properties: { answer: { type: "string" }, rationale: { type: "string" } } },
  },
};

async function start(options: FakeProviderOptions = {}): Promise<FakeProvider> {
  sim = await startFakeProvider(options);
  return sim;
}

function ask(extra: object = {}, init: RequestInit = {}): Promise<Response> {
  return fetch(`${sim!.url}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "sim", messages: [{ role: "user", content: "A or B?" }], ...extra }),
    ...init,
  });
}

const content = async (extra: object = {}) =>
  (await readJson(ask(extra))).choices[0].message.content as string;

describe("the test provider", () => {
  it("answers in the schema that is asked for", async () => {
    await start({ behaviour: { truth: "Paris" } });
    expect(JSON.parse(await content({ response_format: VOTE }))).toEqual({
      answer: "Paris",
      rationale: "Because it is Paris.",
    });
  });

  it("answers a schema written in words", async () => {
    await start({ behaviour: { truth: "Paris" } });
    const instruction = `Reply as JSON. JSON Schema: ${JSON.stringify(VOTE.json_schema.schema)}\nNothing else.`;
    const messages = [{ role: "system", content: instruction }];
    expect(JSON.parse(await content({ messages }))).toMatchObject({ answer: "Paris" });
  });

  it("is right as often as configured, and the same each time for one seed", async () => {
    const runs = await Promise.all(
      [7, 7].map(async (seed) => {
        const one = await startFakeProvider({
          behaviour: { seed, accuracy: 0.8, truth: "Paris", wrong: ["Rome", "Oslo"] },
        });
        const answers: string[] = [];
        for (let n = 0; n < 100; n++) {
          const response = await fetch(`${one.url}/chat/completions`, {
            method: "POST",
            body: JSON.stringify({ model: "sim", messages: [{ role: "user", content: "?" }] }),
          });
          answers.push((await readJson(response)).choices[0].message.content);
        }
        await one.close();
        return answers;
      }),
    );
    expect(runs[0]).toEqual(runs[1]);
    const right = runs[0]!.filter((answer) => answer === "Paris").length / 100;
    expect(right).toBeGreaterThan(0.7);
    expect(right).toBeLessThan(0.9);
  });

  it.each([
    ["length", "length", /^.*[^}]$/],
    ["content_filter", "content_filter", /^$/],
    ["empty", "stop", /^$/],
    ["malformed", "stop", /: $/],
  ] as const)("can raise the red flag %s", async (kind, finish, text) => {
    await start({ rules: [{ reply: { kind } }] });
    const { choices } = await readJson(ask({ response_format: VOTE }));
    expect(choices[0].finish_reason).toBe(finish);
    expect(choices[0].message.content).toMatch(text);
  });

  it("follows rules by model, by text and a number of times, then falls back to its behaviour [FP-script]", async () => {
    await start({
      rules: [
        { model: "judge", reply: { kind: "status", status: 500 } },
        { contains: "hello", reply: { kind: "text", text: "hi" } },
        { times: 2, reply: { kind: "text", text: "twice" } },
      ],
    });
    expect((await ask({ model: "judge" })).status).toBe(500);
    expect(await content({ messages: [{ role: "user", content: "oh hello" }] })).toBe("hi");
    expect([await content(), await content(), await content()]).toEqual(["twice", "twice", "yes"]);
  });

  it("answers 429 with Retry-After and asks for its key", async () => {
    await start({ key: "secret", rules: [{ reply: { kind: "status", status: 429, retry_after: 2 } }] });
    expect((await ask()).status).toBe(401);
    const limited = await ask({}, { headers: { authorization: "Bearer secret" } });
    expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "2"]);
  });

  it.each(["request", "headers", "body"] as const)("cuts the connection after the %s", async (after) => {
    await start({ rules: [{ reply: { kind: "cut", after } }] });
    await expect(ask().then((response) => response.text())).rejects.toThrow();
    expect(sim!.stats.cut).toBe(1);
  });

  it("hangs, and logs when the caller gives up [FP-faults]", async () => {
    await start({ rules: [{ reply: { kind: "hang" } }] });
    await expect(ask({}, { signal: AbortSignal.timeout(500) })).rejects.toThrow();
    await eventually(() => sim!.stats.aborted).toBe(1);
    const { stats, entries } = await readJson(fetch(new URL("/sim/log", sim!.url)));
    expect(stats).toMatchObject({ arrivals: 1, in_flight: 0 });
    expect(entries[0]).toMatchObject({ number: 0, reply: "hang", ending: "aborted" });
  });

  it("streams the same answer in pieces", async () => {
    await start({ rules: [{ reply: { kind: "text", text: "one two three" } }] });
    const text = await (await ask({ stream: true, stream_options: { include_usage: true } })).text();
    const events = text.split("\n\n").filter(Boolean);
    expect(events.at(-1)).toBe("data: [DONE]");
    const chunks = events.slice(0, -1).map((event) => JSON.parse(event.slice(6)));
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? "").join("")).toBe("one two three");
    expect(chunks.at(-1).usage.total_tokens).toBeGreaterThan(0);
  });

  it("takes a new script while it runs", async () => {
    await start();
    const put = (body: unknown) =>
      fetch(new URL("/sim/script", sim!.url), { method: "PUT", body: JSON.stringify(body) });
    expect((await put({ behaviour: { truth: "Oslo" } })).status).toBe(200);
    expect(await content()).toBe("Oslo");
    expect((await put({ behaviour: { accuracy: 2 } })).status).toBe(400);
  });

  it("refuses calls beyond its limits, and says when to come back", async () => {
    await start({ limitConcurrency: 2, behaviour: { latency: { median_ms: 50 } } });
    const statuses = (await Promise.all([ask(), ask(), ask()])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 200, 429]);
    await sim!.close();
    await start({ limitTpm: 1200 });
    const first = await ask();
    const second = await Promise.all([ask(), ask(), ask()]);
    expect(first.status).toBe(200);
    const refused = second.find(({ status }) => status === 429)!;
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  it("as a judge reports what the seats said, agreed or not", async () => {
    await start({ behaviour: { truth: "something else" } });
    const text = { type: "string" };
    const list = { type: "array", items: text };
    const properties = {
      consensus: list,
      contradictions: list,
      positions: { type: "array", items: { type: "object" } },
      dissent: list,
      decision: text,
    };
    const judge = async (...proposals: string[]) => {
      const shown = proposals.map((said, n) =>
        // As for a small model, the last one.
        n === 2 ? `Proposal C: ${JSON.stringify(said)}` : `<<< proposal ${"ABC"[n]} m4rk\n${said}\nm4rk >>>`,
      );
      const format = {
        type: "json_schema",
        json_schema: { name: "v", schema: { type: "object", properties } },
      };
      const messages = [{ role: "user", content: shown.join("\n\n") }];
      return JSON.parse(await content({ messages, response_format: format }));
    };
    expect(await judge("Use Rust.", "use rust", "Use Go")).toMatchObject({
      consensus: [],
      contradictions: ["They differ: Use Rust.; Use Go"],
      positions: [
        { position: "Use Rust.", proposals: ["A", "B"] },
        { position: "Use Go", proposals: ["C"] },
      ],
      dissent: ["C: Use Go"],
      decision: "Use Rust.",
    });
    expect(await judge("Use Go", "Use Go")).toMatchObject({
      consensus: ["All proposals say: Use Go"],
      contradictions: [],
      dissent: [],
    });
  });
});
