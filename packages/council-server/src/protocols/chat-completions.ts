import { randomUUID } from "node:crypto";
import type { ActionTool, ToolChoice } from "@mci-ts/council";
import {
  type AgentMessage,
  type AgentRequest,
  type AgentResponse,
  asList,
  asNumber,
  asRecords,
  asText,
  type Body,
  type Content,
  cannotCarry,
  count,
  fileData,
  invalidField,
  isRecord,
  openingOf,
  type Protocol,
  parseInput,
  pieces,
  type SdkCall,
  type SdkMessage,
  type StopReason,
  type StreamedEvent,
  TEXT_INPUT,
  toolNames,
} from "./protocol.ts";

/** `POST /v1/chat/completions` of OpenAI, and of all that call themselves compatible. */
export const chatCompletions: Protocol = {
  name: "chat",
  path: "/chat/completions",
  read,
  toCall,
  toBody,
  readReply,
  readStream,
  // What a call used is for the budgets; the event that says so has no choice.
  isOurs: ({ body }, { data }) =>
    !wantsUsage(body) && /"choices":\s*\[\]/.test(data) && data.includes('"usage"'),
  response: (response) => ({
    ...base(response, "chat.completion"),
    choices: [choiceOf(response.message)],
    usage: usageOf(response),
    council: response.council,
  }),
  *events(response) {
    const { message } = response;
    const { finish_reason, message: whole } = choiceOf(message);
    const { role: _, content, reasoning_content, tool_calls, ...more } = whole as Record<string, unknown>;
    const delta = (delta: object, finish: unknown = null, extra: object = {}) =>
      chunk(response, [{ index: 0, delta, finish_reason: finish, logprobs: null }], extra);
    for (const text of pieces(asText(reasoning_content) ?? "")) yield delta({ reasoning_content: text });
    for (const text of pieces(asText(content) ?? "")) yield delta({ content: text });
    if (Object.values(more).some((value) => value !== null)) yield delta(more);
    for (const [index, call] of asRecords(tool_calls).entries()) {
      const { function: called, ...rest } = call as { function?: { name?: string; arguments?: string } };
      if (called) {
        yield delta({ tool_calls: [{ index, ...rest, function: { ...called, arguments: "" } }] });
        for (const text of pieces(called.arguments ?? ""))
          yield delta({ tool_calls: [{ index, function: { arguments: text } }] });
      } else yield delta({ tool_calls: [{ index, ...call }] });
    }
    yield delta({}, finish_reason, { council: response.council });
    if (wantsUsage(response.request)) yield chunk(response, [], { usage: usageOf(response) });
    yield { data: "[DONE]" };
  },
  opening: (response) => [
    chunk(response, [
      { index: 0, delta: { role: "assistant", content: "" }, finish_reason: null, logprobs: null },
    ]),
  ],
  // Python's openai package fails on anything but `data:` lines.
  keepAlive: (response) => chunk(response, [{ index: 0, delta: {}, finish_reason: null, logprobs: null }]),
  error,
  errorEvents: (failure, status) => [{ data: JSON.stringify(error(failure, status)) }],
};

function error({ code, message, details }: Parameters<Protocol["error"]>[0], status: number): Body {
  const type = status >= 500 ? "server_error" : status === 429 ? "rate_limit_error" : "invalid_request_error";
  return { error: { message, type, param: details[0]?.path ?? null, code } };
}

function read(body: Body): ReturnType<Protocol["read"]> {
  const messages = asRecords(body["messages"]);
  if (messages.length === 0) throw invalidField("messages", "must be a list with at least one message");
  if (asList(body["functions"]).length > 0) throw invalidField("functions", "is not supported; send tools");
  if ((body["n"] ?? 1) !== 1) throw invalidField("n", "must be 1");
  const { response_format: format, metadata } = body;
  const schema =
    isRecord(format) && isRecord(format["json_schema"]) ? format["json_schema"]["schema"] : undefined;
  return {
    body,
    headers: {},
    tools: asRecords(body["tools"]).flatMap(toolOf),
    choice: choiceRule(body["tool_choice"]),
    parallel: body["parallel_tool_calls"] !== false,
    ...(schema === undefined ? {} : { replySchema: schema }),
    temperature: asNumber(body["temperature"]),
    maxOutputTokens: asNumber(body["max_completion_tokens"]) ?? asNumber(body["max_tokens"]),
    prompt: textOf(messages.findLast(({ role }) => role === "user")?.["content"]),
    sessionKey:
      asText(body["prompt_cache_key"]) ?? (isRecord(metadata) ? asText(metadata["session_id"]) : undefined),
    opening: openingOf(messages.slice(0, messages.findIndex(({ role }) => role === "user") + 1)),
  };
}

