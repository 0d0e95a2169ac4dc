import { expect, test } from "vitest";
import { compileAnswerSchema } from "../answer-schema/compile.ts";
import { textOfPattern } from "./pattern-text.ts";
import { placeholder } from "./placeholder.ts";

const object = (properties: Record<string, unknown>, more: object = {}) => ({
  type: "object",
  properties,
  ...more,
});

test.each<readonly [string, object]>([
  [
    "texts",
    object({
      a: { type: "string" },
      b: { type: "string", minLength: 30 },
      c: { type: "string", maxLength: 3 },
    }),
  ],
  [
    "numbers",
    object({
      a: { type: "number", minimum: 3 },
      b: { type: "integer", exclusiveMinimum: 3 },
      c: { type: "integer", maximum: -5 },
    }),
  ],
  [
    "steps",
    object({
      a: { type: "integer", minimum: 7, multipleOf: 5 },
      b: { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 },
    }),
  ],
  [
    "choices",
    object({
      a: { enum: ["x", "y"] },
      b: { const: 4 },
      c: { type: "boolean" },
      d: { type: ["string", "null"] },
    }),
  ],
  [
    "lists",
    object({
      a: { type: "array", items: { type: "integer" } },
      b: { type: "array", items: { type: "string" }, minItems: 3 },
    }),
  ],
  [
    "objects in objects",
    object({ a: object({ b: object({ c: { type: "string" } }, { required: ["c"] }) }) }, { required: ["a"] }),
  ],
  [
    "alternatives",
    object({
      a: { anyOf: [{ type: "integer" }, { type: "string" }] },
      b: { oneOf: [{ type: "null" }, object({})] },
    }),
  ],
  [
    "all of several",
    object({
      a: {
        allOf: [object({ x: { type: "string" } }, { required: ["x"] }), object({ y: { type: "integer" } })],
      },
    }),
  ],
  ["definitions", object({ a: { $ref: "#/$defs/A" } }, { $defs: { A: object({ n: { type: "number" } }) } })],
  ["required without a schema", { type: "object", required: ["a"] }],
  ["closed objects", object({ a: { type: "string" } }, { additionalProperties: false, required: ["a"] })],
  ...["date", "date-time", "time", "email", "uri", "uuid", "ipv4", "ipv6"].map(
    (format) => [`the format ${format}`, object({ a: { type: "string", format } })] as const,
  ),
  ...[
    "^[A-Z]{3}$",
    "^\\d{4}-\\d{2}-\\d{2}$",
    "^R-\\d+$",
    "^[a-z0-9-]+$",
    "^(?:EUR|USD)$",
    "^\\+?[1-9]\\d{1,14}$",
    "[^a]x*",
  ].map((pattern) => [`the pattern ${pattern}`, object({ a: { type: "string", pattern } })] as const),
])("[S-seed] placeholders fit a schema with %s", (_, schema) => {
  const { jsonSchema, zod } = compileAnswerSchema(schema);
  expect(zod.safeParse(placeholder(jsonSchema)).error).toBeUndefined();
});

test("[S-seed] a schema that asks for very much gets a bounded value", () => {
  const lists = Array.from({ length: 20 }).reduce<object>(
    (items) => ({ type: "array", minItems: 1_000_000_000, items }),
    { type: "string", minLength: 1_000_000_000 },
  );
  expect(JSON.stringify(placeholder(object({ lists }))).length).toBeLessThan(200_000);
  expect(textOfPattern("(((a{200}){200}){200}){200}").length).toBeLessThanOrEqual(2000);
  expect(textOfPattern("[a|)]{3}(?=x)(b|c))\\1(")).toBeTypeOf("string");
});
