/** The part of JSON Schema that the form understands. Anything else is edited as JSON. */
export interface FormSchema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, FormSchema>>;
  readonly required?: readonly string[];
  readonly items?: FormSchema;
  readonly additionalProperties?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly nullable?: boolean;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, FormSchema>>;
}

export type FieldKind = "text" | "number" | "boolean" | "choice" | "object" | "list" | "json";

const MAX_DEPTH = 6;

/** How a value of this schema is edited. Deep or unusual schemas are edited as JSON. */
export function kindOf(schema: FormSchema, depth = 0): FieldKind {
  if (schema.const !== undefined) return "choice";
  if (schema.enum && schema.enum.length > 0 && schema.enum.length <= 500) return "choice";
  const type = typeOf(schema);
  if (type === "string") return "text";
  if (type === "number" || type === "integer") return "number";
  if (type === "boolean") return "boolean";
  if (depth >= MAX_DEPTH) return "json";
  if (type === "object" && schema.properties && Object.keys(schema.properties).length > 0) return "object";
  if (type === "array" && schema.items && typeof schema.items === "object") return "list";
  return "json";
}

/** The type without null; undefined where there are several. */
function typeOf({ type }: FormSchema): string | undefined {
  const types = (Array.isArray(type) ? type : [type]).filter((each) => each !== "null");
  return types.length === 1 ? (types[0] as string | undefined) : undefined;
}

/** Follows references inside the document, a few steps and no circles. */
export function resolveRef(schema: FormSchema, root: FormSchema): FormSchema {
  let current = schema;
  for (let step = 0; step < 8 && current.$ref?.startsWith("#/"); step++) {
    const target = current.$ref
      .slice(2)
      .split("/")
      .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[unescape_(key)], root);
    if (typeof target !== "object" || target === null) return {};
    current = target as FormSchema;
  }
  return current;
}

const unescape_ = (key: string) => decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~");

/** What the form starts with: defaults, and nothing else. */
export function initialValue(schema: FormSchema, root: FormSchema, depth = 0): unknown {
  const resolved = resolveRef(schema, root);
  if (resolved.default !== undefined) return resolved.default;
  if (resolved.const !== undefined) return resolved.const;
  if (kindOf(resolved, depth) !== "object") return undefined;
  const entries = Object.entries(resolved.properties ?? {}).map(
    ([name, property]) => [name, initialValue(property, root, depth + 1)] as const,
  );
  const filled = entries.filter(([, value]) => value !== undefined);
  return depth === 0 || filled.length > 0 ? Object.fromEntries(filled) : undefined;
}
