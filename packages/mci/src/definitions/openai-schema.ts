import type { DefinitionOptions } from "../client/client-options.ts";
import type { ToolDefinition } from "./definitions.ts";
import { isSchema, type JsonSchema, mapSchemas, withNote } from "./json-schema.ts";
import type { NameRule } from "./names.ts";
import { strictSchema } from "./openai-strict.ts";
import type { ObjectSchema } from "./root-object.ts";
import { shortDescription } from "./short-description.ts";

/** The fields of a function as both APIs of OpenAI know them. */
export interface OpenAiDefinition {
  name: string;
  description: string;
  parameters: ObjectSchema;
  strict: boolean;
}

/** "Invalid 'tools': array too long … maximum length 128". */
const MAX_TOOLS = 128;

/** The Agents SDK writes "_" for every character that is not a letter or digit. */
export const OPENAI_AGENTS_NAME: NameRule = { refused: /[^a-zA-Z0-9_]+/g, maxLength: 64, fallback: "tool" };

export function openAiDefinitions(
  definitions: readonly ToolDefinition[],
  { onWarning, strict = false }: Pick<DefinitionOptions, "onWarning"> & { readonly strict?: boolean },
): OpenAiDefinition[] {
  if (definitions.length > MAX_TOOLS) {
    const message = `OpenAI takes at most ${MAX_TOOLS} tools, and these are ${definitions.length}: use a filter`;
    onWarning?.({ tool: definitions[MAX_TOOLS]!.name, message });
  }
  return definitions.map(({ name, description, inputSchema }) => {
    const report = (message: string) => onWarning?.({ tool: name, message });
    const parameters = withoutRefused(inputSchema);
    const closed = strict ? strictSchema(parameters) : undefined;
    if (strict && closed === undefined) report("the schema has no strict form, and is sent as it is");
    return {
      name,
      description: shortDescription(description, report),
      parameters: closed ?? parameters,
      // Explicit: the Responses API uses strict schemas by default.
      strict: closed !== undefined,
    };
  });
}

/** Patterns with lookaround and `propertyNames` are refused. The description says what they said. */
function withoutRefused(schema: ObjectSchema): ObjectSchema {
  return mapSchemas(schema, ({ propertyNames, ...rest }) => {
    let result: JsonSchema = rest;
    const { pattern, ...open } = rest;
    if (typeof pattern === "string" && /\(\?<?[=!]/.test(pattern))
      result = withNote(open, `must match ${pattern}`);
    if (isSchema(propertyNames) && Object.keys(propertyNames).length > 0)
      result = withNote(result, `names must fit ${JSON.stringify(propertyNames)}`);
    return result;
  }) as ObjectSchema;
}
