import fc from "fast-check";
import { Cases } from "../../../../test/cases.ts";
import { withinCpuMs } from "../../../../test/cpu-time.ts";
import { generateTypes } from "./generate.ts";

/** Far above what bounded work takes on a busy machine. */
const MAX_MS = 4000;

const name = fc.constantFrom("a", "b", "c", "two words", "__proto__", "*/", "\u2028", "");
const ref = fc.constantFrom(
  "#",
  "#/$defs/a",
  "#/$defs/b",
  "#/$defs/c",
  "#/properties/a",
  "#/$defs/%",
  "#d",
  "x.json",
);

/** Schemas as a hostile server might write them: cyclic, deep, malformed. */
const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<unknown>(true, false, {}, null, 5, { type: "string" }, { $ref: "#/$defs/a" }),
    fc.record(
      {
        $ref: ref,
        type: fc.constantFrom<unknown>("string", "object", "array", "odd", ["string", "null"], 5),
        description: name,
        nullable: fc.boolean(),
        const: fc.jsonValue({ maxDepth: 3 }),
        enum: fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 3 }),
        properties: fc.dictionary(name, tie("schema"), { maxKeys: 3 }),
        required: fc.array(name, { maxLength: 2 }),
        additionalProperties: tie("schema"),
        items: fc.oneof(tie("schema"), fc.array(tie("schema"), { maxLength: 2 })),
        prefixItems: fc.array(tie("schema"), { maxLength: 2 }),
        allOf: fc.array(tie("schema"), { maxLength: 2 }),
        anyOf: fc.array(tie("schema"), { maxLength: 2 }),
      },
      { requiredKeys: [] },
    ),
  ),
}));

export const hostileSchema = fc
  .tuple(schema, fc.dictionary(name, schema, { maxKeys: 3 }), fc.dictionary(name, schema, { maxKeys: 3 }))
  .map(([root, properties, $defs]) => ({ ...(root as object), properties, $defs }));

/** The schema and the objects in it: a hostile server might send each of them as a schema. */
function* parts(value: unknown): Generator<Readonly<Record<string, unknown>>> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield value as Record<string, unknown>;
  for (const inner of Object.values(value)) yield* parts(inner);
}
const MAX_PARTS = 40;

const cases = new Cases();

export default [
  {
    cases,
    name: "types: any schema, also with a chain of definitions, gives the same bounded text each time",
    property: fc.property(
      hostileSchema,
      fc.oneof(
        { weight: 8, arbitrary: fc.constant(0) },
        { weight: 2, arbitrary: fc.nat({ max: 9 }) },
        { weight: 1, arbitrary: fc.nat({ max: 60 }) },
      ),
      name,
      (schema, length, toolName) => {
        const chain = Object.fromEntries(
          Array.from({ length }, (_, index) => [`d${index}`, { $ref: `#/$defs/d${index + 1}` }]),
        );
        const $defs = { ...schema.$defs, ...chain };
        return [...cases.of(parts(schema).take(MAX_PARTS))].every((part) => {
          const inputSchema = { ...part, $defs, anyOf: [{ $ref: "#/$defs/d0" }] };
          const tools = [{ name: toolName, inputSchema, outputSchema: part }];
          const text = withinCpuMs(MAX_MS, () => generateTypes(tools, "x"));
          return text === generateTypes(tools, "x") && text.length < 5_000_000;
        });
      },
    ),
  },
];
