import { APICallError } from "@ai-sdk/provider";
import { ModelError, type ModelReply, type ModelRequest } from "@mci-ts/council";
import { isObject } from "@mci-ts/primitives/is-object";
import type {
  AgentMessage,
  AgentRequest,
  Body,
  Content,
  Protocol,
  RawReply,
  StopReason,
} from "../../protocols/protocol.ts";
import { PROTOCOLS } from "../../protocols/protocols.ts";
import { ServiceError } from "../../service-error.ts";
import type { RequestShape } from "../capabilities.ts";
import { holdAfter } from "../errors/rate-limit-headers.ts";
import { finishReason } from "../finish-reason.ts";
import { usageOf } from "../generated-usage.ts";
import type { LanguageModel, Wire } from "../language-model.ts";
import type { Target } from "../sdk.ts";
import { relayStream } from "./relay-stream.ts";
import { readWords, toolsInWords } from "./tools-in-words.ts";

/**
 * One sample of an agent's next step. A provider of the agent's own protocol gets the request as it came, and its reply goes back as it
 * came; for any other, both are translated by the SDK.
 */
export async function callForAgent(
  target: Target,
  request: ModelRequest,
  shape: RequestShape,
  { signal, redact }: CallContext,
): Promise<ModelReply> {
  const agent = request.conversation as AgentRequest;
  const wire = target.wires[agent.protocol];
  const inWords = !shape.tools && agent.tools.length > 0;
  const started = performance.now();
  const reply = await (wire && !inWords
    ? passThrough(target, wire, request, shape, { signal, redact })
    : throughSdk(target, request, shape, signal, inWords));
  return { ...reply, latencyMs: performance.now() - started };
}

interface CallContext {
  readonly signal: AbortSignal;
  /** Removes our keys from what is handed on while it arrives. */
  readonly redact: (text: string) => string;
}

type Reply = Omit<ModelReply, "latencyMs">;

async function passThrough(
  target: Target,
  wire: Wire,
  request: ModelRequest,
  shape: RequestShape,
  { signal, redact }: CallContext,
): Promise<Reply> {
  const agent = request.conversation as AgentRequest;
  const protocol = PROTOCOLS[agent.protocol];
  // Only one of several samples is handed on.
  const relay = request.asSent ? agent.relay : undefined;
  const body = protocol.toBody(agent, {
    model: wire.model,
    temperature: request.asSent || !shape.temperature ? undefined : request.temperature,
    tokenLimit: shape.tokenLimit,
    reasoning: shape.reasoning,
    stream: relay !== undefined,
    askForUsage: !target.dialect.usageInStreams,
  });
  const sent = shape.temperature ? body : withoutTemperature(body);
  const headers = { "content-type": "application/json", ...wire.headers, ...agent.headers };
  const init = { method: "POST", headers, body: JSON.stringify(sent), signal };
  const { response, text } = relay
    ? await relayStream(wire.url, init, relay, { agent, protocol, redact })
    : await gather(wire, init);
  const fail = (message: string) =>
    new APICallError({
      message,
      url: wire.url,
      requestBodyValues: {},
      statusCode: response.status,
      responseHeaders: Object.fromEntries(response.headers),
      responseBody: text,
    });
  if (!response.ok) throw fail(`HTTP ${response.status}`);
  const value = parseObject(text);
  target.recognise(response.headers, value);
  const read = value && protocol.readReply(value);
  if (!read) throw fail("the response is not what this protocol says");
  const { usage } = read;
  const holdMs = holdAfter(response.headers, usage.inputTokens + usage.outputTokens);
  if (holdMs > 0) target.limiter.hold(holdMs);
  return toReply(target, request, read);
}

async function gather(wire: Wire, init: RequestInit): Promise<{ response: Response; text: string }> {
  const response = await wire.fetch(wire.url, init);
  return { response, text: await response.text() };
}

function withoutTemperature({ temperature: _, ...body }: Body): Body {
  return body;
}

function toReply(
  { dialect }: Target,
  { model }: ModelRequest,
  { message, usage, finish, ...more }: RawReply,
): Reply {
  const ending = finishReason({ unified: UNIFIED[message.stop], raw: finish }, dialect);
  if (ending === "failed")
    throw new ModelError(`${model}: the generation broke off (${finish})`, { retryable: true });
  return {
    text: textOf(message.parts),
    toolCalls: callsOf(message.parts),
    // Some say "stop" after a call, or an own word.
    finishReason: message.stop === "tool_calls" && ending === "other" ? "stop" : ending,
    usage,
    message,
    ...more,
  };
}

const UNIFIED = {
  stop: "stop",
  tool_calls: "tool-calls",
  length: "length",
  content_filter: "content-filter",
  refusal: "content-filter",
} as const satisfies Record<StopReason, string>;

