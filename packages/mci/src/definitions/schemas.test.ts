import { expect, test } from "vitest";
import {
  checkAnthropicSchema,
  checkGeminiSchema,
  checkOpenAiSchema,
} from "../../../../examples/agents/local-model/schema-rules.ts";
import { geminiSchema } from "./gemini-schema.ts";
import { strictSchema } from "./openai-strict.ts";
import { portableSchema } from "./portable-schema.ts";
import { rootObject } from "./root-object.ts";

const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });
const property = (schema: unknown) => portableSchema(object({ x: schema }))["properties"];

test.each([
  ["nullable", { type: "string", nullable: true }, { type: ["string", "null"] }],
  [
    "nullable with enum",
    { type: "string", enum: ["a"], nullable: true },
    { type: ["string", "null"], enum: ["a", null] },
  ],
  ["true", true, {}],
  ["false", false, { not: {} }],
  ["an array without items", { type: "array" }, { type: "array", items: {} }],
  [
    "a tuple of draft 7",
    { type: "array", items: [{ type: "string" }], additionalItems: false },
    { type: "array", prefixItems: [{ type: "string" }], items: {}, maxItems: 1 },
  ],
  [
    "exclusiveMinimum of draft 4",
    { type: "number", minimum: 0, exclusiveMinimum: true },
    { type: "number", exclusiveMinimum: 0 },
  ],
  [
    "duplicates",
    object({ a: {} }, { required: ["a", "a", "b"] }),
    object({ a: {}, b: {} }, { required: ["a", "b"] }),
  ],
  ["a reference that does not resolve", { $ref: "#/nowhere" }, {}],
  ["words of OpenAPI", { type: "string", example: "a", readOnly: true }, { type: "string" }],
])("%s takes a form that every provider reads [A-definitions]", (_, schema, expected) => {
  expect(property(schema)).toEqual({ x: expected });
});

test("references are written out, with what stands beside them; cycles stay references [A-definitions]", () => {
  const schema = object(
    { a: { $ref: "#/$defs/leaf", description: "own" }, t: { $ref: "#/$defs/tree" } },
    {
      $defs: {
        leaf: { type: "string", description: "shared" },
        tree: object({ next: { $ref: "#/$defs/tree" } }),
      },
    },
  );
  expect(portableSchema(schema)).toEqual({
    ...object({ a: { type: "string", description: "own" }, t: object({ next: { $ref: "#/$defs/tree" } }) }),
    $defs: { tree: object({ next: { $ref: "#/$defs/tree" } }) },
  });
});

test("a choice at the root becomes one object, and says so [A-definitions]", () => {
  const losses: string[] = [];
  const schema = {
    oneOf: [
      object({ id: {} }, { required: ["id"] }),
      object({ name: {}, id: {} }, { required: ["name", "id"] }),
    ],
  };
  expect(rootObject(portableSchema(schema), (loss) => losses.push(loss))).toEqual({
    ...object({ id: {}, name: {} }),
    required: ["id"],
    description: "Give one of: id; or name, id.",
  });
  expect(losses).toHaveLength(1);
});

test("a hostile schema costs neither the stack nor the memory [A-definitions]", () => {
  let deep: object = { type: "string" };
  for (let level = 0; level < 5000; level++) deep = object({ x: deep });
  const wide = { $defs: {} as Record<string, object>, ...object({ a: { $ref: "#/$defs/d0" } }) };
  for (let level = 0; level < 30; level++)
    wide.$defs[`d${level}`] = object({
      l: { $ref: `#/$defs/d${level + 1}` },
      r: { $ref: `#/$defs/d${level + 1}` },
    });
  wide.$defs["d30"] = { type: "string" };
  for (const schema of [deep, wide]) {
    const losses = new Set<string>();
    const portable = portableSchema(schema, (loss) => losses.add(loss));
    expect(JSON.stringify(portable).length).toBeLessThan(3_000_000);
    expect(losses.size).toBeGreaterThan(0);
  }
});

const SCHEMAS: readonly (readonly [string, object])[] = [
  ["nothing", {}],
  [
    "a plain object",
    object(
      { a: { type: "string", format: "uri", minLength: 1 }, b: { type: "integer", default: 1 } },
      { required: ["a"] },
    ),
  ],
  [
    "a root reference",
    { $ref: "#/$defs/node", $defs: { node: object({ child: { $ref: "#/$defs/node" } }) } },
  ],
  [
    "allOf and anyOf",
    {
      allOf: [
        object({ a: { const: 1 } }),
        { anyOf: [object({ b: { enum: ["x", 1, null] } }), { type: "null" }] },
      ],
    },
  ],
  [
    "maps and patterns",
    object({
      m: { type: "object", additionalProperties: { type: "number" }, propertyNames: { pattern: "^(?=a)" } },
    }),
  ],
  ["if and not", { ...object({ a: { not: { type: "null" } } }), if: {}, else: {}, not: { required: ["z"] } }],
];

test.each(SCHEMAS)("%s is accepted by every provider [A-definitions]", (_, schema) => {
  const root = rootObject(portableSchema(schema));
  checkAnthropicSchema("tools.0", root);
  const gemini = geminiSchema(root);
  checkGeminiSchema("tools[0]", gemini);
  checkOpenAiSchema("t", gemini, false);
  const strict = strictSchema(root);
  if (strict !== undefined) checkOpenAiSchema("t", strict, true);
});

test("strict schemas close objects and make optional properties nullable; what has no strict form stays open [A-definitions]", () => {
  const schema = rootObject(
    portableSchema(
      object({ a: { type: "string" }, b: { type: "string", enum: ["x"] } }, { required: ["a"] }),
    ),
  );
  expect(strictSchema(schema)).toEqual({
    ...object({ a: { type: "string" }, b: { type: ["string", "null"], enum: ["x", null] } }),
    required: ["a", "b"],
    additionalProperties: false,
  });
  const map = rootObject(portableSchema(object({ m: { type: "object", additionalProperties: true } })));
  expect(strictSchema(map)).toBeUndefined();
});
