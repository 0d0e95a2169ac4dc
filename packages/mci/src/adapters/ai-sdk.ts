import { dynamicTool, jsonSchema, type ToolSet } from "ai";
import { forAnyProvider } from "../definitions/any-provider.ts";
import type { ExecutionResult } from "../result.ts";
import { type AdapterOptions, runCall, type ToolClient } from "./adapter.ts";
import { type Piece, piecesOf, textOf } from "./content.ts";

export type { AdapterOptions };

/** The tools for `generateText`, `streamText` and agents of the AI SDK. A call's output is an MCP result. */
export function toTools(client: ToolClient, options: AdapterOptions = {}): ToolSet {
  const tools = forAnyProvider(client.toolDefinitions(options), options).map(
    ({ name, description, inputSchema, annotations }) => {
      const tool = dynamicTool({
        ...(annotations.title === undefined ? {} : { title: annotations.title }),
        description,
        // Without a validator: the client checks every input, and its messages are made for models.
        inputSchema: jsonSchema(inputSchema),
        execute: async (input, { abortSignal: signal }) =>
          (await runCall(client, { name, input }, { ...options, signal })).result,
        toModelOutput: ({ output }) => toModelOutput(output as ExecutionResult["result"], options),
      });
      return [name, tool] as const;
    },
  );
  return Object.fromEntries(tools);
}

function toModelOutput(result: ExecutionResult["result"], options: AdapterOptions) {
  if (result.isError) return { type: "error-text", value: textOf(result) } as const;
  const pieces = piecesOf(result, options);
  if (pieces.every(({ type }) => type === "text")) return { type: "text", value: textOf(result) } as const;
  return { type: "content", value: pieces.map(toPart) } as const;
}

function toPart(piece: Piece) {
  if (piece.type === "text") return { type: "text" as const, text: piece.text };
  const data = { type: "data" as const, data: piece.data };
  return { type: "file" as const, mediaType: piece.mediaType, data };
}
