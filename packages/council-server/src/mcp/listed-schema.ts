import { z } from "zod";

type JsonSchema = Record<string, unknown>;

/**
 * The JSON Schema of a tool as clients get it. Every model that has the tools reads it with each request, so it is short: named schemas
 * stand where they are used (clients drop a `$ref` at the root), what only says "anything" and bounds of length are left out, and of a
 * description stay the first sentence and the default. `/openapi.json` has all of it, and what a client sends is checked against all of it.
 */
export function listedSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: "any", metadata: UNNAMED });
  // Only the root needs properties where it has none.
  return { type: "object", properties: {}, ...shorten(json as JsonSchema) };
}

/** Descriptions without the names that would make a schema a reference. */
const UNNAMED = {
  get(schema: z.ZodType) {
    const { id: _, ...rest } = z.globalRegistry.get(schema) ?? {};
    return rest;
  },
} as unknown as typeof z.globalRegistry;

function shorten(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
      if (SAYS_NOTHING[keyword]?.(value)) return [];
      if (keyword === "properties")
        return [
          [
            keyword,
            Object.fromEntries(
              Object.entries(value as JsonSchema).map(([name, property]) => [
                name,
                shorten(property as JsonSchema),
              ]),
            ),
          ],
        ];
      if (keyword === "anyOf" || keyword === "oneOf")
        return [["anyOf", (value as JsonSchema[]).map((branch) => shorten(branch))]];
      if (keyword === "items") return [[keyword, shorten(value as JsonSchema)]];
      if (keyword === "const") return [["enum", [value]]];
      if (keyword === "description") return [[keyword, shortDescription(value as string)]];
      return [[keyword, value]];
    }),
  );
}

/** The first sentence, and those that begin with "Default". */
function shortDescription(text: string): string {
  const [first, ...more] = text.split(/(?<=\.) /);
  return [first, ...more.filter((sentence) => sentence.startsWith("Default"))].join(" ");
}

const isEmpty = (value: unknown) =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0;

const SAYS_NOTHING: Readonly<Record<string, (value: unknown) => boolean>> = {
  propertyNames: () => true,
  properties: isEmpty,
  minLength: () => true,
  maxLength: () => true,
  minItems: () => true,
  maxItems: () => true,
  format: (value) => value === "uri",
  additionalProperties: isEmpty,
  maximum: (value) => value === Number.MAX_SAFE_INTEGER,
  minimum: (value) => value === Number.MIN_SAFE_INTEGER,
};
