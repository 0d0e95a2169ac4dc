import * as fc from "fast-check";
import { Cases } from "../../../../test/cases.ts";
import { cpuMs } from "../../../../test/cpu-time.ts";
import { ballotOf } from "./ballot.ts";
import { closestToAll } from "./similarity.ts";
import { compileTools, readCall } from "./tools.ts";

/** Far above what bounded work takes on a busy machine. */
const MAX_CASE_MS = 2000;

const name = fc.constantFrom("cmd", "path", "code", "a", "__proto__", "");
const text = fc.oneof(
  { weight: 12, arbitrary: fc.string({ maxLength: 30 }) },
  {
    weight: 12,
    arbitrary: fc.constantFrom("ls -l -a", "rm 'a", '{"a":1}', "$(x)", "a\n\tb", "\u0000", "=", "~"),
  },
  // Long ones take long.
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
const input = fc.dictionary(name, value, { maxKeys: 5 });
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

const cases = new Cases();

export default [
  {
    cases,
    name: "ballots: the order of keys, of calls and the layout of arguments make no difference; another name always does",
    property: fc.property(schema, fc.array(input, { minLength: 2, maxLength: 7 }), (inputSchema, inputs) => {
      const tools = compileTools([
        { name: "t", inputSchema },
        { name: "u", inputSchema },
      ]);
      // Every pair of the inputs, in both orders.
      const pairs = inputs.flatMap((first, i) =>
        inputs.filter((_, j) => j !== i).map((second) => ({ first, second })),
      );
      for (const { first, second } of cases.of(pairs)) {
        const started = cpuMs();
        const call = (tool: string, given: string) => readCall({ id: "1", name: tool, input: given }, tools);
        const plain = call("t", JSON.stringify(first));
        const reordered = call(
          "t",
          JSON.stringify(Object.fromEntries(Object.entries(first).toReversed()), null, 2),
        );
        const other = call("u", JSON.stringify(second));
        if ("rule" in plain !== "rule" in reordered)
          throw new Error("the order of keys decides what is valid");
        if (!("rule" in plain) && !("rule" in reordered)) {
          if (ballotOf([plain], {}).key !== ballotOf([reordered], {}).key)
            throw new Error("order or layout counts");
          if (!("rule" in other)) {
            const [one, two] = [ballotOf([plain, other], {}), ballotOf([other, reordered], {})];
            if (one.key !== two.key || one.skeleton !== two.skeleton)
              throw new Error("the order of calls counts");
            if (one.texts.length !== two.texts.length)
              throw new Error("equal skeletons have different texts");
            closestToAll([one.texts, two.texts]);
            if (ballotOf([plain], {}).key === ballotOf([other], {}).key)
              throw new Error("two tools are one vote");
          }
        }
        const took = cpuMs() - started;
        if (took > MAX_CASE_MS) throw new Error(`took ${Math.round(took)} ms`);
      }
    }),
  },
];
