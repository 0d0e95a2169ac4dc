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
  fileData,
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
  TEXT_INPUT,
  toolNames,
} from "./protocol.ts";

type Item = Record<string, unknown>;

/** `POST /v1/responses` of OpenAI, without state: every request holds its whole conversation. */
export const responses: Protocol = {
  name: "responses",
  path: "/responses",
  read,
  toCall,
  toBody: ({ body }, { model, temperature, reasoning, stream }) => {
    const { temperature: own, reasoning: thought, ...rest } = body;
    return {
      ...rest,
      model,
      ...(temperature === undefined ? (own === undefined ? {} : { temperature: own }) : { temperature }),
      ...(thought === undefined || !reasoning ? {} : { reasoning: thought }),
      ...(stream ? { stream: true } : {}),
    };
  },
  readReply,
  readStream: (events) => {
    const last = events
      .map(({ data }) => parseInput(data))
      .filter(isRecord)
      .findLast(({ response }) => isRecord(response));
    const ended = ["response.completed", "response.incomplete"].includes(String(last?.["type"]));
    return ended ? (last!["response"] as Body) : undefined;
  },
  response: (response) => {
    const { output, ...end } = outputOf(response.message);
    return { ...base(response), ...end, output, usage: usageOf(response), metadata: metadataOf(response) };
  },
  *events(response) {
    const { output, ...end } = outputOf(response.message);
    for (const [index, item] of output.entries()) yield* itemEvents(item, index);
    const whole = {
      ...base(response),
      ...end,
      output,
      usage: usageOf(response),
      metadata: metadataOf(response),
    };
    yield event(end.status === "completed" ? "response.completed" : "response.incomplete", {
      response: whole,
    });
  },
  opening: (response) => [
    event("response.created", { response: { ...base(response), status: "in_progress" } }),
    event("response.in_progress", { response: { ...base(response), status: "in_progress" } }),
  ],
  keepAlive: (response) =>
    event("response.in_progress", { response: { ...base(response), status: "in_progress" } }),
  error,
  errorEvents: ({ code, message }, _, response) => [
    event("response.failed", { response: { ...base(response), status: "failed", error: { code, message } } }),
  ],
};

function error({ code, message, details }: Parameters<Protocol["error"]>[0], status: number): Body {
  const type = status >= 500 ? "server_error" : status === 429 ? "rate_limit_error" : "invalid_request_error";
  return { error: { message, type, param: details[0]?.path ?? null, code } };
}

/** State that this service does not have. */
const STATEFUL: Readonly<Record<string, string>> = {
  previous_response_id:
    "is not supported: this service stores no responses; send the whole conversation as input items, with store: false",
  conversation:
    "is not supported: this service stores no conversations; send the whole conversation as input items",
  background: "must be false or absent: a vote is answered on its own connection",
};

function read(body: Body): ReturnType<Protocol["read"]> {
  for (const [name, problem] of Object.entries(STATEFUL)) {
    if (body[name]) throw invalidField(name, problem);
  }
  const { input, text, metadata } = body;
  if (typeof input !== "string" && !(Array.isArray(input) && input.length > 0))
    throw invalidField("input", "must be a text or a list with at least one item");
  const items = typeof input === "string" ? [{ role: "user", content: input }] : asRecords(input);
  const userItems = items.filter(({ role }) => role === "user");
  const format = isRecord(text) && isRecord(text["format"]) ? text["format"] : {};
  return {
    body,
    headers: {},
    tools: asRecords(body["tools"]).flatMap(toolsOf),
    choice: choiceRule(body["tool_choice"]),
    parallel: body["parallel_tool_calls"] !== false,
    ...(format["type"] === "json_schema" ? { replySchema: format["schema"] } : {}),
    temperature: asNumber(body["temperature"]),
    maxOutputTokens: asNumber(body["max_output_tokens"]),
    prompt: textOf(userItems.at(-1)?.["content"]),
    sessionKey:
      asText(body["prompt_cache_key"]) ?? (isRecord(metadata) ? asText(metadata["session_id"]) : undefined),
    opening: openingOf([body["instructions"], userItems[0]?.["content"]]),
  };
}

const textOf = (content: unknown): string =>
  typeof content === "string"
    ? content
    : asRecords(content)
        .flatMap(({ text }) => asText(text) ?? [])
        .join("\n");

