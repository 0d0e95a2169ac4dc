import type { About, AgentMessage, AgentResponse, Body, StreamedEvent } from "../protocol.ts";
import { pieces } from "../shared/stream.ts";
import { asRecords, asText, isRecord } from "../shared/values.ts";

export const writeResponse = (response: AgentResponse): Body => ({
  ...base(response, "chat.completion"),
  choices: [choiceOf(response.message)],
  usage: usageOf(response),
  council: response.council,
});

/** The same as a stream, after its opening. */
export function* writeEvents(response: AgentResponse): Iterable<StreamedEvent> {
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
}

export function chunk(response: About, choices: unknown[], more: object = {}): StreamedEvent {
  const usage = wantsUsage(response.request) ? { usage: null } : {};
  return { data: JSON.stringify({ ...base(response, "chat.completion.chunk"), choices, ...usage, ...more }) };
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

/** Whether the agent asked for the usage at the end of a stream. */
export const wantsUsage = ({ stream_options: options }: Body) =>
  isRecord(options) && options["include_usage"] === true;
