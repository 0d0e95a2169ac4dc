import { randomUUID } from "node:crypto";
import type { ActionTool, ToolChoice } from "@mci-ts/council";
import { sdkChoice } from "./chat-completions.ts";
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
  invalidField,
  isRecord,
  openingOf,
  type Protocol,
  parseInput,
  pieces,
  type SdkCall,
  type SdkMessage,
  type SdkPrompt,
  type StopReason,
  type StreamedEvent,
  toolNames,
} from "./protocol.ts";

type Block = Record<string, unknown>;

/** `POST /v1/messages` of Anthropic. */
export const messages: Protocol = {
  name: "messages",
  path: "/messages",
  read,
  toCall,
  toBody: ({ body }, { model, temperature, stream }) => {
    const { temperature: own, ...rest } = body;
    // A model that thinks takes no temperature but its own.
    const set = temperature === undefined || isThinking(body) ? own : Math.min(1, temperature);
    return {
      ...rest,
      model,
      ...(set === undefined ? {} : { temperature: set }),
      ...(stream ? { stream: true } : {}),
    };
  },
  readReply,
  readStream,
  response: (response) => ({
    ...base(response),
    ...contentOf(response.message),
    usage: usageOf(response),
    council: response.council,
  }),
  *events(response) {
    const { content, stop_reason, stop_sequence } = contentOf(response.message);
    for (const [index, block] of content.entries()) yield* blockEvents(block, index);
    yield event("message_delta", {
      delta: { stop_reason, stop_sequence },
      usage: usageOf(response),
      council: response.council,
    });
    yield event("message_stop", {});
  },
  opening: (response) => [
    event("message_start", {
      message: {
        ...base(response),
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 0, output_tokens: 0 },
      },
    }),
    event("ping", {}),
  ],
  keepAlive: () => event("ping", {}),
  error,
  errorEvents: (failure, status) => [event("error", error(failure, status))],
};

const ERROR_TYPES: Readonly<Record<number, string>> = {
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  503: "overloaded_error",
  504: "timeout_error",
};

function error({ message, code }: Parameters<Protocol["error"]>[0], status: number): Body {
  const type = ERROR_TYPES[status] ?? (status >= 500 ? "api_error" : "invalid_request_error");
  const isThread = message.startsWith(NO_THREADS);
  return {
    type: "error",
    // Clients that know this code send the whole conversation instead.
    error: {
      type,
      message,
      code,
      ...(isThread && { details: { error_code: "thread_unsupported_request", unsupported: ["thread"] } }),
    },
  };
}

/** The service stores no conversation: each request has all of it. */
const NO_THREADS = "thread is not supported";

