import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import { ChatOpenAI } from "@langchain/openai";
import { Agent, OpenAIProvider, Runner } from "@openai/agents";
import { generateText, isStepCount, type LanguageModel, streamText } from "ai";
import { createAgent } from "langchain";
import type { MCIClient } from "mci-ts";
import * as aiSdk from "mci-ts/ai-sdk";
import * as anthropicAdapter from "mci-ts/anthropic";
import * as google from "mci-ts/google";
import * as langchain from "mci-ts/langchain";
import * as openaiAdapter from "mci-ts/openai";
import * as agents from "mci-ts/openai-agents";
import OpenAI from "openai";
import type { LocalModel } from "../../../../examples/agents/local-model/start.ts";

export interface Run {
  readonly client: MCIClient;
  readonly model: LocalModel;
  readonly options?: aiSdk.AdapterOptions;
  readonly signal?: AbortSignal;
}

/** An agent's loop until the model has no more calls; gives what it said last. */
export type Framework = (run: Run) => Promise<string>;

const PROMPT = "Go.";
const MAX_TURNS = 10;

const withAiSdk =
  (languageModel: (model: LocalModel) => LanguageModel): Framework =>
  async ({ client, model, options, signal: abortSignal }) => {
    const tools = aiSdk.toTools(client, options);
    const stopWhen = isStepCount(MAX_TURNS);
    const settings = {
      model: languageModel(model),
      tools,
      stopWhen,
      prompt: PROMPT,
      abortSignal,
      maxRetries: 0,
    };
    return (await generateText(settings)).text;
  };

const chat: Framework = async ({ client, model, options, signal }) => {
  const openai = new OpenAI({ ...model.openai, maxRetries: 0 });
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: PROMPT }];
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const tools = openaiAdapter.toTools(client, options);
    const { choices } = await openai.chat.completions.create({ model: "gpt", messages, tools }, { signal });
    const { message } = choices[0]!;
    messages.push(message, ...(await openaiAdapter.runToolCalls(client, message, { ...options, signal })));
    if (!message.tool_calls) return message.content ?? "";
  }
  return "";
};

const chatStream: Framework = async ({ client, model, options, signal }) => {
  const openai = new OpenAI({ ...model.openai, maxRetries: 0 });
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: PROMPT }];
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const tools = openaiAdapter.toTools(client, { ...options, strict: true });
    const { choices } = await openai.chat.completions
      .stream({ model: "gpt", messages, tools }, { signal })
      .finalChatCompletion();
    const { message } = choices[0]!;
    messages.push(message, ...(await openaiAdapter.runToolCalls(client, message, { ...options, signal })));
    if (!message.tool_calls?.length) return message.content ?? "";
  }
  return "";
};

const responses =
  (stream: boolean): Framework =>
  async ({ client, model, options, signal }) => {
    const openai = new OpenAI({ ...model.openai, maxRetries: 0 });
    const input: OpenAI.Responses.ResponseInput = [{ role: "user", content: PROMPT }];
    for (let turn = 0; turn < MAX_TURNS; turn++) {
      const tools = openaiAdapter.toResponsesTools(client, { ...options, strict: stream });
      const response = stream
        ? await openai.responses.stream({ model: "gpt", input, tools }, { signal }).finalResponse()
        : await openai.responses.create({ model: "gpt", input, tools }, { signal });
      const results = await openaiAdapter.runToolCalls(client, response.output, { ...options, signal });
      if (results.length === 0) return response.output_text;
      input.push(...(response.output as OpenAI.Responses.ResponseInput), ...results);
    }
    return "";
  };

const openAiAgents =
  (useResponses: boolean): Framework =>
  async ({ client, model, options, signal }) => {
    const modelProvider = new OpenAIProvider({ ...model.openai, useResponses });
    const runner = new Runner({ modelProvider, tracingDisabled: true });
    const agent = new Agent({ name: "agent", model: "gpt", tools: agents.toTools(client, options) });
    const { finalOutput } = await runner.run(agent, PROMPT, {
      signal,
      maxTurns: MAX_TURNS,
      toolNotFoundBehavior: "return_error_to_model",
    });
    return finalOutput ?? "";
  };

