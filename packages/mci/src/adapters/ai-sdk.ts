import { jsonSchema, type Tool, type ToolSet } from "ai";
import type { ToolInput, ToolName, ToolResult } from "../client/tool-types.ts";
import type { MCIClient } from "../client.ts";
import { forAnyProvider } from "../definitions/any-provider.ts";
import type { ExecutionResult } from "../result.ts";
import { approvalOf, type NeedsApproval, type PausingOptions, runCall, type ToolClient } from "./adapter.ts";
import { type Piece, piecesOf, textOf } from "./content.ts";

export type { NeedsApproval, PausingOptions as AdapterOptions };

/** Names with one of these are not accepted by every provider, and models see another one. */
type Renamed = `${string}${"." | " " | "/" | ":" | "@" | "[" | "]" | "(" | ")"}${string}`;

/** The tools of a client with the types that `mci types` wrote; those of other clients have none. */
export type TypedToolSet<Tools> = string extends keyof Tools
  ? ToolSet
  : {
      [Name in ToolName<Tools> as Name extends Renamed ? never : Name]: Tool<
        ToolInput<Tools, Name>,
        ToolResult<Tools, Name>["result"]
      >;
    };

/** The tools for `generateText`, `streamText` and agents of the AI SDK. A call's output is an MCP result. */
export function toTools<Tools extends object>(
  client: MCIClient<Tools>,
  options?: PausingOptions,
): TypedToolSet<Tools>;
export function toTools(client: ToolClient, options?: PausingOptions): ToolSet;
export function toTools(client: ToolClient, options: PausingOptions = {}): ToolSet {
  const tools = forAnyProvider(client.toolDefinitions(options), options).map((definition) => {
    const { name, description, inputSchema, annotations } = definition;
    const needsApproval = approvalOf(definition, options);
    const tool: ToolSet[string] = {
      ...(annotations.title === undefined ? {} : { title: annotations.title }),
      description,
      // Without a validator: the client checks every input, and its messages are made for models.
      inputSchema: jsonSchema(inputSchema),
      ...(needsApproval === false ? {} : { needsApproval }),
      execute: async (input, { abortSignal: signal }) =>
        (await runCall(client, { name, input }, { ...options, signal })).result,
      toModelOutput: ({ output }: { output: ExecutionResult["result"] }) => toModelOutput(output, options),
    };
    return [name, tool] as const;
  });
  return Object.fromEntries(tools);
}

function toModelOutput(result: ExecutionResult["result"], options: PausingOptions) {
  if (result.isError) return { type: "error-text", value: textOf(result) } as const;
  const pieces = piecesOf(result, options);
  if (pieces.every(({ type }) => type === "text")) return { type: "text", value: textOf(result) } as const;
  return { type: "content", value: pieces.map(toPart) } as const;
}

/** In the form that versions 6 and 7 understand. */
function toPart(piece: Piece) {
  if (piece.type === "text") return { type: "text" as const, text: piece.text };
  const { mediaType, data } = piece;
  const type = mediaType.startsWith("image/") ? ("image-data" as const) : ("file-data" as const);
  return { type, mediaType, data };
}
