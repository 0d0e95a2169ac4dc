import type { DefinitionOptions } from "../client/client-options.ts";
import type { ToolDefinition } from "./definitions.ts";
import { geminiSchema } from "./gemini-schema.ts";
import { shortDescription } from "./short-description.ts";

/**
 * For frameworks that may hand the tools to any provider: descriptions as short as OpenAI wants them, schemas in the
 * few words of Gemini, which all others know as well.
 */
export function forAnyProvider(
  definitions: readonly ToolDefinition[],
  { onWarning }: Pick<DefinitionOptions, "onWarning">,
): ToolDefinition[] {
  return definitions.map((definition) => {
    const report = (message: string) => onWarning?.({ tool: definition.name, message });
    return {
      ...definition,
      description: shortDescription(definition.description, report),
      inputSchema: geminiSchema(definition.inputSchema, report),
    };
  });
}