function read(body: Body, headers: Parameters<Protocol["read"]>[1]): ReturnType<Protocol["read"]> {
  const turns = asRecords(body["messages"]);
  if (turns.length === 0) throw invalidField("messages", "must be a list with at least one message");
  if (asNumber(body["max_tokens"]) === undefined) throw invalidField("max_tokens", "must be a number");
  if (body["thread"] != null)
    throw invalidField("thread", "is not supported: send the whole conversation with each request");
  const said = turns.filter(({ role }) => role === "user");
  const { output_config: output, metadata } = body;
  const format = isRecord(output) && isRecord(output["format"]) ? output["format"] : {};
  const choice = isRecord(body["tool_choice"]) ? body["tool_choice"] : {};
  const kept = ["anthropic-beta", "anthropic-version"].flatMap((name): [string, string][] => {
    const value = headers.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  return {
    body,
    headers: Object.fromEntries(kept),
    tools: asRecords(body["tools"]).flatMap(toolOf),
    choice: choiceRule(choice),
    parallel: choice["disable_parallel_tool_use"] !== true,
    ...(format["type"] === "json_schema" ? { replySchema: format["schema"] } : {}),
    temperature: asNumber(body["temperature"]),
    maxOutputTokens: asNumber(body["max_tokens"]),
    prompt: said.map(({ content }) => textOf(content)).findLast((text) => text !== "") ?? "",
    sessionKey: isRecord(metadata) ? asText(metadata["user_id"]) : undefined,
    opening: openingOf([body["system"], said[0]?.["content"]]),
  };
}

const textOf = (content: unknown): string =>
  typeof content === "string"
    ? content
    : asRecords(content)
        .flatMap(({ type, text }) => (type === "text" ? (asText(text) ?? []) : []))
        .join("\n");

/** Also those that Anthropic describes and the agent runs, such as bash; those that Anthropic runs are never called here. */
function toolOf({ type, name, input_schema: inputSchema, annotations }: Block): ActionTool[] {
  if (typeof name !== "string" || HOSTED.test(String(type))) return [];
  const readOnly = isRecord(annotations) && annotations["readOnlyHint"] === true;
  return [{ name, ...(inputSchema === undefined ? {} : { inputSchema }), ...(readOnly ? { readOnly } : {}) }];
}

const HOSTED = /^(web_search|web_fetch|code_execution|tool_search)/;

function choiceRule({ type, name }: Block): ToolChoice {
  if (type === "any") return { type: "required" };
  if (type === "none") return { type: "none" };
  return type === "tool" ? { type: "tools", names: [String(name)], required: true } : { type: "auto" };
}

const isThinking = ({ thinking }: Body) => isRecord(thinking) && thinking["type"] !== "disabled";

const HARMLESS = new Set(
  "messages system tools tool_choice max_tokens temperature top_p top_k stop_sequences metadata service_tier thinking output_config context_management cache_control speed".split(
    " ",
  ),
);

function toCall({ body, parallel }: AgentRequest): ReturnType<Protocol["toCall"]> {
  const warnings: string[] = [];
  for (const [name, value] of Object.entries(body)) {
    if (!HARMLESS.has(name) && value !== null) throw cannotCarry(name);
  }
  if (isThinking(body)) warnings.push("thinking was left out: the provider of this model does not know it.");
  if (body["context_management"] != null)
    warnings.push("context_management was left out: the provider of this model does not know it.");
  const { system, output_config: output } = body;
  const prompt: SdkPrompt = [];
  for (const block of typeof system === "string" ? [{ text: system }] : asRecords(system))
    if (block["text"])
      prompt.push({ role: "system", content: String(block["text"]), ...cacheOptions(block) });
  for (const [i, turn] of asList(body["messages"]).entries()) addTurn(prompt, turn, `messages[${i}]`);
  const names = toolNames(prompt);
  for (const { role, content } of prompt) {
    if (role === "tool")
      for (const part of content)
        if (part.type === "tool-result") part.toolName = names.get(part.toolCallId) ?? part.toolName;
  }
  const tools = asRecords(body["tools"]).flatMap((tool): NonNullable<SdkCall["tools"]> => {
    const { name, type, description, input_schema: schema } = tool;
    if (typeof name !== "string" || !isRecord(schema)) {
      warnings.push(
        `The tool ${JSON.stringify(name)} of type ${JSON.stringify(type)} was left out: the provider of this model cannot take it.`,
      );
      return [];
    }
    return [
      {
        type: "function",
        name,
        ...(typeof description === "string" ? { description } : {}),
        inputSchema: schema as never,
        ...cacheOptions(tool),
      },
    ];
  });
  const format = isRecord(output) && isRecord(output["format"]) ? output["format"] : {};
  const effort = isRecord(output) ? asText(output["effort"]) : undefined;
  const choice = choiceRule(isRecord(body["tool_choice"]) ? body["tool_choice"] : {});
  return {
    warnings,
    call: {
      prompt,
      ...(tools.length > 0 ? { tools, toolChoice: sdkChoice(choice) } : {}),
      ...(format["type"] === "json_schema"
        ? { responseFormat: { type: "json", schema: format["schema"] as never } }
        : {}),
      ...(Array.isArray(body["stop_sequences"]) ? { stopSequences: body["stop_sequences"].map(String) } : {}),
      topP: asNumber(body["top_p"]),
      topK: asNumber(body["top_k"]),
      ...(effort === undefined ? {} : { reasoning: effort as never }),
      providerOptions: parallel ? {} : { openaiCompatible: { parallelToolCalls: false } },
    },
  };
}

type UserPart = Extract<SdkMessage, { role: "user" }>["content"][number];
type AssistantPart = Extract<SdkMessage, { role: "assistant" }>["content"][number];

/** Results of tools stand in a user's turn here, and in a turn of their own elsewhere. */
function addTurn(prompt: SdkPrompt, turn: unknown, path: string): void {
  if (!isRecord(turn)) throw invalidField(path, "must be a message");
  const { role, content } = turn;
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : asRecords(content);
  if (role === "assistant") {
    prompt.push({
      role: "assistant",
      content: blocks.flatMap((block, i) => assistantPart(block, `${path}.content[${i}]`)),
    });
    return;
  }
  if (role === "system") return void prompt.push({ role: "system", content: textOf(blocks) });
  const results = blocks.flatMap((block, i) =>
    block["type"] === "tool_result" ? [toolResult(block, `${path}.content[${i}]`)] : [],
  );
  const said = blocks.flatMap((block, i) =>
    block["type"] === "tool_result" ? [] : [userPart(block, `${path}.content[${i}]`)],
  );
  if (results.length > 0) prompt.push({ role: "tool", content: results });
  if (said.length > 0) prompt.push({ role: "user", content: said });
}

function userPart(block: Block, path: string): UserPart {
  const { type, text, source } = block;
  if (type === "text") return { type: "text", text: String(text), ...cacheOptions(block) };
  if ((type === "image" || type === "document") && isRecord(source)) {
    const filename = asText(block["title"]);
    const mediaType = asText(source["media_type"]) ?? (type === "image" ? "image/*" : "application/pdf");
    const file = {
      type: "file" as const,
      mediaType,
      ...(filename ? { filename } : {}),
      ...cacheOptions(block),
    };
    if (source["type"] === "base64") return { ...file, data: { type: "data", data: String(source["data"]) } };
    if (source["type"] === "url" && URL.canParse(String(source["url"])))
      return { ...file, data: { type: "url", url: new URL(String(source["url"])) } };
    if (source["type"] === "text") return { type: "text", text: String(source["data"]) };
    throw cannotCarry(`${path}.source`);
  }
  throw cannotCarry(`${path}, a block of type ${JSON.stringify(type)},`);
}

function assistantPart(block: Block, path: string): AssistantPart[] {
  switch (block["type"]) {
    case "text":
      return [{ type: "text", text: String(block["text"]), ...cacheOptions(block) }];
    case "tool_use":
      return [
        {
          type: "tool-call",
          toolCallId: String(block["id"]),
          toolName: String(block["name"]),
          input: block["input"],
        },
      ];
    case "thinking":
      if (block["signature"])
        throw cannotCarry(
          `${path}.signature`,
          "it is the reasoning of another provider; begin a new conversation",
        );
      return [{ type: "reasoning", text: String(block["thinking"]) }];
    default:
      throw cannotCarry(`${path}, a block of type ${JSON.stringify(block["type"])},`);
  }
}

function toolResult(
  block: Block,
  path: string,
): Extract<Extract<SdkMessage, { role: "tool" }>["content"][number], { type: "tool-result" }> {
  const { content, is_error: isError } = block;
  const parts = Array.isArray(content)
    ? asRecords(content).map((part, i) => userPart(part, `${path}.content[${i}]`))
    : undefined;
  const text = parts
    ? parts.map((part) => (part.type === "text" ? part.text : "")).join("\n")
    : String(content ?? "");
  const output = parts?.some(({ type }) => type !== "text")
    ? ({ type: "content", value: parts } as never)
    : { type: isError === true ? ("error-text" as const) : ("text" as const), value: text };
  return {
    type: "tool-result",
    toolCallId: String(block["tool_use_id"]),
    toolName: "unknown",
    output,
    ...cacheOptions(block),
  };
}

function cacheOptions({ cache_control: cacheControl }: Block): {
  providerOptions?: { anthropic: { cacheControl: never } };
} {
  return isRecord(cacheControl)
    ? { providerOptions: { anthropic: { cacheControl: cacheControl as never } } }
    : {};
}

const STOPS: Readonly<Record<string, StopReason>> = {
  tool_use: "tool_calls",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  refusal: "refusal",
};

function readReply(body: Body) {
  if (!Array.isArray(body["content"])) return undefined;
  const content = asRecords(body["content"]).map((block) =>
    block["type"] === "tool_use" && !block["id"] ? { ...block, id: `toolu_${randomUUID()}` } : block,
  );
  const finish = asText(body["stop_reason"]);
  const parts = content.flatMap((block): Content[] => {
    const { type, text, thinking, id, name, input } = block;
    if (type === "text") return [{ type: "text", text: String(text) }];
    if (type === "thinking") return [{ type: "reasoning", text: String(thinking) }];
    return type === "tool_use"
      ? [
          {
            type: "tool-call",
            toolCallId: String(id),
            toolName: String(name),
            input: typeof input === "string" ? input : JSON.stringify(input ?? {}),
          },
        ]
      : [];
  });
  const stop =
    STOPS[finish ?? ""] ?? (parts.some(({ type }) => type === "tool-call") ? "tool_calls" : "stop");
  const { stop_reason, stop_sequence, stop_details, container } = body;
  const value = {
    content,
    stop_reason,
    stop_sequence: stop_sequence ?? null,
    ...(stop_details == null ? {} : { stop_details }),
    ...(container == null ? {} : { container }),
  };
  return {
    message: { parts, stop, raw: { protocol: "messages" as const, value } },
    usage: readUsage(body["usage"]),
    ...(typeof body["model"] === "string" ? { model: body["model"] } : {}),
    ...(finish === undefined ? {} : { finish }),
  };
}

/** What comes from the cache is not part of `input_tokens` here. */
function readUsage(usage: unknown) {
  if (!isRecord(usage)) return { inputTokens: 0, outputTokens: 0 };
  const [cachedInputTokens, cacheWriteTokens] = [
    count(usage["cache_read_input_tokens"]),
    count(usage["cache_creation_input_tokens"]),
  ];
  return {
    inputTokens: count(usage["input_tokens"]) + cachedInputTokens + cacheWriteTokens,
    outputTokens: count(usage["output_tokens"]),
    cachedInputTokens,
    cacheWriteTokens,
  };
}

function readStream(events: readonly StreamedEvent[]): Body | undefined {
  let message: Record<string, unknown> | undefined;
  const blocks: Block[] = [];
  const inputs = new Map<number, string>();
  for (const { data } of events) {
    const one = parseInput(data);
    if (!isRecord(one)) continue;
    const index = asNumber(one["index"]) ?? 0;
    const delta = isRecord(one["delta"]) ? one["delta"] : {};
    if (one["type"] === "message_start" && isRecord(one["message"])) message = one["message"];
    if (one["type"] === "content_block_start" && isRecord(one["content_block"]))
      blocks[index] = { ...one["content_block"] };
    const block = blocks[index];
    if (one["type"] === "content_block_delta" && block) {
      if (typeof delta["partial_json"] === "string")
        inputs.set(index, (inputs.get(index) ?? "") + delta["partial_json"]);
      else
        for (const name of ["text", "thinking", "signature"])
          if (typeof delta[name] === "string") block[name] = (asText(block[name]) ?? "") + delta[name];
    }
    if (one["type"] === "message_delta" && message)
      message = {
        ...message,
        ...delta,
        usage: { ...(message["usage"] as object), ...(isRecord(one["usage"]) ? one["usage"] : {}) },
      };
  }
  if (message?.["stop_reason"] == null) return undefined;
  return {
    ...message,
    content: blocks.map((block, i) =>
      inputs.has(i) ? { ...block, input: parseInput(inputs.get(i)) } : block,
    ),
  };
}

const STOP_REASONS = {
  stop: "end_turn",
  tool_calls: "tool_use",
  length: "max_tokens",
  refusal: "refusal",
  content_filter: "refusal",
} as const;

function contentOf({ raw, parts, stop }: AgentMessage): {
  content: readonly Block[];
  stop_reason: unknown;
  stop_sequence: unknown;
} {
  if (raw?.protocol === "messages") return raw.value as never;
  const content = parts.map((part): Block => {
    if (part.type === "text") return { type: "text", text: part.text };
    if (part.type === "reasoning") return { type: "thinking", thinking: part.text, signature: "" };
    return { type: "tool_use", id: part.toolCallId, name: part.toolName, input: parseInput(part.input) };
  });
  return { content, stop_reason: STOP_REASONS[stop], stop_sequence: null };
}

function* blockEvents(block: Block, index: number): Iterable<StreamedEvent> {
  const { type, text, thinking, signature, input } = block;
  const start = (content_block: Block) => event("content_block_start", { index, content_block });
  const delta = (delta: object) => event("content_block_delta", { index, delta });
  if (type === "text") {
    yield start({ ...block, text: "" });
    for (const piece of pieces(String(text))) yield delta({ type: "text_delta", text: piece });
  } else if (type === "thinking") {
    yield start({ type, thinking: "", signature: "" });
    for (const piece of pieces(String(thinking))) yield delta({ type: "thinking_delta", thinking: piece });
    yield delta({ type: "signature_delta", signature });
  } else if (type === "tool_use") {
    yield start({ ...block, input: {} });
    for (const piece of pieces(JSON.stringify(input ?? {})))
      yield delta({ type: "input_json_delta", partial_json: piece });
  } else yield start(block);
  yield event("content_block_stop", { index });
}

const event = (type: string, fields: object): StreamedEvent => ({
  event: type,
  data: JSON.stringify({ type, ...fields }),
});

const base = ({ id, model }: Pick<AgentResponse, "id" | "model">): Block => ({
  id: `msg_${id}`,
  type: "message",
  role: "assistant",
  model,
});

function usageOf({ usage: { input, output, cachedInput, cacheWrite } }: AgentResponse) {
  return {
    input_tokens: Math.max(0, input - cachedInput - cacheWrite),
    output_tokens: output,
    cache_read_input_tokens: cachedInput,
    cache_creation_input_tokens: cacheWrite,
  };
}
