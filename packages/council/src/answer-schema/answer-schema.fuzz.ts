import * as fc from "fast-check";
import { Cases } from "../../../../test/cases.ts";
import { withinCpuMs } from "../../../../test/cpu-time.ts";
import { compileAnswerSchema } from "./compile.ts";
import { SchemaError } from "./inline.ts";

/** Far above what bounded work takes on a busy machine; without limits one case takes minutes. */
const MAX_CASE_MS = 2000;

const name = fc.constantFrom("a", "b", "items", "required", "__proto__", "");
const pattern = fc
  .array(
    fc.constantFrom(
      "a",
      "(",
      ")",
      "+",
      "*",
      "?",
      "|",
      "{60}",
      "{1,9}",
      "(a|a)",
      "\\1",
      "^",
      "$",
      "[a-z]",
      "(?=",
      ".",
      "\\d",
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

/** Leaves only: a request has a limit, and branches of branches would exceed it. */
const manyBranches = fc
  .tuple(
    fc.constantFrom<object>({ type: "null" }, { required: ["k"] }, { pattern: "(a|a){60}b" }),
    fc.constantFrom(20, 500),
  )
  .map(([one, times]) => Array(times).fill(one));

/** Schemas as a hostile caller might write them: also malformed, with many alternatives and slow patterns. */
const schema = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<unknown>(true, false, {}, { type: "string" }, { $ref: "#/$defs/a" }),
    fc.record(
      {
        type: fc.constantFrom("string", "number", "object", "array", ["string", "null"], "any"),
        pattern,
        format: fc.constantFrom("uri", "email", "date-time", "hostname", "duration", "x"),
        maxLength: fc.oneof(fc.nat(3000), fc.constant("1")),
        uniqueItems: fc.boolean(),
        enum: fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 3 }),
        required: fc.array(name, { maxLength: 3 }),
        properties: fc.dictionary(name, tie("schema"), { maxKeys: 3 }),
        additionalProperties: tie("schema"),
        propertyNames: tie("schema"),
        items: fc.oneof(tie("schema"), fc.array(tie("schema"), { maxLength: 2 })),
        contains: tie("schema"),
        allOf: fc.array(tie("schema"), { maxLength: 3 }),
        oneOf: fc.array(tie("schema"), { maxLength: 3 }),
        anyOf: fc.oneof(
          { weight: 9, arbitrary: fc.array(tie("schema"), { maxLength: 3 }) },
          { weight: 1, arbitrary: manyBranches },
        ),
      },
      { requiredKeys: [] },
    ),
  ),
})).schema;

const text = fc
  .tuple(fc.constantFrom("a", "1", ":", "a.", " "), fc.integer({ min: 0, max: 3000 }))
  .map(([unit, count]) => `${unit.repeat(count)}!`);
/** Few are large: one of a megabyte takes as long as thousands of small ones. */
const value = fc.oneof(
  { weight: 400, arbitrary: fc.jsonValue({ maxDepth: 3, depthSize: "small" }) },
  {
    weight: 100,
    arbitrary: fc.constantFrom("", "a", "1", "a!", "2026-11-18", "a@b.example", 0, 1, null, true),
  },
  { weight: 10, arbitrary: text },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.jsonValue({ maxDepth: 1 }), fc.nat(3000))
      .map(([one, count]) => Array(count).fill(one)),
  },
  { weight: 1, arbitrary: fc.tuple(text, fc.nat(300)).map(([one, count]) => Array(count).fill(one)) },
);

const cases = new Cases();

/** Throws if the work is slow, or fails in another way than a refusal does; undefined: it was refused. */
function within<T>(work: () => T): T | undefined {
  try {
    return withinCpuMs(MAX_CASE_MS, work);
  } catch (error) {
    if (error instanceof SchemaError) return undefined;
    throw error;
  }
}

export default [
  {
    cases,
    name: "answer schemas: any schema is refused or used, and any answer is checked and counted in bounded time",
    property: fc.property(
      fc.dictionary(name, schema, { minKeys: 2, maxKeys: 4 }),
      schema,
      fc.array(value, { minLength: 10, maxLength: 40, size: "max" }),
      (properties, a, values) => {
        // One part that is refused refuses all: then each is tried alone.
        if (!tryAnswers(properties, a, values))
          for (const [name, one] of Object.entries(properties)) tryAnswers({ [name]: one }, a, values);
      },
    ),
  },
];

/** Whether the schema is used. Answers have each value alone, and with each of some others. */
function tryAnswers(
  properties: Readonly<Record<string, unknown>>,
  a: unknown,
  values: readonly unknown[],
): boolean {
  const compiled = within(() => compileAnswerSchema({ type: "object", properties, $defs: { a } }));
  if (compiled === undefined) {
    cases.count += 1;
    return false;
  }
  const { zod, key, label } = compiled;
  const [first = "", ...others] = Object.keys(properties);
  const alone = values.flatMap((value) => [first, ...others].map((name) => ({ [name]: value })));
  const together = values.flatMap((value) =>
    others.flatMap((name) => values.slice(0, 20).map((other) => ({ [first]: value, [name]: other }))),
  );
  for (const answer of cases.of([{}, ...alone, ...together]))
    within(() => zod.safeParse(answer).success && key(answer) + label(answer));
  return true;
}
