import { STRATEGIES } from "@mci-ts/council";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { eventually } from "./eventually.ts";
import { post, startCouncil, startService } from "./harness.ts";
import { readJson } from "./read-json.ts";

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
    const listed = (await client.models.list()).data.map(({ id }) => id).filter((id) => !id.includes(":"));
    const ids = ["auto", ...STRATEGIES.map(({ name }) => name)];
    expect(listed).toEqual([...ids, "act", "act/sim"]);
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
    const of = (model: string) => contents[ids.indexOf(model)]!;
    expect(of("auto")).toBe("Tabs");
    expect(of("vote")).toBe("Tabs");
    expect(of("council")).toContain("Tabs");
    expect(of("council")).not.toContain("#");
    expect(JSON.parse(of("decompose"))).toMatchObject({ total_steps: 3 });
  });

  it("gets the whole report with config.format, and the report's facts in the council field [C-answer]", async () => {
    const { url } = await startCouncil({ behaviour: { truth: "Tabs" } });
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "unused", maxRetries: 0 });
    const ask = (model: string) =>
      client.chat.completions.create({ model, messages, ...{ config: { format: "report" } } });
    const vote = await ask("vote");
    expect(vote.choices[0]!.message.content).toContain("# First-to-ahead-by-3 Voting Result");
    expect(vote).toMatchObject({ council: { answer: "Tabs", voting: { votes: { Tabs: 3 } } } });
    const council = await ask("council");
    expect(council.choices[0]!.message.content).toContain("# MAKER-Council Report");
    const { decision } = (council as unknown as { council: { council: { decision: string } } }).council
      .council;
    expect(council.choices[0]!.message.content).toContain(decision);
  });

  it("that asks a simulated model is told so beside the answer [C-answer]", async () => {
    const { url } = await startService();
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "unused", maxRetries: 0 });
    const { choices } = await client.chat.completions.create({ model: "vote", messages });
    expect(choices[0]!.message.content).toMatch(/^(tabs|spaces)\n\n_Simulated: no language model was asked/i);
  });

  it.each([
    [{ max_tokens: 2 }, "The year", "length"],
    [{ max_completion_tokens: 2 }, "The year", "length"],
    [{ max_tokens: 500, stop: null }, "The year 1969, in July", "stop"],
    [{ stop: ["July", "19"] }, "The year ", "stop"],
    [{ stop: ", " }, "The year 1969", "stop"],
  ] as const)(
    "that limits the answer with %j gets %j [C-parameters]",
    async (limits, content, finish_reason) => {
      const { url } = await startCouncil({ behaviour: { truth: "The year 1969, in July" } });
      const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "unused", maxRetries: 0 });
      const question = [{ role: "user", content: "When was it?" }];
      const body = {
        model: "vote",
        messages: question,
        ...limits,
      } as OpenAI.ChatCompletionCreateParamsNonStreaming;
      const { choices } = await client.chat.completions.create(body);
      expect(choices[0]).toMatchObject({ message: { content }, finish_reason });
    },
  );

  it.each([
    { seed: 7 },
    { top_p: 0.5 },
    { frequency_penalty: 1 },
    { presence_penalty: -1 },
    { logit_bias: { 50256: -100 } },
    { logprobs: true },
    { top_logprobs: 3 },
  ])("that asks for %j is refused with the parameter's name [C-parameters]", async (parameters) => {
    const { url, sim } = await startCouncil();
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "unused", maxRetries: 0 });
    const body = { model: "vote", messages, ...parameters };
    const [param] = Object.keys(parameters);
    await expect(client.chat.completions.create(body)).rejects.toMatchObject({ status: 400, param });
    expect(sim.stats.arrivals).toBe(0);
  });

  it("is told which fields of its request were ignored, plain and streaming [C-ignored]", async () => {
    const { url } = await startCouncil({ behaviour: { truth: "Tabs" } });
    const request = { messages, temperature: 0.7, foo: 1, user: null, reasoning_effort: "wild" };
    const ask = (body: object) => readJson(post(`${url}/v1/chat/completions`, body));
    const { warnings } = (await ask(request)).council;
    expect(warnings).toEqual([
      expect.stringMatching(/^temperature was ignored/),
      expect.stringMatching(/^reasoning_effort was ignored: "wild"/),
      expect.stringMatching(/^foo was ignored/),
    ]);
    const streamed = await (await post(`${url}/v1/chat/completions`, { ...request, stream: true })).text();
    expect(streamed).toContain(JSON.stringify({ warnings }).slice(1, -1));
    expect((await ask({ messages })).council.warnings).toEqual([]);
  });

  it("is told which fields of its messages were ignored, and that a temperature keeps it from the cache [C-ignored]", async () => {
    const { url } = await startCouncil({ behaviour: { truth: "Tabs" } });
    const calls = [{ id: "1", type: "function", function: { name: "f", arguments: "{}" } }];
    const turns = [
      { role: "assistant", content: null, tool_calls: calls, refusal: null, annotations: [] },
      { role: "tool", content: "x", tool_call_id: "1" },
      { role: "user", content: "Tabs or spaces?", name: "ada" },
    ];
    const config = { cache: "allow", cache_max_age_seconds: 60 };
    const body = { messages: turns, temperature: 0.7, config };
    const { council } = await readJson(post(`${url}/v1/chat/completions`, body));
    expect(council.warnings).toEqual([
      expect.stringMatching(/^config.cache was ignored: with a temperature above 0/),
      expect.stringMatching(/^temperature was ignored/),
      expect.stringMatching(/^messages\[0\].tool_calls was ignored/),
      expect.stringMatching(/^messages\[2\].name was ignored/),
    ]);
  });

  it("may send null and neutral values for everything it does not want [C-null]", async () => {
    const { url } = await startCouncil({ behaviour: { truth: "Tabs" } });
    const nothing = [
      ...[
        "seed",
        "stop",
        "max_tokens",
        "logprobs",
        "maker_intent",
        "maker_k",
        "response_format",
        "tools",
        "model",
      ],
      ...["stream", "temperature", "reasoning_effort", "user", "n"],
    ].map((name) => [name, null]);
    const neutral = { top_p: 1, frequency_penalty: 0, presence_penalty: 0, logit_bias: {}, top_logprobs: 0 };
    const config = { k: null, format: null, preset: null, max_calls: null, num_voters: null };
    const chat = { ...Object.fromEntries(nothing), ...neutral, messages, config };
    expect(await (await post(`${url}/v1/chat/completions`, chat)).json()).toMatchObject({
      choices: [{ message: { content: "Tabs" } }],
    });
    const plain = { prompt: "Tabs or spaces?", context: null, intent: null, config: { k: null } };
    expect((await post(`${url}/mcp/model`, plain)).status).toBe(200);
  });

  it.each(["/v1/embeddings", "/v1/nothing", "/v1/chat/completions/abc", "/v1/models/none"])(
    "that asks for %s gets a 404 in the protocol's shape [C-plain]",
    async (path) => {
      const { url } = await startCouncil();
      const response = await fetch(url + path);
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({
        error: {
          message: expect.any(String),
          type: "invalid_request_error",
          param: path.endsWith("none") ? "id" : null,
          code: "not_found",
        },
      });
    },
  );

  it("gets the same in a stream, with progress before and usage after [C-plain]", async () => {
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
    expect(content).toBe("Tabs");
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
    expect(completion).toMatchObject({ council: { tool_used: "solve_with_voting", voting: { k: 2 } } });
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

  it("sees a failure as an error, plain and in a stream [C-plain]", async () => {
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