function toolOf(tool: Record<string, unknown>): ActionTool[] {
  const { function: declared, custom, annotations } = tool;
  if (isRecord(custom) && typeof custom["name"] === "string") return [{ name: custom["name"], isText: true }];
  if (!isRecord(declared) || typeof declared["name"] !== "string") return [];
  const hints = [annotations, declared["annotations"]].filter(isRecord);
  const readOnly = hints.some(({ readOnlyHint }) => readOnlyHint === true);
  return [{ name: declared["name"], inputSchema: declared["parameters"], ...(readOnly ? { readOnly } : {}) }];
}

function choiceRule(choice: unknown): ToolChoice {
  if (choice === "none" || choice === "required") return { type: choice };
  if (!isRecord(choice)) return { type: "auto" };
  const nameOf = (one: unknown) =>
    isRecord(one)
      ? [one["function"], one["custom"]].filter(isRecord).flatMap(({ name }) => asText(name) ?? [])
      : [];
  const { type, allowed_tools: allowed } = choice;
  if (type === "allowed_tools" && isRecord(allowed))
    return {
      type: "tools",
      names: asList(allowed["tools"]).flatMap(nameOf),
      required: allowed["mode"] === "required",
    };
  return { type: "tools", names: nameOf(choice), required: true };
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return asRecords(content)
    .flatMap(({ text }) => asText(text) ?? [])
    .join("\n");
}

function toBody(
  { body }: AgentRequest,
  { model, temperature, tokenLimit, reasoning, stream, askForUsage }: Parameters<Protocol["toBody"]>[1],
): Body {
  const {
    max_tokens,
    max_completion_tokens,
    temperature: own,
    reasoning_effort,
    stream_options,
    ...rest
  } = body;
  const limit = max_completion_tokens ?? max_tokens;
  return {
    ...rest,
    model,
    ...(temperature === undefined ? (own === undefined ? {} : { temperature: own }) : { temperature }),
    ...(limit === undefined || tokenLimit === "none" ? {} : { [tokenLimit]: limit }),
    ...(reasoning_effort === undefined || !reasoning ? {} : { reasoning_effort }),
    ...(stream ? { stream: true } : {}),
    ...(stream && (askForUsage || isRecord(stream_options))
      ? {
          stream_options: {
            ...(isRecord(stream_options) ? stream_options : {}),
            ...(askForUsage ? { include_usage: true } : {}),
          },
        }
      : {}),
  };
}

/** Parameters that change nothing about what is said. */
const HARMLESS = new Set(
  "messages tools tool_choice parallel_tool_calls response_format temperature max_tokens max_completion_tokens top_p stop seed presence_penalty frequency_penalty reasoning_effort user metadata store service_tier prompt_cache_key prompt_cache_retention safety_identifier stream_options n verbosity functions function_call".split(
    " ",
  ),
);
const NEUTRAL: Readonly<Record<string, string>> = {
  logit_bias: "{}",
  logprobs: "false",
  top_logprobs: "0",
  modalities: '["text"]',
};

