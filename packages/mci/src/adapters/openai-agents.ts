import { type Tool, tool } from "@openai/agents";
import { acceptedNames } from "../definitions/names.ts";
import {
  OPENAI_AGENTS_NAME,
  type OpenAiDefinition,
  openAiDefinitions,
} from "../definitions/openai-schema.ts";
import { approvalOf, type NeedsApproval, type PausingOptions, runCall, type ToolClient } from "./adapter.ts";
import { errorTextOf, type Piece, piecesOf, textOf, textOfPiece } from "./content.ts";

export type { NeedsApproval, PausingOptions as AdapterOptions };

/** The tools for an `Agent` of the OpenAI Agents SDK. */
export function toTools(client: ToolClient, options: PausingOptions = {}): Tool[] {
  // The SDK writes "_" for "-" in names; done here, two tools never end up with one name.
  const names = acceptedNames(
    client.toolDefinitions().map(({ name }) => name),
    OPENAI_AGENTS_NAME,
  );
  const definitions = client.toolDefinitions(options);
  return openAiDefinitions(definitions, options).map(({ name, description, parameters }, index) => {
    const approval = approvalOf(definitions[index]!, options);
    return tool({
      name: names.get(name) ?? name,
      description,
      strict: false,
      // The policy of a function is asked again when a stored run goes on; a boolean is not.
      needsApproval: typeof approval === "boolean" ? approval : (_context, input) => approval(input),
      parameters: { required: [], ...parameters } as OpenSchema,
      execute: async (input, _context, details) => {
        const result = await runCall(client, { name, input }, { ...options, signal: details?.signal });
        if (result.isError) return errorTextOf(result);
        const pieces = piecesOf(result, options);
        return pieces.every(({ type }) => type === "text") ? textOf(result) : pieces.flatMap(toOutput);
      },
    });
  });
}

/** The type that the SDK asks for where a schema is not strict. The schema itself may say less, or more. */
type OpenSchema = OpenAiDefinition["parameters"] & { required: string[]; additionalProperties: true };

/** An image has its name before it: with Chat Completions the SDK sends the texts, and leaves the images out. */
function toOutput(piece: Piece) {
  const { type } = piece;
  if (type === "text" || !piece.mediaType.startsWith("image/"))
    return [{ type: "text" as const, text: textOfPiece(piece) }];
  const image = { data: piece.data, mediaType: piece.mediaType };
  return [
    { type: "text" as const, text: `An image (${piece.mediaType}):` },
    { type: "image" as const, image },
  ];
}