/** Tools that the agent runs. Those of a namespace go by both names; those that the provider runs are none of ours. */
function toolsOf(tool: Item): ActionTool[] {
  const { type, name, parameters, tools, annotations } = tool;
  if (type === "namespace")
    return asRecords(tools)
      .flatMap(toolsOf)
      .map((one) => ({ ...one, name: `${name}/${one.name}` }));
  if (typeof name !== "string")
    return LOCAL_TOOLS.has(String(type)) ? [{ name: String(type), readOnly: false }] : [];
  if (type === "custom") return [{ name, isText: true }];
  const readOnly = isRecord(annotations) && annotations["readOnlyHint"] === true;
  return type === "function"
    ? [{ name, inputSchema: parameters ?? undefined, ...(readOnly ? { readOnly } : {}) }]
    : [];
}

/** Tools of the provider's making that the agent runs. */
const LOCAL_TOOLS = new Set(["local_shell", "shell", "apply_patch", "computer_use_preview", "computer"]);
/** Their calls, which have no arguments but an action of their own. */
const LOCAL_CALLS: Readonly<Record<string, string>> = {
  local_shell_call: "local_shell",
  shell_call: "shell",
  apply_patch_call: "apply_patch",
  computer_call: "computer",
};

function choiceRule(choice: unknown): ToolChoice {
  if (choice === "none" || choice === "required") return { type: choice };
  if (!isRecord(choice)) return { type: "auto" };
  const { type, name, tools, mode } = choice;
  if (type === "allowed_tools")
    return {
      type: "tools",
      names: asRecords(tools).flatMap((one) => asText(one["name"]) ?? []),
      required: mode === "required",
    };
  // A tool that the provider runs: what else is called is the model's choice.
  return typeof name === "string" ? { type: "tools", names: [name], required: true } : { type: "auto" };
}

const HARMLESS = new Set(
  "input instructions tools tool_choice parallel_tool_calls text temperature max_output_tokens top_p reasoning include store metadata user service_tier prompt_cache_key prompt_cache_retention prompt_cache_options safety_identifier truncation stream_options max_tool_calls top_logprobs client_metadata".split(
    " ",
  ),
);

function toCall({ body }: AgentRequest): ReturnType<Protocol["toCall"]> {
  const warnings: string[] = [];
  for (const [name, value] of Object.entries(body)) {
    if (!HARMLESS.has(name) && value !== null && value !== false) throw cannotCarry(name);
  }
  const { instructions, input, text, reasoning } = body;
  const prompt: SdkPrompt = [];
  if (typeof instructions === "string" && instructions !== "")
    prompt.push({ role: "system", content: instructions });
  const items = typeof input === "string" ? [{ role: "user", content: input }] : asList(input);
  for (const [i, item] of items.entries()) addItem(prompt, item, `input[${i}]`, warnings);
  const names = toolNames(prompt);
  for (const { role, content } of prompt) {
    if (role === "tool")
      for (const part of content)
        if (part.type === "tool-result") part.toolName = names.get(part.toolCallId) ?? part.toolName;
  }
  const tools = asRecords(body["tools"]).flatMap((tool): NonNullable<SdkCall["tools"]> => {
    const { type, name, description, parameters, strict } = tool;
    if ((type !== "function" && type !== "custom") || typeof name !== "string") {
      warnings.push(
        `The tool ${JSON.stringify(name ?? type)} of type ${JSON.stringify(type)} was left out: the provider of this model cannot take it.`,
      );
      return [];
    }
    return [
      {
        type: "function",
        name,
        ...(typeof description === "string" ? { description } : {}),
        inputSchema: (type === "custom"
          ? TEXT_INPUT
          : (parameters ?? { type: "object", properties: {} })) as never,
        ...(typeof strict === "boolean" ? { strict } : {}),
      },
    ];
  });
  const format = isRecord(text) && isRecord(text["format"]) ? text["format"] : {};
  const effort = isRecord(reasoning) ? asText(reasoning["effort"]) : undefined;
  return {
    warnings,
    call: {
      prompt,
      ...(tools.length > 0 ? { tools, toolChoice: sdkChoice(choiceRule(body["tool_choice"])) } : {}),
      ...(format["type"] === "json_schema"
        ? {
            responseFormat: { type: "json", schema: format["schema"] as never, name: asText(format["name"]) },
          }
        : format["type"] === "json_object"
          ? { responseFormat: { type: "json" } }
          : {}),
      topP: asNumber(body["top_p"]),
      ...(effort === undefined ? {} : { reasoning: effort as never }),
      providerOptions:
        body["parallel_tool_calls"] === false ? { anthropic: { disableParallelToolUse: true } } : {},
    },
  };
}