function toCall({ body, tools: known, parallel }: AgentRequest): ReturnType<Protocol["toCall"]> {
  const warnings: string[] = [];
  for (const [name, value] of Object.entries(body)) {
    if (HARMLESS.has(name) || value === null || JSON.stringify(value) === NEUTRAL[name]) continue;
    throw cannotCarry(name);
  }
  const prompt = asList(body["messages"]).map((message, i) => toMessage(message, `messages[${i}]`, warnings));
  const names = toolNames(prompt);
  for (const message of prompt) {
    if (message.role !== "tool") continue;
    for (const part of message.content)
      if (part.type === "tool-result") part.toolName = names.get(part.toolCallId) ?? part.toolName;
  }
  const tools = asRecords(body["tools"]).flatMap((tool): NonNullable<SdkCall["tools"]> => {
    const [action] = toolOf(tool);
    if (!action) {
      warnings.push(
        `The tool of type ${JSON.stringify(tool["type"])} was left out: the provider of this model cannot run it.`,
      );
      return [];
    }
    const declared = (tool["function"] ?? tool["custom"]) as Record<string, unknown>;
    const schema = action.isText ? TEXT_INPUT : (action.inputSchema ?? { type: "object", properties: {} });
    const strict = declared["strict"];
    return [
      {
        type: "function",
        name: action.name,
        ...(typeof declared["description"] === "string" ? { description: declared["description"] } : {}),
        inputSchema: schema as never,
        ...(typeof strict === "boolean" ? { strict } : {}),
      },
    ];
  });
  const { response_format: format, stop, reasoning_effort: effort } = body;
  const json = isRecord(format) && isRecord(format["json_schema"]) ? format["json_schema"] : undefined;
  const call: SdkCall = {
    prompt,
    ...(tools.length > 0 ? { tools, toolChoice: sdkChoice(choiceRule(body["tool_choice"])) } : {}),
    ...(json
      ? { responseFormat: { type: "json", schema: json["schema"] as never, name: asText(json["name"]) } }
      : isRecord(format) && format["type"] === "json_object"
        ? { responseFormat: { type: "json" } }
        : {}),
    ...(stop == null ? {} : { stopSequences: [stop].flat().map(String) }),
    topP: asNumber(body["top_p"]),
    seed: asNumber(body["seed"]),
    presencePenalty: asNumber(body["presence_penalty"]),
    frequencyPenalty: asNumber(body["frequency_penalty"]),
    ...(typeof effort === "string" ? { reasoning: effort as never } : {}),
    providerOptions: parallel ? {} : { anthropic: { disableParallelToolUse: true } },
  };
  void known;
  return { call, warnings };
}

export const sdkChoice = (choice: ToolChoice): NonNullable<SdkCall["toolChoice"]> =>
  choice.type !== "tools"
    ? { type: choice.type }
    : choice.names.length === 1 && choice.required
      ? { type: "tool", toolName: choice.names[0]! }
      : { type: choice.required ? "required" : "auto" };

function toMessage(message: unknown, path: string, warnings: string[]): SdkMessage {
  if (!isRecord(message)) throw invalidField(path, "must be a message");
  const { role, content, name } = message;
  if (name !== undefined && role !== "tool")
    warnings.push(`${path}.name was left out: the provider of this model knows no names.`);
  switch (role) {
    case "system":
    case "developer":
      return {
        role: "system",
        content: plainText(content, `${path}.content`),
        ...cacheOptions(asRecords(content).at(-1)),
      };
    case "user":
      return { role: "user", content: userParts(content, `${path}.content`) };
    case "assistant":
      return { role: "assistant", content: assistantParts(message, path) };
    case "tool": {
      const toolCallId = asText(message["tool_call_id"]) ?? "";
      const parts = Array.isArray(content) ? userParts(content, `${path}.content`) : undefined;
      return {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId,
            toolName: asText(name) ?? "unknown",
            output: parts?.some(({ type }) => type !== "text")
              ? { type: "content", value: parts as never }
              : {
                  type: "text",
                  value: parts
                    ? parts.map((part) => (part.type === "text" ? part.text : "")).join("\n")
                    : String(content ?? ""),
                },
          },
        ],
      };
    }
    default:
      throw invalidField(`${path}.role`, "must be system, developer, user, assistant or tool");
  }
}

type UserPart = Extract<SdkMessage, { role: "user" }>["content"][number];
type AssistantPart = Extract<SdkMessage, { role: "assistant" }>["content"][number];

function plainText(content: unknown, path: string): string {
  if (typeof content === "string") return content;
  return asList(content)
    .map((part, i) => {
      if (isRecord(part) && typeof part["text"] === "string") return part["text"];
      throw cannotCarry(`${path}[${i}]`);
    })
    .join("\n");
}

function userParts(content: unknown, path: string): UserPart[] {
  if (!Array.isArray(content)) return [{ type: "text", text: typeof content === "string" ? content : "" }];
  return content.map((part: unknown, i): UserPart => {
    const at = `${path}[${i}]`;
    if (!isRecord(part)) throw invalidField(at, "must be an object");
    const { type, text, image_url: image, input_audio: audio, file } = part;
    if (typeof text === "string") return { type: "text", text, ...cacheOptions(part) };
    if (type === "image_url" && isRecord(image))
      return {
        type: "file",
        mediaType: "image/*",
        ...fileData(String(image["url"]), `${at}.image_url.url`),
        ...cacheOptions(part),
      };
    if (type === "input_audio" && isRecord(audio))
      return {
        type: "file",
        mediaType: `audio/${audio["format"]}`,
        data: { type: "data", data: String(audio["data"]) },
      };
    if (type === "file" && isRecord(file) && typeof file["file_data"] === "string")
      return {
        type: "file",
        mediaType: "application/pdf",
        ...fileData(file["file_data"], `${at}.file.file_data`),
        filename: asText(file["filename"]),
      };
    throw cannotCarry(
      type === "file" ? `${at}.file.file_id` : `${at}, a part of type ${JSON.stringify(type)},`,
    );
  });
}

