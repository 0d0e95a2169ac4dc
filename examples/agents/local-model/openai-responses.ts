import {
  asText,
  type Dialect,
  type Json,
  newId,
  refuseIf,
  type StreamEvent,
  type ToolResult,
  type Turn,
} from "./dialect.ts";
import { checkFunctions, isErrorText } from "./openai-chat.ts";

/** The OpenAI Responses API. */
export const openAiResponses: Dialect = {
  read(body) {
    const functions = (body.tools ?? []).filter(({ type }: Json) => type === "function");
    // Where `strict` is missing the API tries strict schemas (responses.d.ts, `FunctionTool.strict`).
    checkFunctions(functions, "tools");
    const input = typeof body.input === "string" ? [] : body.input;
    return {
      tools: functions.map(({ name }: Json) => name),
      results: resultsOf(input),
      stream: body.stream === true,
    };
  },
  respond: (turn, body) => response(turn, body),
  stream(turn, body) {
    const full = response(turn, body);
    const events: StreamEvent[] = [];
    let sequence_number = 0;
    const push = (type: string, fields: Json) =>
      events.push({ event: type, data: { type, sequence_number: sequence_number++, ...fields } });
    push("response.created", { response: { ...full, status: "in_progress", output: [] } });
    for (const [output_index, item] of full.output.entries()) {
      const at = { output_index, item_id: item.id };
      if (item.type === "function_call") {
        push("response.output_item.added", {
          output_index,
          item: { ...item, arguments: "", status: "in_progress" },
        });
        push("response.function_call_arguments.delta", { ...at, delta: item.arguments });
        push("response.function_call_arguments.done", { ...at, arguments: item.arguments, name: item.name });
      } else {
        const [part] = item.content;
        push("response.output_item.added", {
          output_index,
          item: { ...item, content: [], status: "in_progress" },
        });
        push("response.content_part.added", { ...at, content_index: 0, part: { ...part, text: "" } });
        push("response.output_text.delta", { ...at, content_index: 0, delta: part.text, logprobs: [] });
        push("response.output_text.done", { ...at, content_index: 0, text: part.text, logprobs: [] });
        push("response.content_part.done", { ...at, content_index: 0, part });
      }
      push("response.output_item.done", { output_index, item });
    }
    push("response.completed", { response: full });
    return events;
  },
  refuse: (message) => ({ error: { message, type: "invalid_request_error", param: null, code: null } }),
};

/** "No tool output found for function call": every call of the input has its output in the input. */
function resultsOf(input: readonly Json[]): ToolResult[] {
  const outputs = input.filter(({ type }) => type === "function_call_output");
  for (const { type, call_id } of input) {
    const isMissing = type === "function_call" && !outputs.some((output) => output.call_id === call_id);
    refuseIf(isMissing, `No tool output found for function call ${call_id}.`);
  }
  return outputs.map(({ output }) => {
    const parts = typeof output === "string" ? [{ type: "input_text", text: output }] : output;
    for (const { type } of parts)
      refuseIf(!["input_text", "input_image", "input_file"].includes(type), `Invalid value: '${type}'.`);
    const text = parts.flatMap((part: Json) => part.text ?? []).join("\n");
    const media = parts.flatMap(
      ({ image_url }: Json) => /^data:([^;]+);base64,/.exec(image_url ?? "")?.[1] ?? [],
    );
    return { text, isError: isErrorText(text), media };
  });
}

function response(turn: Turn, body: Json): Json {
  const output =
    "text" in turn
      ? [
          {
            type: "message",
            id: newId("msg"),
            role: "assistant",
            status: "completed",
            content: [{ type: "output_text", text: turn.text, annotations: [], logprobs: [] }],
          },
        ]
      : turn.calls.map(({ name, input }) => ({
          type: "function_call",
          id: newId("fc"),
          call_id: newId("call"),
          name,
          arguments: asText(input),
          status: "completed",
        }));
  return {
    id: newId("resp"),
    object: "response",
    created_at: 1,
    status: "completed",
    model: body.model,
    output,
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: "auto",
    tools: body.tools ?? [],
    top_p: 1,
    usage: {
      input_tokens: 1,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 1,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 2,
    },
  };
}
