import type {
  Base64ImageSource,
  ContentBlock,
  MessageParam,
  Tool,
  ToolResultBlockParam,
  ToolUseBlock,
} from "@anthropic-ai/sdk/resources/messages";
import type { ExecutionResult } from "../result.ts";
import { type AdapterOptions, type RunOptions, runCalls, type ToolClient } from "./adapter.ts";
import { type Piece, piecesOf, textOfPiece } from "./content.ts";

export interface AnthropicOptions extends AdapterOptions {
  /** Tools are loaded when a search finds them. Add one of Anthropic's tool search tools. Default false. */
  readonly deferLoading?: boolean;
}

export type { AdapterOptions, RunOptions };

/** The tools for the Messages API. */
export function toTools(client: ToolClient, options: AnthropicOptions = {}): Tool[] {
  return client.toolDefinitions(options).map(({ name, description, inputSchema }) => ({
    name,
    description,
    input_schema: inputSchema,
    ...(options.deferLoading ? { defer_loading: true } : {}),
  }));
}

/**
 * Runs what the model asked for: one user message with all results, to be appended after the assistant's message.
 * Without anything to run its content is empty.
 */
export async function runToolCalls(
  client: ToolClient,
  message: { readonly content: readonly ContentBlock[] },
  options: RunOptions = {},
): Promise<MessageParam & { content: ToolResultBlockParam[] }> {
  const content = await runCalls(
    client,
    message.content.filter((block): block is ToolUseBlock => block.type === "tool_use"),
    options,
    ({ name, input }) => ({ name, input }),
    ({ id }, result) => toResult(id, result, options),
  );
  return { role: "user", content };
}

function toResult(tool_use_id: string, result: ExecutionResult, options: RunOptions): ToolResultBlockParam {
  const content = piecesOf(result, options).map(toBlock);
  // Blocks of empty text are refused; a result without content is not.
  const filled = content.filter((block) => block.type !== "text" || block.text.trim() !== "");
  return {
    type: "tool_result",
    tool_use_id,
    ...(filled.length > 0 ? { content: filled } : {}),
    ...(result.isError ? { is_error: true } : {}),
  };
}

const IMAGES: readonly string[] = ["image/jpeg", "image/png", "image/gif", "image/webp"];

function toBlock(piece: Piece) {
  if (piece.type === "media" && IMAGES.includes(piece.mediaType)) {
    const media_type = piece.mediaType as Base64ImageSource["media_type"];
    return { type: "image" as const, source: { type: "base64" as const, media_type, data: piece.data } };
  }
  if (piece.type === "media" && piece.mediaType === "application/pdf") {
    const source = { type: "base64" as const, media_type: "application/pdf" as const, data: piece.data };
    return { type: "document" as const, source };
  }
  return { type: "text" as const, text: textOfPiece(piece) };
}
