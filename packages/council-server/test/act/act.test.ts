import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { startCouncil } from "../harness.ts";

const tools = [
  {
    type: "function" as const,
    function: {
      name: "delete_file",
      description: "Deletes a file",
      parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    },
  },
];
const messages = [{ role: "user" as const, content: "Delete a.txt" }];
const call = { kind: "tool_call" as const, tool: "delete_file", input: { path: "a.txt" } };

describe("an agent's step", () => {
  it("is decided by a vote, in chat completions", async () => {
    const { url, sim } = await startCouncil({ rules: [{ reply: call }] });
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "unused", maxRetries: 0 });
    const { data, response } = await client.chat.completions
      .create({ model: "act", messages, tools })
      .withResponse();
    expect(data.choices[0]).toMatchObject({
      finish_reason: "tool_calls",
      message: { tool_calls: [{ function: { name: "delete_file", arguments: '{"path":"a.txt"}' } }] },
    });
    expect(sim.stats.arrivals).toBe(3);
    expect(response.headers.get("x-council-votes")).toBe("3/3");
    const stream = client.chat.completions.stream({ model: "act", messages, tools });
    const final = await stream.finalChatCompletion();
    expect(final.choices[0]!.message.tool_calls).toHaveLength(1);
  });
  it("is decided in responses", async () => {
    const { url, sim } = await startCouncil({ rules: [{ reply: call }] });
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "unused", maxRetries: 0 });
    const responseTools = [{ type: "function" as const, strict: true, ...tools[0]!.function }];
    const data = await client.responses.create({ model: "act", input: "Delete a.txt", tools: responseTools });
    expect(data.output).toMatchObject([
      { type: "function_call", name: "delete_file", arguments: '{"path":"a.txt"}' },
    ]);
    expect(sim.stats.arrivals).toBe(3);
    const stream = client.responses.stream({ model: "act", input: "Delete a.txt", tools: responseTools });
    const final = await stream.finalResponse();
    expect(final.output).toMatchObject([{ type: "function_call", name: "delete_file" }]);
  });
  it("is decided in messages", async () => {
    const { url, sim } = await startCouncil({ rules: [{ reply: call }] });
    const client = new Anthropic({ baseURL: url, apiKey: "unused", maxRetries: 0 });
    const input_schema = tools[0]!.function.parameters as Anthropic.Tool.InputSchema;
    const request = {
      model: "act",
      max_tokens: 100,
      messages,
      tools: [{ name: "delete_file", input_schema }],
    };
    const data = await client.messages.create(request);
    expect(data).toMatchObject({
      stop_reason: "tool_use",
      content: [{ type: "tool_use", name: "delete_file", input: { path: "a.txt" } }],
    });
    expect(sim.stats.arrivals).toBe(3);
    const final = await client.messages.stream(request).finalMessage();
    expect(final).toMatchObject({
      stop_reason: "tool_use",
      content: [{ type: "tool_use", name: "delete_file", input: { path: "a.txt" } }],
    });
  });
});