type AssistantPart = Extract<SdkMessage, { role: "assistant" }>["content"][number];

/** Items of one turn become one message. */
function addItem(prompt: SdkPrompt, item: unknown, path: string, warnings: string[]): unknown {
  if (!isRecord(item)) throw invalidField(path, "must be an object");
  const { type = "message", role, content, call_id: callId, name } = item;
  const toolCallId = String(callId ?? item["id"]);
  const toolName = typeof item["namespace"] === "string" ? `${item["namespace"]}__${name}` : String(name);
  switch (type) {
    case "message":
      if (role === "assistant")
        return addAssistant(
          prompt,
          textParts(content, `${path}.content`).map((part) => part as AssistantPart),
        );
      if (role === "system" || role === "developer")
        return prompt.push({ role: "system", content: textOf(content) });
      return prompt.push({ role: "user", content: textParts(content, `${path}.content`) });
    case "function_call":
      return addAssistant(prompt, [
        { type: "tool-call", toolCallId, toolName, input: parseInput(item["arguments"]) },
      ]);
    case "custom_tool_call":
      return addAssistant(prompt, [
        { type: "tool-call", toolCallId, toolName, input: { input: item["input"] } },
      ]);
    case "function_call_output":
    case "custom_tool_call_output": {
      const { output } = item;
      const value = Array.isArray(output) ? textParts(output, `${path}.output`) : undefined;
      const result = {
        type: "tool-result" as const,
        toolCallId,
        toolName: "unknown",
        output: value
          ? ({ type: "content", value } as never)
          : { type: "text" as const, value: typeof output === "string" ? output : JSON.stringify(output) },
      };
      const last = prompt.at(-1);
      if (last?.role === "tool") last.content.push(result);
      else prompt.push({ role: "tool", content: [result] });
      return;
    }
    case "reasoning": {
      if (item["encrypted_content"])
        throw cannotCarry(
          `${path}.encrypted_content`,
          "it is the reasoning of another provider; begin a new conversation",
        );
      const text = [...asRecords(item["summary"]), ...asRecords(content)]
        .flatMap((part) => asText(part["text"]) ?? [])
        .join("\n");
      return text === "" ? undefined : addAssistant(prompt, [{ type: "reasoning", text }]);
    }
    case "web_search_call":
      warnings.push(`${path}, a search that another provider made, was left out.`);
      return;
    default:
      throw cannotCarry(`${path}, an item of type ${JSON.stringify(type)},`);
  }
}

function addAssistant(prompt: SdkPrompt, parts: readonly AssistantPart[]): void {
  const last = prompt.at(-1);
  if (last?.role === "assistant") last.content.push(...parts);
  else prompt.push({ role: "assistant", content: [...parts] });
}

type UserPart = Extract<SdkMessage, { role: "user" }>["content"][number];

function textParts(content: unknown, path: string): UserPart[] {
  if (!Array.isArray(content)) return [{ type: "text", text: typeof content === "string" ? content : "" }];
  return content.map((part: unknown, i): UserPart => {
    const at = `${path}[${i}]`;
    if (!isRecord(part)) throw invalidField(at, "must be an object");
    const { type, text, refusal, image_url: image, file_data: file, filename } = part;
    if (typeof text === "string") return { type: "text", text };
    if (typeof refusal === "string") return { type: "text", text: refusal };
    if (type === "input_image" && typeof image === "string")
      return { type: "file", mediaType: "image/*", ...fileData(image, `${at}.image_url`) };
    const address = asText(file) ?? asText(part["file_url"]);
    if (type === "input_file" && address !== undefined)
      return {
        type: "file",
        mediaType: "application/pdf",
        ...fileData(address, `${at}.file_data`),
        filename: asText(filename),
      };
    throw cannotCarry("file_id" in part ? `${at}.file_id` : `${at}, a part of type ${JSON.stringify(type)},`);
  });
}

