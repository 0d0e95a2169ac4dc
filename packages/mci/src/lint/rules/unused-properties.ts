import { isObject } from "@mci-ts/primitives/is-object";
import type { Diagnostic } from "../../load/diagnostics.ts";
import type { Tool } from "../../schema/tool.ts";
import type { JsonPath } from "../../template-api.ts";

/** Whole `props`, or a name that is only known in a call: any property may be meant. */
const WHOLE = /\b(?:props|input|properties)(?!\w)(?!\s*\.\s*\w)(?!\[\\?["'])/;

/**
 * A model is asked for a value, gives one, and nothing becomes of it. Only where all texts of a tool are in the file itself: a file
 * that is read, or a server, may use what it likes.
 */
export function unusedProperties(tool: Tool, place: JsonPath): readonly Diagnostic[] {
  const { inputSchema, execution, name: _, description: _about, annotations: _hints, ...rest } = tool;
  const properties = isObject(inputSchema) ? inputSchema.properties : undefined;
  if (!isObject(properties) || execution.type === "mcp" || execution.type === "file") return [];
  const text = JSON.stringify({ execution, ...rest });
  if (text.includes("@include") || WHOLE.test(text)) return [];
  return Object.keys(properties)
    .filter((name) => !isIn(text, name))
    .map((name) => ({
      severity: "warning",
      place: [...place, "inputSchema", "properties", name],
      message: `Callers are asked for '${name}', and nothing uses it`,
      hint: `use it ({{props.${name}}}), or remove it from inputSchema`,
    }));
}

/** As a word, wherever: a language may have more ways to say it than are known here. */
function isIn(text: string, name: string): boolean {
  const written = JSON.stringify(name).slice(1, -1);
  if (!/^\w+$/.test(name)) return text.includes(written);
  return new RegExp(`(?<!\\w)${written}(?!\\w)`).test(text);
}
