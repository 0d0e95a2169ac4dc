import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import jmespath from "jmespath";
import { cpuMs } from "../../../../../test/cpu-time.ts";
import { ExpressionLimitError } from "./budget.ts";
import { compileExpression } from "./compile.ts";

const LIMITS = { maxSteps: 20_000, maxBytes: 100_000 };
/** Far more than the limits allow on a slow machine; without limits one case takes minutes. */
const MAX_CASE_MS = 2000;

const name = fc.constantFrom("a", "b", "c", '"a b"');
const functions = fc.constantFrom(
  ...[
    "length",
    "keys",
    "values",
    "sort",
    "reverse",
    "to_string",
    "to_array",
    "type",
    "sum",
    "max",
    "min",
    "not_null",
    "abs",
  ],
);
const binary = fc.constantFrom("==", "!=", "<", "<=", ">", ">=", "&&", "||", "|");

/** Expressions of any shape: most can be parsed, some double their value many times. */
const expression = fc.letrec<{ one: string }>((tie) => ({
  one: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    name,
    fc.constantFrom(
      "@",
      "*",
      "[]",
      "[*]",
      "[0]",
      "[-1]",
      "[1:]",
      "[::-1]",
      "'x'",
      "`[1, [2], null]`",
      '`{"a": 5}`',
    ),
    fc.tuple(tie("one"), binary, tie("one")).map(([a, op, b]) => `${a} ${op} ${b}`),
    fc
      .tuple(tie("one"), fc.constantFrom(".a", "[]", "[*]", "[0]", "[?a]", "[?@ == `1`]", ".*", "[::2]"))
      .map((parts) => parts.join("")),
    tie("one").map((one) => `[${one}, ${one}]`),
    fc.tuple(name, tie("one")).map(([key, one]) => `{${key}: ${one}}`),
    fc.tuple(functions, tie("one")).map(([f, one]) => `${f}(${one})`),
    fc
      .tuple(fc.constantFrom("sort_by", "max_by", "min_by"), tie("one"), tie("one"))
      .map(([f, a, b]) => `${f}(${a}, &${b})`),
    fc.tuple(tie("one"), tie("one")).map(([a, b]) => `map(&${a}, ${b})`),
    fc.tuple(tie("one"), tie("one")).map(([a, b]) => `contains(${a}, ${b})`),
    fc
      .tuple(tie("one"), fc.integer({ min: 2, max: 40 }))
      .map(([one, n]) => Array(n).fill(`(${one})`).join(" | ")),
    tie("one").map((one) => `(${one})`),
  ),
})).one;

const data: fc.Arbitrary<unknown> = fc
  .letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.integer({ min: -5, max: 20 }),
      fc.string({ maxLength: 5 }),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom("a", "b", "c", "a b"), tie("value"), { maxKeys: 3 }),
    ),
  }))
  .value.map((value) => JSON.parse(JSON.stringify(value)));

/** Where this evaluator follows the specification and the library does not. */
const DIFFERS = /[<>]|sort|max|min|contains|reverse/;

export default [
  {
    name: "JMESPath: any expression over any data ends within its limits",
    property: fc.property(expression, data, (source, value) => {
      const started = cpuMs();
      let result: unknown;
      try {
        result = compileExpression(source)(value, LIMITS);
      } catch (error) {
        // The library's parser fails with a TypeError at the end of some malformed sources.
        return error instanceof Error && cpuMs() - started < MAX_CASE_MS;
      }
      return (JSON.stringify(result) ?? "").length <= 2 * LIMITS.maxBytes && cpuMs() - started < MAX_CASE_MS;
    }),
  },
  {
    name: "JMESPath: what an expression gives is what the library gives",
    property: fc.property(
      expression.filter((source) => !DIFFERS.test(source) && !source.includes(") | (")),
      data,
      (source, value) => {
        let ours: unknown;
        try {
          ours = compileExpression(source)(value, LIMITS);
        } catch (error) {
          return error instanceof ExpressionLimitError || !evaluatesInLibrary(source, value);
        }
        return isDeepStrictEqual(ours ?? null, jmespath.search(value, source) ?? null);
      },
    ),
  },
];

function evaluatesInLibrary(source: string, value: unknown): boolean {
  try {
    return jmespath.search(value, source) !== undefined;
  } catch {
    return false;
  }
}