function assistantParts(message: Record<string, unknown>, path: string): AssistantPart[] {
  const { content, refusal, audio } = message;
  if (audio != null) throw cannotCarry(`${path}.audio`);
  const reasoning = asText(message["reasoning_content"]) ?? asText(message["reasoning"]);
  const text = plainText(content ?? "", `${path}.content`) || (asText(refusal) ?? "");
  return [
    ...(reasoning ? [{ type: "reasoning" as const, text: reasoning }] : []),
    ...(text ? [{ type: "text" as const, text }] : []),
    ...asRecords(message["tool_calls"]).map((call): AssistantPart => {
      const { id, function: called, custom } = call;
      const isText = isRecord(custom);
      const declared = isText ? custom : isRecord(called) ? called : {};
      return {
        type: "tool-call",
        toolCallId: asText(id) ?? "",
        toolName: asText(declared["name"]) ?? "",
        input: isText ? { input: declared["input"] } : parseInput(declared["arguments"]),
      };
    }),
  ];
}

/** Marks of what a provider should cache, as gateways take them here too. */
function cacheOptions(part: unknown): { providerOptions?: { anthropic: { cacheControl: never } } } {
  return isRecord(part) && isRecord(part["cache_control"])
    ? { providerOptions: { anthropic: { cacheControl: part["cache_control"] as never } } }
    : {};
}

const STOPS: Readonly<Record<string, StopReason>> = {
  tool_calls: "tool_calls",
  function_call: "tool_calls",
  length: "length",
  content_filter: "content_filter",
};

function readReply(body: Body) {
  const [choice] = asRecords(body["choices"]);
  const message = choice?.["message"];
  if (!choice || !isRecord(message)) return undefined;
  const calls = asRecords(message["tool_calls"]).map(withId);
  const content = message["content"];
  const text = typeof content === "string" ? content : textOf(content);
  const reasoning = asText(message["reasoning_content"]) ?? asText(message["reasoning"]);
  const refusal = asText(message["refusal"]);
  const finish = asText(choice["finish_reason"]);
  const parts: Content[] = [
    ...(reasoning ? [{ type: "reasoning" as const, text: reasoning }] : []),
    ...(text ? [{ type: "text" as const, text }] : []),
    ...calls.map(toCallPart),
  ];
  const stop: StopReason = refusal
    ? "refusal"
    : calls.length > 0
      ? "tool_calls"
      : (STOPS[finish ?? ""] ?? "stop");
  const value = {
    ...choice,
    index: 0,
    message: calls.length > 0 ? { ...message, tool_calls: calls } : message,
  };
  return {
    message: { parts, stop, raw: { protocol: "chat" as const, value } },
    usage: readUsage(body["usage"]),
    ...(typeof body["model"] === "string" ? { model: body["model"] } : {}),
    ...(finish === undefined ? {} : { finish: refusal ? "refusal" : finish }),
  };
}

/** Ids may be missing, and arguments may be an object. */
function withId(call: Record<string, unknown>): Record<string, unknown> {
  const { id, function: called } = call;
  const isObject =
    isRecord(called) && called["arguments"] !== undefined && typeof called["arguments"] !== "string";
  return {
    ...call,
    id: asText(id) || `call_${randomUUID()}`,
    ...(isObject ? { function: { ...called, arguments: JSON.stringify(called["arguments"]) } } : {}),
  };
}

function toCallPart({ id, function: called, custom }: Record<string, unknown>): Content {
  const declared = isRecord(custom) ? custom : isRecord(called) ? called : {};
  return {
    type: "tool-call",
    toolCallId: String(id),
    toolName: asText(declared["name"]) ?? "",
    input: asText(declared["arguments"]) ?? asText(declared["input"]) ?? "",
    ...(isRecord(custom) ? { dynamic: true } : {}),
  };
}

