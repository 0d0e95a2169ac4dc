import type { CallableTool, FunctionCall, FunctionDeclaration, Part } from "@google/genai";
import { geminiSchema } from "../definitions/gemini-schema.ts";
import type { ExecutionResult } from "../result.ts";
import { type AdapterOptions, type RunOptions, runCalls, type ToolClient } from "./adapter.ts";
import { piecesOf, textOf, textOfPiece } from "./content.ts";

export type { AdapterOptions, RunOptions };

/** Function declarations for `config.tools: [{ functionDeclarations: toTools(client) }]`. */
export function toTools(client: ToolClient, options: AdapterOptions = {}): FunctionDeclaration[] {
  return client.toolDefinitions(options).map(({ name, description, inputSchema }) => ({
    name,
    description,
    parametersJsonSchema: geminiSchema(inputSchema, (message) =>
      options.onWarning?.({ tool: name, message }),
    ),
  }));
}

/** Runs `response.functionCalls`: the parts of the next message, `{ role: "user", parts }`. */
export async function runToolCalls(
  client: ToolClient,
  functionCalls: readonly FunctionCall[] = [],
  options: RunOptions = {},
): Promise<Part[]> {
  return runCalls(
    client,
    functionCalls,
    options,
    ({ name = "", args }) => ({ name, input: args }),
    ({ id, name }, result) => ({
      functionResponse: { ...(id === undefined ? {} : { id }), name, ...toResponse(result, options) },
    }),
  );
}

/** For automatic function calling: the SDK then runs the tools itself, `config.tools: [toCallableTool(client)]`. */
export function toCallableTool(client: ToolClient, options: AdapterOptions & RunOptions = {}): CallableTool {
  const functionDeclarations = toTools(client, options);
  const names = new Set(functionDeclarations.map(({ name }) => name));
  return {
    tool: async () => ({ functionDeclarations }),
    // Every callable tool is handed all calls of a turn; those of others are theirs to answer.
    callTool: (calls) =>
      runToolCalls(
        client,
        calls.filter(({ name }) => names.has(name)),
        options,
      ),
  };
}

function toResponse(result: ExecutionResult, options: RunOptions) {
  if (result.isError) return { response: { error: textOf(result) } };
  const pieces = piecesOf(result, options);
  const media = pieces.filter((piece) => piece.type === "media");
  const output =
    result.structuredContent ??
    pieces
      .filter(({ type }) => type === "text")
      .map(textOfPiece)
      .join("\n");
  return {
    response: { output },
    ...(media.length === 0
      ? {}
      : { parts: media.map(({ mediaType, data }) => ({ inlineData: { mimeType: mediaType, data } })) }),
  };
}
