import { isObject } from "@mci-ts/primitives/is-object";
import type { Tool } from "mci-ts";
import { listedSchema } from "mci-ts/authoring";
import { typeName } from "./type-name.ts";

export interface InputRow {
  /** `filter.status` and `items[].id` stand inside other properties. */
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly default?: unknown;
  readonly goes_to: readonly string[];
  readonly description: string;
}

export interface ToolInput {
  readonly rows: readonly InputRow[];
  /** What the schema says about the whole input, such as a choice between properties. */
  readonly note?: string;
}

/** Deeper properties are in the type of the one above them. */
const MAX_DEPTH = 4;
/** Rows of one tool; a schema of a large API has thousands. */
const MAX_ROWS = 500;

/** A row for each property, also of objects inside, with references and compositions written out. */
export function toolInput(tool: Tool, uses: ReadonlyMap<string, readonly string[]>): ToolInput {
  const isMcp = tool.execution.type === "mcp";
  // References are written out, and a choice at the root is one object with all properties.
  const { $schema: _, ...schema } = (tool.inputSchema ?? {}) as Record<string, unknown>;
  const root = listedSchema(schema, () => {});
  const rows = [...rowsOf(root, "", 0)].map((row) => {
    const isOuter = Object.hasOwn(root.properties, row.name);
    const goes_to = !isOuter ? [] : isMcp ? [`argument ${row.name}`] : (uses.get(row.name) ?? []);
    return { ...row, goes_to };
  });
  const left = rows.length - MAX_ROWS;
  const notes = [
    ...(typeof root["description"] === "string" ? [root["description"]] : []),
    ...(left > 0
      ? [`${left} more properties are not shown; 'mci list --verbose --format json' has them.`]
      : []),
  ];
  return { rows: rows.slice(0, MAX_ROWS), ...(notes.length > 0 && { note: notes.join(" ") }) };
}

function* rowsOf(schema: Record<string, unknown>, prefix: string, depth: number): Generator<InputRow> {
  const { properties, required } = schema;
  if (!isObject(properties)) return;
  const needed = Array.isArray(required) ? required : [];
  for (const [name, property] of Object.entries(properties)) {
    const own = isObject(property) ? property : {};
    const inner = depth < MAX_DEPTH ? innerObject(own) : undefined;
    yield {
      name: `${prefix}${name}`,
      type: typeName(own, inner === undefined),
      required: needed.includes(name),
      ...(own["default"] === undefined ? {} : { default: own["default"] }),
      goes_to: [],
      description: typeof own["description"] === "string" ? own["description"] : "",
    };
    if (inner !== undefined) yield* rowsOf(inner.schema, `${prefix}${name}${inner.step}`, depth + 1);
  }
}

/** An object, or the objects in a list, whose properties get rows of their own. */
function innerObject(
  schema: Record<string, unknown>,
): { readonly schema: Record<string, unknown>; readonly step: string } | undefined {
  if (isObject(schema["properties"])) return { schema, step: "." };
  const { items } = schema;
  return isObject(items) && isObject(items["properties"]) ? { schema: items, step: "[]." } : undefined;
}