function readUsage(usage: unknown) {
  if (!isRecord(usage)) return { inputTokens: 0, outputTokens: 0 };
  const input = isRecord(usage["prompt_tokens_details"]) ? usage["prompt_tokens_details"] : {};
  const output = isRecord(usage["completion_tokens_details"]) ? usage["completion_tokens_details"] : {};
  const { cost } = usage;
  return {
    inputTokens: count(usage["prompt_tokens"]),
    outputTokens: count(usage["completion_tokens"]),
    reasoningTokens: count(output["reasoning_tokens"]),
    cachedInputTokens: count(input["cached_tokens"] ?? usage["prompt_cache_hit_tokens"]),
    ...(typeof cost === "number" && Number.isFinite(cost) && cost >= 0 ? { costUsd: cost } : {}),
  };
}

function readStream(events: readonly StreamedEvent[]): Body | undefined {
  const message: Record<string, unknown> = { role: "assistant", content: null };
  const calls = new Map<number, { id?: unknown; function: { name: string; arguments: string } }>();
  let whole: Record<string, unknown> = {};
  let finish: unknown;
  for (const { data } of events) {
    const chunk = parseInput(data);
    if (!isRecord(chunk)) continue;
    const [choice] = asRecords(chunk["choices"]);
    whole = { ...whole, ...chunk, ...(isRecord(chunk["usage"]) ? {} : { usage: whole["usage"] }) };
    if (!choice) continue;
    finish = choice["finish_reason"] ?? finish;
    for (const [name, value] of Object.entries(isRecord(choice["delta"]) ? choice["delta"] : {})) {
      if (name !== "tool_calls")
        message[name] =
          typeof value === "string" && name !== "role"
            ? (asText(message[name]) ?? "") + value
            : (value ?? message[name]);
      else
        for (const call of asRecords(value)) {
          const index = asNumber(call["index"]) ?? 0;
          const { name = "", arguments: text = "" } = (
            isRecord(call["function"]) ? call["function"] : {}
          ) as { name?: string; arguments?: string };
          const before = calls.get(index) ?? { function: { name: "", arguments: "" } };
          calls.set(index, {
            ...before,
            ...(call["id"] ? { id: call["id"] } : {}),
            function: { name: before.function.name + name, arguments: before.function.arguments + text },
          });
        }
    }
  }
  if (finish === undefined) return undefined;
  const tool_calls = [...calls.values()].map((call) => ({ type: "function", ...call }));
  return {
    ...whole,
    choices: [
      {
        index: 0,
        message: { ...message, ...(tool_calls.length > 0 ? { tool_calls } : {}) },
        finish_reason: finish,
      },
    ],
  };
}

function choiceOf({ raw, parts, stop }: AgentMessage): Record<string, unknown> {
  if (raw?.protocol === "chat") return raw.value;
  const reasoning = parts.flatMap((part) => (part.type === "reasoning" ? [part.text] : [])).join("\n");
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
  const tool_calls = parts.flatMap((part) =>
    part.type !== "tool-call"
      ? []
      : [
          part.dynamic
            ? { id: part.toolCallId, type: "custom", custom: { name: part.toolName, input: part.input } }
            : {
                id: part.toolCallId,
                type: "function",
                function: { name: part.toolName, arguments: part.input },
              },
        ],
  );
  return {
    index: 0,
    message: {
      role: "assistant",
      content: text === "" && tool_calls.length > 0 ? null : text,
      refusal: stop === "refusal" ? text : null,
      ...(reasoning ? { reasoning_content: reasoning } : {}),
      ...(tool_calls.length > 0 ? { tool_calls } : {}),
    },
    finish_reason: stop === "refusal" ? "stop" : stop,
    logprobs: null,
  };
}

function usageOf({ usage: { input, output, cachedInput, reasoning } }: AgentResponse) {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cachedInput },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}

function base({ id, model }: Pick<AgentResponse, "id" | "model">, object: string): Record<string, unknown> {
  return { id: `chatcmpl-${id}`, object, created: Math.floor(Date.now() / 1000), model };
}

function chunk(
  response: Pick<AgentResponse, "id" | "model" | "request">,
  choices: unknown[],
  more: object = {},
): StreamedEvent {
  const usage = wantsUsage(response.request) ? { usage: null } : {};
  return { data: JSON.stringify({ ...base(response, "chat.completion.chunk"), choices, ...usage, ...more }) };
}

const wantsUsage = ({ stream_options: options }: Body) =>
  isRecord(options) && options["include_usage"] === true;