async function throughSdk(
  target: Target,
  request: ModelRequest,
  shape: RequestShape,
  signal: AbortSignal,
  inWords: boolean,
): Promise<Reply> {
  const agent = request.conversation as AgentRequest;
  const { dialect } = target;
  const translated = translate(agent);
  const call = inWords ? toolsInWords(translated.call) : translated.call;
  const { reasoning, ...options } = call;
  const { temperature, maxOutputTokens } = request;
  const effort = shape.reasoning ? (reasoning ?? request.reasoningEffort) : undefined;
  const result = await target.model.doGenerate({
    ...options,
    prompt: dialect.api === "chat_completions" ? options.prompt : systemFirst(options.prompt),
    ...(shape.temperature ? { temperature: request.asSent ? agent.temperature : temperature } : {}),
    ...(shape.tokenLimit === "max_tokens" || dialect.api !== "chat_completions" ? { maxOutputTokens } : {}),
    ...(effort !== undefined && dialect.api !== "chat_completions" ? { reasoning: effort as never } : {}),
    providerOptions: {
      ...options.providerOptions,
      endpoint: {
        ...(shape.tokenLimit === "max_completion_tokens" ? { max_completion_tokens: maxOutputTokens } : {}),
        ...(effort === undefined || dialect.api !== "chat_completions"
          ? {}
          : (dialect.reasoningField(effort) as Record<string, never>)),
        ...(agent.parallel ? {} : { parallel_tool_calls: false }),
      },
    },
    abortSignal: signal,
  });
  const { headers = {}, body } = result.response ?? {};
  target.recognise({ get: (name) => headers[name] }, body);
  const ending = finishReason(result.finishReason, dialect);
  if (ending === "failed")
    throw new ModelError(`${request.model}: the generation broke off (${result.finishReason.raw})`, {
      retryable: true,
    });
  const generated = result.content.filter((part): part is Content =>
    ["text", "reasoning", "tool-call"].includes(part.type),
  );
  const read = inWords ? readWords(generated) : { parts: generated.map((part) => unwrapText(part, agent)) };
  const { parts } = read;
  const isCall = parts.some(({ type }) => type === "tool-call");
  const usage = usageOf(result, dialect.reasoningBesideCompletion ?? false);
  const message: AgentMessage = { parts, stop: isCall ? "tool_calls" : stopOf(ending) };
  const warnings = [
    ...translated.warnings,
    ...(inWords ? [`${request.model} cannot call tools: they were described in words.`] : []),
  ];
  return {
    text: textOf(parts),
    toolCalls: callsOf(parts),
    finishReason: "invalid" in read ? "invalid_output" : isCall && ending === "other" ? "stop" : ending,
    usage,
    message,
    warnings,
    ...(result.response?.modelId === undefined ? {} : { model: result.response.modelId }),
  };
}

const translations = new WeakMap<AgentRequest, ReturnType<Protocol["toCall"]>>();

/** Once for all samples. What cannot be carried is the request's mistake, not the provider's: it is never tried again. */
function translate(agent: AgentRequest): ReturnType<Protocol["toCall"]> {
  try {
    const translation = translations.get(agent) ?? PROTOCOLS[agent.protocol].toCall(agent);
    translations.set(agent, translation);
    return translation;
  } catch (error) {
    if (error instanceof ServiceError)
      throw new ModelError(error.message, { retryable: false, cause: error });
    throw error;
  }
}

type Prompt = Parameters<LanguageModel["doGenerate"]>[0]["prompt"];

/** Where only the beginning may be a system message, later ones are the user's. */
function systemFirst(prompt: Prompt): Prompt {
  const first = prompt.findIndex(({ role }) => role !== "system");
  return prompt.map((message, i) =>
    message.role === "system" && first >= 0 && i > first
      ? { role: "user", content: [{ type: "text", text: `<system>\n${message.content}\n</system>` }] }
      : message,
  );
}

/** A tool that takes plain text got a parameter for it. */
function unwrapText(part: Content, { tools }: AgentRequest): Content {
  if (part.type !== "tool-call" || !tools.some(({ name, isText }) => isText && name === part.toolName))
    return part;
  const input = parseObject(part.input)?.["input"];
  return typeof input === "string" ? { ...part, input, dynamic: true } : part;
}

function stopOf(ending: ModelReply["finishReason"]): StopReason {
  return ending === "length" || ending === "content_filter" || ending === "refusal" ? ending : "stop";
}

const textOf = (parts: readonly Content[]) =>
  parts.map((part) => (part.type === "text" ? part.text : "")).join("");

const callsOf = (parts: readonly Content[]) =>
  parts.flatMap((part) =>
    part.type === "tool-call" ? [{ id: part.toolCallId, name: part.toolName, input: part.input }] : [],
  );

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
