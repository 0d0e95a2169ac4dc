import { isObject } from "@mci-ts/primitives/is-object";
import { isNeverUsable } from "@mci-ts/primitives/linear-pattern";
import {
  dialectOf,
  isOlderDraft,
  type JsonSchema,
  mayNeedTranslation,
  SchemaLimitError,
  type SchemaNote,
  usableSchema,
} from "../../schema/json-schema/json-schema.ts";
import type { JsonPath } from "../../template-api.ts";
import type { Diagnostic } from "../diagnostics.ts";

/**
 * What the input schemas of a file say in another dialect, or in vain. Works on unvalidated data. Part of loading, so
 * that only what can be seen at once is reported: neither the validator nor RE2 is loaded.
 */
export function inputSchemaNotes(data: unknown): Diagnostic[] {
  const tools = isObject(data) && Array.isArray(data.tools) ? data.tools : [];
  return tools.flatMap((tool: unknown, index) => {
    if (!isObject(tool) || !isObject(tool.inputSchema)) return [];
    const schema = tool.inputSchema;
    if (!mayNeedTranslation(schema, isUsablePattern)) return [];
    const { $schema, ...source } = schema;
    const place = ["tools", index, "inputSchema"];
    try {
      const { notes } = usableSchema(source, { dialect: dialectOf(schema), isUsablePattern });
      return describeNotes(schema, notes, place);
    } catch (error) {
      if (error instanceof SchemaLimitError) return []; // An error of that tool, when it is called.
      throw error;
    }
  });
}

const isUsablePattern = (pattern: string) => !isNeverUsable(pattern);

/** A schema that names an older draft may use its keywords. */
export function describeNotes(
  schema: JsonSchema,
  notes: readonly SchemaNote[],
  place: JsonPath,
): Diagnostic[] {
  const isOlder = isOlderDraft(schema);
  return notes
    .filter(({ kind }) => kind === "ignored" || !isOlder)
    .map(({ path, message, hint }) => ({ place: [...place, ...path], severity: "warning", message, hint }));
}