const anthropic =
  (stream: boolean): Framework =>
  async ({ client, model, options, signal }) => {
    const sdk = new Anthropic({ ...model.anthropic, maxRetries: 0 });
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: PROMPT }];
    const tools = anthropicAdapter.toTools(client, options);
    for (let turn = 0; turn < MAX_TURNS; turn++) {
      const request = { model: "claude", max_tokens: 1000, messages, tools };
      const message = stream
        ? await sdk.messages.stream(request, { signal }).finalMessage()
        : await sdk.messages.create(request, { signal });
      const results = await anthropicAdapter.runToolCalls(client, message, { ...options, signal });
      if (results.content.length === 0)
        return message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
      messages.push(
        { role: "assistant", content: message.content as Anthropic.ContentBlockParam[] },
        results,
      );
    }
    return "";
  };

const gemini: Framework = async ({ client, model, options, signal: abortSignal }) => {
  const ai = new GoogleGenAI(model.google);
  const contents: { role: string; parts: object[] }[] = [{ role: "user", parts: [{ text: PROMPT }] }];
  const tools = [{ functionDeclarations: google.toTools(client, options) }];
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const response = await ai.models.generateContent({
      model: "gemini-3-pro-preview",
      contents,
      config: { tools, abortSignal },
    });
    if (!response.functionCalls) return response.text ?? "";
    const parts = await google.runToolCalls(client, response.functionCalls, {
      ...options,
      signal: abortSignal,
    });
    contents.push(
      { role: "model", parts: response.candidates![0]!.content!.parts! },
      { role: "user", parts },
    );
  }
  return "";
};

/** The SDK runs the tools itself. */
const geminiAutomatic: Framework = async ({ client, model, options, signal }) => {
  const ai = new GoogleGenAI(model.google);
  const tools = [google.toCallableTool(client, { ...options, signal })];
  const config = { tools, ...(signal && { abortSignal: signal }) };
  const stream = await ai.models.generateContentStream({
    model: "gemini-3-pro-preview",
    contents: PROMPT,
    config,
  });
  let text = "";
  for await (const chunk of stream) text = chunk.text ?? text;
  return text;
};

const langChain =
  (useResponsesApi: boolean): Framework =>
  async ({ client, model, options, signal }) => {
    const { apiKey, baseURL } = model.openai;
    const llm = new ChatOpenAI({
      model: "gpt",
      apiKey,
      configuration: { baseURL },
      useResponsesApi,
      maxRetries: 0,
    });
    const agent = createAgent({
      model: llm,
      tools: langchain.toTools(client, { media: useResponsesApi, ...options }),
    });
    const messages = [{ role: "user", content: PROMPT }];
    const result = await agent.invoke({ messages }, { signal, recursionLimit: 2 * MAX_TURNS });
    return result.messages.at(-1)?.text ?? "";
  };

export const FRAMEWORKS: Readonly<Record<string, Framework>> = {
  "AI SDK, OpenAI Chat Completions": withAiSdk(({ openai }) => createOpenAI(openai).chat("gpt")),
  "AI SDK, OpenAI Responses": withAiSdk(({ openai }) => createOpenAI(openai).responses("gpt")),
  "AI SDK, Anthropic": withAiSdk(({ anthropic: { baseURL, apiKey } }) =>
    createAnthropic({ baseURL: `${baseURL}/v1`, apiKey })("claude"),
  ),
  "AI SDK, Gemini": withAiSdk(({ google: { apiKey, httpOptions } }) =>
    createGoogleGenerativeAI({ baseURL: `${httpOptions.baseUrl}/v1beta`, apiKey })("gemini-3-pro-preview"),
  ),
  "AI SDK, streamed": async ({ client, model, options, signal: abortSignal }) => {
    const languageModel = createOpenAI(model.openai).responses("gpt");
    const tools = aiSdk.toTools(client, options);
    const stopWhen = isStepCount(MAX_TURNS);
    let failure: unknown;
    const onError = ({ error }: { error: unknown }) => {
      failure = error;
    };
    const settings = {
      model: languageModel,
      tools,
      stopWhen,
      prompt: PROMPT,
      abortSignal,
      maxRetries: 0,
      onError,
    };
    const text = await streamText(settings).text;
    if (failure !== undefined) throw failure;
    return text;
  },
  "OpenAI Chat Completions": chat,
  "OpenAI Chat Completions, streamed and strict": chatStream,
  "OpenAI Responses": responses(false),
  "OpenAI Responses, streamed and strict": responses(true),
  "OpenAI Agents, Responses": openAiAgents(true),
  "OpenAI Agents, Chat Completions": openAiAgents(false),
  Anthropic: anthropic(false),
  "Anthropic, streamed": anthropic(true),
  "Google Gen AI": gemini,
  "Google Gen AI, automatic and streamed": geminiAutomatic,
  "LangChain, Chat Completions": langChain(false),
  "LangChain, Responses": langChain(true),
};
