import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { eventually } from "./eventually.ts";
import { startCouncil, startService } from "./harness.ts";

const messages = [
  { role: "system" as const, content: "Be brief." },
  { role: "user" as const, content: "Hello" },
  { role: "assistant" as const, content: "Hi" },
  { role: "user" as const, content: "Tabs or spaces?" },
];

describe("the official OpenAI client", () => {
  it("gets an answer from each model [C-plain]", async () => {
    const { url } = await startCouncil({ behaviour: { truth: "Tabs" } });
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "unused", maxRetries: 0 });
    const ids = (await client.models.list()).data.map(({ id }) => id).filter((id) => !id.includes(":"));
    expect(ids).toEqual(["auto", "council", "vote", "decompose"]);
    const contents = await Promise.all(
      ids.map(async (model) => {
        const completion = await client.chat.completions.create({ model, messages });
        expect(completion).toMatchObject({
          object: "chat.completion",
          model,
          choices: [{ index: 0, finish_reason: "stop" }],
        });
        expect(completion.usage?.total_tokens).toBeGreaterThan(0);
        return completion.choices[0]!.message.content!;
      }),
    );
    expect(contents[0]).toContain("# First-to-ahead-by-3 Voting Result");
    expect(contents[1]).toContain("# MAKER-Council Report");
    expect(contents[2]).toContain("# First-to-ahead-by-3 Voting Result");
    expect(JSON.parse(contents[3]!)).toMatchObject({ total_steps: 3 });
  });

  it("gets the same in a stream, with progress before and usage after [C-stream]", async () => {
    const { url } = await startCouncil({ behaviour: { truth: "Tabs" } });
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "unused", maxRetries: 0 });
    const stream = await client.chat.completions.create({
      model: "vote",
      messages,
      stream: true,
      stream_options: { include_usage: true },
    });
    let content = "";
    let reasoning = "";
    let finish: string | null = null;
    let tokens = 0;
    for await (const chunk of stream) {
      const [choice] = chunk.choices;
      content += choice?.delta.content ?? "";
      reasoning += (choice?.delta as { reasoning_content?: string } | undefined)?.reasoning_content ?? "";
      finish = choice?.finish_reason ?? finish;
      tokens += chunk.usage?.total_tokens ?? 0;
    }
    expect(content).toContain("## Winning Answer");
    expect(content).toContain("Tabs");
    expect(reasoning).toMatch(/Decided: "Tabs" with 3 votes/);
    expect(finish).toBe("stop");
    expect(tokens).toBeGreaterThan(0);
  });

  it("finds the metadata in a stream too, simulated or not", async () => {
    const { url } = await startService();
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "unused", maxRetries: 0 });
    const stream = await client.chat.completions.create({ model: "vote", messages, stream: true });
    const metadata: unknown[] = [];
    for await (const chunk of stream) metadata.push(...("council" in chunk ? [chunk.council] : []));
    expect(metadata).toMatchObject([
      { model: "simulated", tool_used: "solve_with_voting", status: "complete" },
    ]);
  });

  it("gets one response for one Idempotency-Key", async () => {
    const { url, sim } = await startCouncil();
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "unused", maxRetries: 0 });
    const headers = { "idempotency-key": "one" };
    const ask = () => client.chat.completions.create({ model: "vote", messages }, { headers });
    const [first, second] = [await ask(), await ask()];
    expect(second.id).toBe(first.id);
    expect(sim.stats.arrivals).toBe(3);
  });

  it("sends the conversation and the system instructions along", async () => {
    const { url, sim } = await startCouncil({
      rules: [{ contains: "How to answer:\nBe brief.", reply: { kind: "answer", answer: "Tabs" } }],
    });
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "unused", maxRetries: 0 });
    const completion = await client.chat.completions.create({ model: "vote", messages });
    expect(completion.choices[0]!.message.content).toContain("Tabs");
    expect(sim.log.every(({ reply }) => reply === "answer")).toBe(true);
  });

  it("can use the earlier project's own fields", async () => {
    const { url } = await startCouncil();
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "unused", maxRetries: 0 });
    const body = { model: "auto", messages, maker_intent: "validation", maker_k: 2 };
    const completion = await client.chat.completions.create(body);
    expect(completion.choices[0]!.message.content).toContain("# First-to-ahead-by-2 Voting Result");
  });

  it.each([
    ["an unknown model", { model: "gpt-4", messages }, 404, "not_found"],
    ["no messages", { model: "vote", messages: [] }, 400, "invalid_request"],
    ["only a system message", { model: "vote", messages: [messages[0]!] }, 400, "invalid_request"],
    [
      "a picture",
      {
        model: "vote",
        messages: [
          { role: "user" as const, content: [{ type: "image_url" as const, image_url: { url: "data:," } }] },
        ],
      },
      400,
      "invalid_request",
    ],
    ["two choices", { model: "vote", messages, n: 2 }, 400, "invalid_request"],
  ])("gets a clear error for %s, before any model call", async (_, body, status, code) => {
    const { url, sim } = await startCouncil();
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "unused", maxRetries: 0 });
    await expect(client.chat.completions.create(body)).rejects.toMatchObject({ status, code });
    expect(sim.stats.arrivals).toBe(0);
  });

  it("sees a failure as an error, plain and in a stream [C-failure]", async () => {
    const { url } = await startCouncil({ rules: [{ reply: { kind: "status", status: 401 } }] });
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "unused", maxRetries: 0 });
    await expect(client.chat.completions.create({ model: "vote", messages })).rejects.toMatchObject({
      status: 502,
      code: "all_calls_failed",
    });
    const stream = await client.chat.completions.create({ model: "vote", messages, stream: true });
    await expect(
      (async () => {
        for await (const _ of stream);
      })(),
    ).rejects.toThrow(/401/);
  });

  it("that disconnects mid-stream cancels its calls", async () => {
    const { url, sim } = await startCouncil({ rules: [{ reply: { kind: "hang" } }] });
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "unused", maxRetries: 0 });
    const stream = await client.chat.completions.create({ model: "vote", messages, stream: true });
    await eventually(() => sim.stats.in_flight).toBe(3);
    stream.controller.abort();
    await eventually(() => sim.stats).toMatchObject({ in_flight: 0, aborted: 3 });
  });
});
