import fc from "fast-check";
import { Cases } from "../../../../test/cases.ts";
import { cpuMs, withinCpuMs } from "../../../../test/cpu-time.ts";
import { MCIClientError } from "../errors.ts";
import { inputReader } from "./input.ts";

/** Far above what bounded work takes on a busy machine. */
const MAX_MS = 4000;
/** What takes longer reaches a limit of its schema; after so many of them, a schema's other inputs would only do the same. */
const SLOW = { ms: 5, inputs: 5 };

const NAMES = ["a", "b", "items", "required", "__proto__", ""];
const name = fc.constantFrom(...NAMES);
const pattern = fc
  .array(
    fc.constantFrom("a", "(", ")", "+", "*", "?", "|", "{1,9}", "\\1", "^", "$", "[a-z]", "(?=", ".", "\\d"),
    {
      maxLength: 12,
    },
  )
  .map((parts) => parts.join(""));

/** Schemas as a hostile server might write them: also malformed, recursive and composed ones. */
const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<unknown>(true, false, {}, { type: "string" }, { $async: true }, { $ref: "#" }),
    fc.record(
      {
        type: fc.constantFrom("string", "number", "object", "array", "any", ["string", "null"]),
        pattern,
        nullable: fc.boolean(),
        minimum: fc.integer(),
        exclusiveMinimum: fc.oneof(fc.boolean(), fc.integer()),
        uniqueItems: fc.boolean(),
        format: fc.constantFrom("url", "uri", "email", "date-time", "regex"),
        default: fc.jsonValue({ maxDepth: 2 }),
        required: fc.oneof(fc.boolean(), fc.array(name)),
        $ref: fc.constantFrom("#", "#/$defs/a", "#/properties/a", "#/%"),
        $async: fc.boolean(),
        properties: fc.dictionary(name, tie("schema"), { maxKeys: 3 }),
        patternProperties: fc.dictionary(pattern, tie("schema"), { maxKeys: 2 }),
        $defs: fc.dictionary(name, tie("schema"), { maxKeys: 2 }),
        items: fc.oneof(tie("schema"), fc.array(tie("schema"), { maxLength: 2 })),
        allOf: fc.array(tie("schema"), { maxLength: 3 }),
        anyOf: fc.array(tie("schema"), { maxLength: 3 }),
      },
      { requiredKeys: [] },
    ),
  ),
}));

const long = fc.tuple(fc.constantFrom("a", "1", ":", "a.", " "), fc.integer({ min: 0, max: 20_000 }));
/** Few are long: one of them takes as long as hundreds of the others. */
const value = fc.oneof(
  { weight: 20, arbitrary: fc.jsonValue({ maxDepth: 4, depthSize: "small" }) },
  { weight: 1, arbitrary: long.map(([unit, count]) => `${unit.repeat(count)}!`) },
);

const cases = new Cases();

/** What is expected is a value; slow work and other errors are failures. */
async function within<T>(work: () => T | Promise<T>): Promise<T | undefined> {
  const start = cpuMs();
  let result: T | undefined;
  try {
    result = await work();
  } catch (error) {
    if (!(error instanceof MCIClientError)) throw error;
  }
  const took = cpuMs() - start;
  if (took > MAX_MS) throw new Error(`took ${Math.round(took)} ms`);
  return result;
}

/** Each value under each of a few names, alone and with each of some others. */
const inputsOf = (values: readonly unknown[]) =>
  values.flatMap((value) =>
    NAMES.slice(0, 4).flatMap((key, index) => [
      { [key]: value },
      ...values.slice(0, 6).map((other) => ({ [key]: value, [NAMES[(index + 1) % NAMES.length]!]: other })),
    ]),
  );

export default [
  {
    cases,
    name: "any schema and input give an input or an MCIClientError, in bounded time",
    property: fc.asyncProperty(
      fc.dictionary(name, schema, { maxKeys: 3 }),
      schema.filter((value) => typeof value === "object"),
      fc.array(value, { minLength: 20, maxLength: 40, size: "max" }),
      async (properties, root, values) => {
        const inputSchema = { ...(root as object), properties };
        const reader = await within(() => inputReader({ name: "t", inputSchema }));
        if (reader === undefined) {
          cases.count += 1;
          return;
        }
        let slow = 0;
        for (const input of cases.of(inputsOf(values))) {
          const started = performance.now();
          try {
            withinCpuMs(MAX_MS, () => reader(input));
          } catch (error) {
            if (!(error instanceof MCIClientError)) throw error;
          }
          if (performance.now() - started > SLOW.ms) slow += 1;
          if (slow === SLOW.inputs) return;
        }
      },
    ),
  },
];
