import type {
  ChatCompletionFunctionTool,
  ChatCompletionMessage,
  ChatCompletionToolMessageParam,
} from "openai/resources/chat/completions";
import type {
  FunctionTool,
  ResponseFunctionToolCall,
  ResponseInputItem,
  ResponseOutputItem,
} from "openai/resources/responses/responses";
import { openAiDefinitions } from "../definitions/openai-schema.ts";
import type { ExecutionResult } from "../result.ts";
import { type AdapterOptions, type RunOptions, runCalls, type ToolClient } from "./adapter.ts";
import { errorTextOf, type Piece, piecesOf, textOf, textOfPiece } from "./content.ts";

export interface OpenAiOptions extends AdapterOptions {
  /** Converts the schemas to strict ones, where that is possible. Default false. */
  readonly strict?: boolean;
}

export interface OpenAiResponsesOptions extends OpenAiOptions {
  /** Tools are loaded when the model searches for them. Add `{ type: "tool_search" }` to the tools. Default false. */
  readonly deferLoading?: boolean;
}

export type { AdapterOptions, RunOptions };

/** The tools for Chat Completions. */
export function toTools(client: ToolClient, options: OpenAiOptions = {}): ChatCompletionFunctionTool[] {
  return openAiDefinitions(client.toolDefinitions(options), options).map((tool) => ({
    type: "function",
    function: tool,
  }));
}

/** The tools for the Responses API. */
export function toResponsesTools(client: ToolClient, options: OpenAiResponsesOptions = {}): FunctionTool[] {
  return openAiDefinitions(client.toolDefinitions(options), options).map((tool) => ({
    type: "function",
    ...tool,
    ...(options.deferLoading ? { defer_loading: true } : {}),
  }));
}

/** Runs what the model asked for. Append the assistant's message first, then what this returns. */
export async function runToolCalls(
  client: ToolClient,
  message: Pick<ChatCompletionMessage, "tool_calls">,
  options?: RunOptions,
): Promise<ChatCompletionToolMessageParam[]>;
/** The same for the `output` of a response: append it to the input first, then what this returns. */
export async function runToolCalls(
  client: ToolClient,
  output: readonly ResponseOutputItem[],
  options?: RunOptions,
): Promise<ResponseInputItem.FunctionCallOutput[]>;
export async function runToolCalls(
  client: ToolClient,
  from: Pick<ChatCompletionMessage, "tool_calls"> | readonly ResponseOutputItem[],
  options: RunOptions = {},
): Promise<(ChatCompletionToolMessageParam | ResponseInputItem.FunctionCallOutput)[]> {
  return isOutput(from) ? runOutput(client, from, options) : runMessage(client, from, options);
}

function isOutput(from: unknown): from is readonly ResponseOutputItem[] {
  return Array.isArray(from);
}

function runMessage(
  client: ToolClient,
  { tool_calls }: Pick<ChatCompletionMessage, "tool_calls">,
  options: RunOptions,
) {
  return runCalls(
    client,
    tool_calls ?? [],
    options,
    (call) =>
      call.type === "function"
        ? { name: call.function.name, input: call.function.arguments }
        : { name: call.custom.name, input: call.custom.input },
    // Chat Completions has neither a flag for errors nor a place for images in the results of tools.
    ({ id }, result) => ({ role: "tool" as const, tool_call_id: id, content: markedText(result) }),
  );
}

function runOutput(client: ToolClient, output: readonly ResponseOutputItem[], options: RunOptions) {
  return runCalls(
    client,
    output.filter((item): item is ResponseFunctionToolCall => item.type === "function_call"),
    options,
    ({ name, arguments: input }) => ({ name, input }),
    ({ call_id }, result) => ({
      type: "function_call_output" as const,
      call_id,
      output: toOutput(result, options),
    }),
  );
}

function toOutput(result: ExecutionResult, options: RunOptions) {
  const pieces = piecesOf(result, options);
  return result.isError || pieces.every(({ type }) => type === "text")
    ? markedText(result)
    : pieces.map(toPart);
}

function toPart(piece: Piece) {
  if (piece.type === "media" && piece.mediaType.startsWith("image/")) {
    const image_url = `data:${piece.mediaType};base64,${piece.data}`;
    return { type: "input_image" as const, image_url };
  }
  return { type: "input_text" as const, text: textOfPiece(piece) };
}

function markedText(result: ExecutionResult): string {
  return result.isError ? errorTextOf(result) : textOf(result);
}