function readReply(body: Body) {
  if (!Array.isArray(body["output"])) return undefined;
  const output = asRecords(body["output"]).map((item) =>
    CALLS.has(String(item["type"])) && !item["call_id"] ? { ...item, call_id: `call_${randomUUID()}` } : item,
  );
  const { status, incomplete_details: incomplete } = body;
  const reason = isRecord(incomplete) ? asText(incomplete["reason"]) : undefined;
  const parts = output.flatMap(partsOf);
  const refused = output.some(({ content }) => asRecords(content).some(({ type }) => type === "refusal"));
  const stop: StopReason =
    reason === "content_filter"
      ? "content_filter"
      : status === "incomplete"
        ? "length"
        : refused
          ? "refusal"
          : parts.some(({ type }) => type === "tool-call")
            ? "tool_calls"
            : "stop";
  return {
    message: {
      parts,
      stop,
      raw: { protocol: "responses" as const, value: { output, status, incomplete_details: incomplete } },
    },
    usage: readUsage(body["usage"]),
    ...(typeof body["model"] === "string" ? { model: body["model"] } : {}),
    finish: stop,
  };
}

const CALLS = new Set(["function_call", "custom_tool_call"]);

function partsOf(item: Item): Content[] {
  const { type, content, summary, call_id: callId, name, namespace } = item;
  const toolCallId = String(callId ?? item["id"]);
  const toolName = typeof namespace === "string" ? `${namespace}/${name}` : String(name);
  if (type === "message")
    return asRecords(content).flatMap((part) =>
      typeof part["text"] === "string" ? [{ type: "text" as const, text: part["text"] }] : [],
    );
  if (type === "reasoning") {
    const text = [...asRecords(summary), ...asRecords(content)]
      .flatMap((part) => asText(part["text"]) ?? [])
      .join("\n");
    return text === "" ? [] : [{ type: "reasoning", text }];
  }
  if (type === "function_call")
    return [
      {
        type: "tool-call",
        toolCallId,
        toolName,
        input: asText(item["arguments"]) ?? JSON.stringify(item["arguments"] ?? {}),
      },
    ];
  if (type === "custom_tool_call")
    return [{ type: "tool-call", toolCallId, toolName, input: String(item["input"] ?? ""), dynamic: true }];
  const local = LOCAL_CALLS[String(type)];
  if (local === undefined) return [];
  const { id: _, call_id: __, type: ___, status: ____, ...action } = item;
  return [{ type: "tool-call", toolCallId, toolName: local, input: JSON.stringify(action) }];
}

function readUsage(usage: unknown) {
  if (!isRecord(usage)) return { inputTokens: 0, outputTokens: 0 };
  const input = isRecord(usage["input_tokens_details"]) ? usage["input_tokens_details"] : {};
  const output = isRecord(usage["output_tokens_details"]) ? usage["output_tokens_details"] : {};
  return {
    inputTokens: count(usage["input_tokens"]),
    outputTokens: count(usage["output_tokens"]),
    reasoningTokens: count(output["reasoning_tokens"]),
    cachedInputTokens: count(input["cached_tokens"]),
  };
}

function outputOf({ raw, parts, stop }: AgentMessage): {
  output: readonly Item[];
  status: string;
  incomplete_details: unknown;
} {
  if (raw?.protocol === "responses") {
    const { output, status, incomplete_details } = raw.value as {
      output: Item[];
      status?: string;
      incomplete_details?: unknown;
    };
    return { output, status: status ?? "completed", incomplete_details: incomplete_details ?? null };
  }
  const reason =
    stop === "length" ? "max_output_tokens" : stop === "content_filter" ? "content_filter" : undefined;
  return {
    output: parts.map((part) => toItem(part, stop === "refusal")),
    status: reason ? "incomplete" : "completed",
    incomplete_details: reason ? { reason } : null,
  };
}

function toItem(part: Content, isRefusal: boolean): Item {
  const id = randomUUID().replaceAll("-", "");
  switch (part.type) {
    case "reasoning":
      return { id: `rs_${id}`, type: "reasoning", summary: [{ type: "summary_text", text: part.text }] };
    case "tool-call":
      return part.dynamic
        ? {
            id: `ctc_${id}`,
            type: "custom_tool_call",
            status: "completed",
            call_id: part.toolCallId,
            name: part.toolName,
            input: part.input,
          }
        : {
            id: `fc_${id}`,
            type: "function_call",
            status: "completed",
            call_id: part.toolCallId,
            name: part.toolName,
            arguments: part.input,
          };
    default:
      return {
        id: `msg_${id}`,
        type: "message",
        role: "assistant",
        status: "completed",
        content: isRefusal
          ? [{ type: "refusal", refusal: part.text }]
          : [{ type: "output_text", text: part.text, annotations: [], logprobs: [] }],
      };
  }
}

