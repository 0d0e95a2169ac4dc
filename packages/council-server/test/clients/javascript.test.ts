import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { ChatOpenAI } from "@langchain/openai";
import { generateText, streamText } from "ai";
import OpenAI from "openai";
import { beforeAll, describe, expect, it } from "vitest";
import { post, startCouncil } from "../harness.ts";

const PROMPT = "Tabs or spaces?";
const messages = [{ role: "user" as const, content: PROMPT }];
const working = () => startCouncil({ behaviour: { truth: "Tabs" } });
const failing = () => startCouncil({ rules: [{ reply: { kind: "status", status: 401 } }] });

beforeAll(() => {
  (globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;
});

describe("JavaScript clients of /v1", () => {
  it("a stream holds nothing but data lines [C-data-lines]", async () => {
    const { url } = await working();
    const response = await post(`${url}/v1/chat/completions`, { model: "vote", messages, stream: true });
    const lines = (await response.text()).split("\n").filter((line) => line !== "");
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.filter((line) => !line.startsWith("data: "))).toEqual([]);
    expect(lines.at(-1)).toBe("data: [DONE]");
  });

  it("openai finds one model, and gets a clear error for tools [C-tools]", async () => {
    const { url, sim } = await working();
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "unused", maxRetries: 0 });
    expect(await client.models.retrieve("council")).toMatchObject({ id: "council", object: "model" });
    await expect(client.models.retrieve("gpt-4")).rejects.toMatchObject({ status: 404, code: "not_found" });
    const tools = [{ type: "function" as const, function: { name: "f", parameters: {} } }];
    await expect(client.chat.completions.create({ model: "vote", messages, tools })).rejects.toMatchObject({
      status: 400,
      param: "tools",
      message: expect.stringContaining("tools is not supported with th"),
    });
    expect(sim.stats.arrivals).toBe(0);
    const noTools = await client.chat.completions.create({ model: "vote", messages, tools: [] });
    expect(noTools.choices[0]?.message.content).toContain("Tabs");
  });

  it("openai with a base URL without /v1 gets a hint [C-hint]", async () => {
    const { url } = await working();
    const client = new OpenAI({ baseURL: url, apiKey: "unused", maxRetries: 0 });
    await expect(client.chat.completions.create({ model: "vote", messages })).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining("set the client's base URL to end in /v1"),
    });
  });

  it("LangChain gets answers, streams and errors [C-ai-sdk]", async () => {
    const chat = (url: string) =>
      new ChatOpenAI({
        model: "vote",
        apiKey: "unused",
        maxRetries: 0,
        configuration: { baseURL: `${url}/v1` },
      });
    const good = chat((await working()).url);
    expect((await good.invoke(PROMPT)).content).toContain("Tabs");
    let streamed = "";
    for await (const chunk of await good.stream(PROMPT)) streamed += chunk.content;
    expect(streamed).toContain("Tabs");
    const bad = chat((await failing()).url);
    await expect(bad.invoke(PROMPT)).rejects.toMatchObject({ status: 502, code: "all_calls_failed" });
    await expect(drain(bad.stream(PROMPT))).rejects.toThrow(/401/);
  });

  it("the AI SDK gets answers, streams and errors [C-ai-sdk]", async () => {
    const provider = (url: string) =>
      createOpenAICompatible({ name: "council", baseURL: `${url}/v1` })("vote");
    const good = provider((await working()).url);
    expect((await generateText({ model: good, prompt: PROMPT })).text).toContain("Tabs");
    const stream = streamText({ model: good, prompt: PROMPT });
    expect(await stream.text).toContain("Tabs");
    expect(await stream.reasoningText).toContain("Decided");
    const bad = provider((await failing()).url);
    await expect(generateText({ model: bad, prompt: PROMPT, maxRetries: 0 })).rejects.toMatchObject({
      statusCode: 502,
    });
    const errors: unknown[] = [];
    const failed = streamText({
      model: bad,
      prompt: PROMPT,
      maxRetries: 0,
      onError: ({ error }) => {
        errors.push(error);
      },
    });
    await failed.consumeStream();
    expect(JSON.stringify(errors.map(String))).toMatch(/401/);
  });
});

async function drain(stream: Promise<AsyncIterable<unknown>>): Promise<void> {
  for await (const _ of await stream);
}
