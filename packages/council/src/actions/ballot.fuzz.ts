import * as fc from "fast-check";
import { withinCpuMs } from "../../../../test/cpu-time.ts";
import { ballotOf } from "./ballot.ts";
import { closestToAll } from "./similarity.ts";
import { type CompiledTools, compileTools, type ReadCall, readCall } from "./tools.ts";

/** Far above what bounded work takes on a busy machine. */
const MAX_CASE_MS = 2000;

const name = fc.constantFrom("cmd", "path", "code", "a", "__proto__", "");
const text = fc.oneof(
  { weight: 60, arbitrary: fc.string({ maxLength: 30 }) },
  {
    weight: 60,
    arbitrary: fc.constantFrom("ls -l -a", "rm 'a", '{"a":1}', "$(x)", "a\n\tb", "\u0000", "=", "~"),
  },
  // Few are long: one of them takes as long as hundreds of the others, in each pair that it is in.
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom("'", '"', "\\", " -a", "{", "\n"), fc.nat(5000))
      .map(([one, times]) => one.repeat(times)),
  },
);
const value = fc.oneof(
  { depthSize: "small" },
  text,
  fc.jsonValue({ maxDepth: 3 }),
  fc.dictionary(name, text, { maxKeys: 3 }),
);
const input = fc.oneof(
  { weight: 4, arbitrary: fc.dictionary(name, value, { maxKeys: 2 }) },
  { weight: 1, arbitrary: fc.dictionary(name, value, { maxKeys: 5 }) },
);
const property = fc.constantFrom<unknown>(
  {},
  { type: "string" },
  { default: "a" },
  { type: ["string", "null"] },
  { enum: ["a", "b"] },
  { anyOf: [{ type: "string" }, { type: "null" }] },
  { type: "object", properties: { a: { default: null } } },
);
const schema = fc
  .dictionary(name, property, { maxKeys: 4 })
  .map((properties) => ({ type: "object", properties }));

/** An input is one case, and so are two that fit the schema, in each order. */
const cases = { count: 0 };

export default [
  {
    cases,
    name: "ballots: the order of keys, of calls and the layout of arguments make no difference; another name always does",
    property: fc.property(
      schema,
      fc.uniqueArray(input, { minLength: 2, maxLength: 16, selector: (one) => JSON.stringify(one) }),
      (inputSchema, inputs) => {
        const tools = compileTools([
          { name: "t", inputSchema },
          { name: "u", inputSchema },
        ]);
        const valid = inputs.flatMap((one) => within(() => callsOf(one, tools)) ?? []);
        for (const first of valid)
          for (const second of valid) if (first !== second) within(() => compare(first, second));
      },
    ),
  },
];

interface Calls {
  readonly plain: ReadCall;
  /** With its keys in reverse, and laid out differently. */
  readonly reordered: ReadCall;
  /** The same of another tool. */
  readonly other: ReadCall;
  /** The keys of the first and of the last, alone. */
  readonly keys: readonly [string, string];
}

/** The same arguments in several ways; undefined: they do not fit the schema, in none of them. */
function callsOf(input: object, tools: CompiledTools): Calls | undefined {
  const call = (name: string, text: string) => readCall({ id: "1", name, input: text }, tools);
  const plain = call("t", JSON.stringify(input));
  const reversed = Object.fromEntries(Object.entries(input).toReversed());
  const reordered = call("t", JSON.stringify(reversed, null, 2));
  const other = call("u", JSON.stringify(input));
  if ("rule" in plain !== "rule" in reordered) throw new Error("the order of keys decides what is valid");
  if ("rule" in plain || "rule" in reordered || "rule" in other) return undefined;
  const keys = [ballotOf([plain], {}).key, ballotOf([other], {}).key] as const;
  if (keys[0] !== ballotOf([reordered], {}).key) throw new Error("order or layout counts");
  if (keys[0] === keys[1]) throw new Error("two tools are one vote");
  return { plain, reordered, other, keys };
}

function compare({ plain, reordered, keys }: Calls, { other, keys: others }: Calls): void {
  const [one, two] = [ballotOf([plain, other], {}), ballotOf([other, reordered], {})];
  if (one.key !== two.key || one.skeleton !== two.skeleton) throw new Error("the order of calls counts");
  if (one.texts.length !== two.texts.length) throw new Error("equal skeletons have different texts");
  closestToAll([one.texts, two.texts]);
  if (keys[0] === others[1]) throw new Error("two tools are one vote");
}

function within<T>(work: () => T): T {
  cases.count += 1;
  return withinCpuMs(MAX_CASE_MS, work);
}
