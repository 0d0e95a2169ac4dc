import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import Anthropic from "@anthropic-ai/sdk";
import { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema";
import { ChatOpenAI } from "@langchain/openai";
import { Agent, tool as agentTool, OpenAIProvider, Runner, setTracingDisabled } from "@openai/agents";
import { generateText, isStepCount, jsonSchema, streamText, tool } from "ai";
import { tool as chainTool, createAgent } from "langchain";
import { expect, test } from "vitest";
import { z } from "zod";
import { startAgentService } from "./service.ts";

const steps = Array.from({ length: 5 }, (_, id) => ({
  calls: [{ tool: "move", input: { id, place: id % 2 ? "left" : "right" } }],
}));
const right = steps.map(({ calls }) => calls[0]!.input);
const behaviour = { seed: 5, agent: { steps, accuracy: 0.8, reply: "All moved." } };
const schema = {
  type: "object" as const,
  properties: {
    id: { type: "integer" as const },
    place: { type: "string" as const, enum: ["left", "right"] },
  },
  required: ["id", "place"],
  additionalProperties: false,
};
const zodSchema = z.strictObject({ id: z.int(), place: z.enum(["left", "right"]) });
type Input = z.output<typeof zodSchema>;

/** Each framework's own agent loop, unmodified: it knows the service by its base URL alone. */
const FRAMEWORKS: Record<string, (url: string, move: (input: Input) => string) => Promise<string>> = {
  async "AI SDK, chat completions"(url, move) {
    return aiSdk(createOpenAI({ baseURL: `${url}/v1`, apiKey: "unused" }).chat("act"), move);
  },
  async "AI SDK, Responses"(url, move) {
    return aiSdk(createOpenAI({ baseURL: `${url}/v1`, apiKey: "unused" }).responses("act"), move);
  },
  async "AI SDK, Messages"(url, move) {
    return aiSdk(createAnthropic({ baseURL: `${url}/v1`, apiKey: "unused" })("act"), move);
  },
  async "AI SDK, streamed"(url, move) {
    const { text } = streamText({
      model: createOpenAI({ baseURL: `${url}/v1`, apiKey: "unused" }).chat("act"),
      ...aiSdkLoop(move),
    });
    return text;
  },
  async "OpenAI Agents"(url, move) {
    setTracingDisabled(true);
    const agent = new Agent({
      name: "mover",
      model: "act",
      tools: [
        agentTool({
          ...{ name: "move", description: "Moves an item", parameters: zodSchema },
          execute: async (input) => move(input),
        }),
      ],
    });
    const modelProvider = new OpenAIProvider({ baseURL: `${url}/v1`, apiKey: "unused", useResponses: true });
    const { finalOutput } = await new Runner({ modelProvider }).run(agent, "Tidy up", { maxTurns: 10 });
    return String(finalOutput);
  },
  async LangChain(url, move) {
    const model = new ChatOpenAI({ model: "act", apiKey: "unused", configuration: { baseURL: `${url}/v1` } });
    const tools = [
      chainTool(async (input) => move(input), {
        name: "move",
        description: "Moves an item",
        schema: zodSchema,
      }),
    ];
    const { messages } = await createAgent({ model, tools }).invoke(
      { messages: [{ role: "user", content: "Tidy up" }] },
      { recursionLimit: 50 },
    );
    return String(messages.at(-1)!.content);
  },
  async "Anthropic tool runner"(url, move) {
    const client = new Anthropic({ baseURL: url, apiKey: "unused", maxRetries: 0 });
    const message = await client.beta.messages.toolRunner({
      ...{ model: "act", max_tokens: 500, max_iterations: 10 },
      messages: [{ role: "user", content: "Tidy up" }],
      tools: [
        betaTool({
          ...{ name: "move", description: "Moves an item", inputSchema: schema },
          run: (input) => move(input as Input),
        }),
      ],
    });
    return message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
  },
};

function aiSdkLoop(move: (input: Input) => string) {
  const tools = {
    move: tool({
      description: "Moves an item",
      inputSchema: jsonSchema<Input>(schema),
      execute: async (input) => move(input),
    }),
  };
  return { prompt: "Tidy up", tools, stopWhen: isStepCount(10), maxRetries: 0 };
}

async function aiSdk(model: Parameters<typeof generateText>[0]["model"], move: (input: Input) => string) {
  const { text } = await generateText({ model, ...aiSdkLoop(move) });
  return text;
}

test.each(Object.keys(FRAMEWORKS))(
  "[ACT-frameworks] %s does a task right whose model errs in one of five calls",
  async (name) => {
    const { url } = await startAgentService("openai", { behaviour });
    const moved: Input[] = [];
    const text = await FRAMEWORKS[name]!(url, (input) => {
      moved.push(input);
      return "moved";
    });
    expect({ moved, text }).toEqual({ moved: right, text: "All moved." });
  },
);