/** An item as a stream: what grows, in pieces, then the whole. */
function* itemEvents(item: Item, output_index: number): Iterable<StreamedEvent> {
  const { type, id: item_id } = item;
  const at = { item_id, output_index };
  const text = asText(item["arguments"]) ?? asText(item["input"]);
  if (CALLS.has(String(type)) && text !== undefined) {
    const [field, name] =
      type === "function_call"
        ? ["arguments", "function_call_arguments"]
        : ["input", "custom_tool_call_input"];
    yield event("response.output_item.added", {
      output_index,
      item: { ...item, status: "in_progress", [field!]: "" },
    });
    for (const delta of pieces(text)) yield event(`response.${name}.delta`, { ...at, delta });
    yield event(`response.${name}.done`, {
      ...at,
      [field!]: text,
      ...(type === "function_call" ? { name: item["name"] } : {}),
    });
  } else if (type === "message") {
    yield event("response.output_item.added", {
      output_index,
      item: { ...item, status: "in_progress", content: [] },
    });
    for (const [content_index, part] of asRecords(item["content"]).entries()) {
      const [field, name] = part["type"] === "refusal" ? ["refusal", "refusal"] : ["text", "output_text"];
      const whole = asText(part[field!]) ?? "";
      yield event("response.content_part.added", { ...at, content_index, part: { ...part, [field!]: "" } });
      for (const delta of pieces(whole))
        yield event(`response.${name}.delta`, {
          ...at,
          content_index,
          delta,
          ...(name === "output_text" ? { logprobs: [] } : {}),
        });
      yield event(`response.${name}.done`, {
        ...at,
        content_index,
        [field!]: whole,
        ...(name === "output_text" ? { logprobs: [] } : {}),
      });
      yield event("response.content_part.done", { ...at, content_index, part });
    }
  } else if (type === "reasoning") {
    yield event("response.output_item.added", { output_index, item: { ...item, summary: [] } });
    for (const [summary_index, part] of asRecords(item["summary"]).entries()) {
      const whole = asText(part["text"]) ?? "";
      yield event("response.reasoning_summary_part.added", {
        ...at,
        summary_index,
        part: { ...part, text: "" },
      });
      for (const delta of pieces(whole))
        yield event("response.reasoning_summary_text.delta", { ...at, summary_index, delta });
      yield event("response.reasoning_summary_text.done", { ...at, summary_index, text: whole });
      yield event("response.reasoning_summary_part.done", { ...at, summary_index, part });
    }
  } else yield event("response.output_item.added", { output_index, item });
  yield event("response.output_item.done", { output_index, item });
}

const event = (type: string, fields: object): StreamedEvent => ({
  event: type,
  data: JSON.stringify({ type, ...fields }),
});

function base({ id, model, request }: Pick<AgentResponse, "id" | "model" | "request">): Item {
  const {
    instructions,
    tools,
    tool_choice,
    parallel_tool_calls,
    temperature,
    top_p,
    reasoning,
    text,
    max_output_tokens,
    truncation,
    metadata,
    user,
  } = request;
  return {
    id: `resp_${id}`,
    object: "response",
    created_at: Math.floor(Date.now() / 1000),
    status: "completed",
    background: false,
    error: null,
    incomplete_details: null,
    instructions: instructions ?? null,
    max_output_tokens: max_output_tokens ?? null,
    model,
    output: [],
    parallel_tool_calls: parallel_tool_calls ?? true,
    previous_response_id: null,
    reasoning: reasoning ?? { effort: null, summary: null },
    store: false,
    temperature: temperature ?? 1,
    text: text ?? { format: { type: "text" } },
    tool_choice: tool_choice ?? "auto",
    tools: tools ?? [],
    top_p: top_p ?? 1,
    truncation: truncation ?? "disabled",
    usage: null,
    user: user ?? null,
    metadata: metadata ?? {},
  };
}

const metadataOf = ({ request, council }: AgentResponse) => ({
  ...(isRecord(request["metadata"]) ? request["metadata"] : {}),
  ...Object.fromEntries(
    Object.entries(council).map(([name, value]) => [`council_${name}`, value.slice(0, 512)]),
  ),
});

function usageOf({ usage: { input, output, cachedInput, reasoning } }: AgentResponse) {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cachedInput },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}
