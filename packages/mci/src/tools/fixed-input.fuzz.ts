import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { Cases } from "../../../../test/cases.ts";
import { MCIClientError } from "../errors.ts";
import { overrideTool } from "../load/overrides.ts";
import type { Tool } from "../schema/tool.ts";
import { fixedInput } from "./fixed-input.ts";
import { inputReader } from "./input.ts";

const NAMES = ["owner", "q", "debug", "__proto__", "constructor", ""];
const name = fc.constantFrom(...NAMES);
const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);
const record = fc.dictionary(name, json, { maxKeys: 5 }).map((value) => ({ ...value }));
const own = fc.record({ fixed: record, hidden: fc.array(name, { maxLength: 3 }), defaults: record });

const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<unknown>(true, false, {}, { type: "object" }, { $ref: "#/$defs/owner" }),
    fc.record(
      {
        properties: fc.dictionary(name, tie("schema"), { maxKeys: 3 }),
        patternProperties: fc.dictionary(fc.constantFrom("^o", "."), tie("schema"), { maxKeys: 1 }),
        additionalProperties: fc.oneof(fc.boolean(), tie("schema")),
        unevaluatedProperties: fc.boolean(),
        required: fc.array(name, { maxLength: 2 }),
        default: json,
        allOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
        anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
      },
      { requiredKeys: [] },
    ),
  ),
}));

/** Whether arguments have the fixed values, and under hidden names nothing that the caller gave. */
function holds(
  sent: Record<string, unknown>,
  given: Record<string, unknown>,
  fixed: object,
  hidden: Iterable<string>,
) {
  for (const [key, value] of Object.entries(fixed))
    if (!Object.hasOwn(sent, key) || !isDeepStrictEqual(sent[key], value)) return false;
  for (const key of hidden)
    if (!Object.hasOwn(fixed, key) && Object.hasOwn(sent, key) && sent[key] === given[key]) return false;
  return Object.getPrototypeOf(sent) === Object.prototype;
}

/** An object of its own for each value, so that it is found again wherever it goes. */
const marked = (names: readonly string[]) => Object.fromEntries(names.map((key) => [key, { caller: key }]));

/** Each choice of names that a caller may give, with several kinds of values. */
const CALLERS = Array.from({ length: 2 ** NAMES.length }, (_, bits) =>
  NAMES.filter((_, index) => (bits >> index) & 1),
).flatMap((names) => [
  marked(names),
  ...[(key: string) => `of the caller: ${key}`, (key: string) => [key], () => 8.5].map((value) =>
    Object.fromEntries(names.map((key) => [key, value(key)])),
  ),
]);

const inputs = new Cases();

export default [
  {
    name: "fixed values: they are sent, and hidden names are not the caller's, whatever a reader makes of the input",
    property: fc.property(record, own, record, fc.boolean(), (properties, values, invented, drops) => {
      const hidden = new Set([...values.hidden, ...Object.keys(values.fixed)]);
      const caller = marked(Object.keys(properties));
      // A reader that a hostile schema has under control: it drops all, or adds and replaces what it likes.
      const read = (merged: unknown) => ({
        props: drops ? { ...invented } : { ...(merged as object), ...invented },
        absent: new Set<string>(),
        ignored: [],
      });
      return holds(fixedInput(read, { ...values, hidden })(caller).props, caller, values.fixed, hidden);
    }),
  },
  {
    cases: inputs,
    name: "fixed values of real schemas: they are sent and not shown, or the call is refused",
    property: fc.asyncProperty(
      schema.filter((value) => typeof value === "object"),
      fc.dictionary(name, schema, { maxKeys: 2 }),
      fc.constantFrom<unknown>("acme-secret", { "acme-secret": 1 }, [["acme-secret"]]),
      async (root, $defs, value) => {
        const inputSchema = { ...(root as object), $defs } as Tool["inputSchema"];
        const tool: Tool = { name: "t", inputSchema, execution: { type: "text", text: "" } };
        const properties = { owner: { value }, debug: { hidden: true } };
        const { tool: shown, input } = overrideTool(tool, "t", { properties });
        if (JSON.stringify(shown).includes("acme-secret")) return false;
        const refused = (error: unknown): true => {
          if (!(error instanceof MCIClientError)) throw error;
          const text = `${error.message} ${JSON.stringify(error.problems)}`;
          if (text.includes("acme-secret")) throw new Error(`the error shows the fixed value: ${text}`);
          return true;
        };
        let reader: Awaited<ReturnType<typeof inputReader>>;
        try {
          reader = await inputReader(
            { name: "t", inputSchema: input!.schema },
            { schema: shown.inputSchema ?? {}, hidden: input!.hidden },
          );
        } catch (error) {
          inputs.count += 1;
          return refused(error);
        }
        const read = fixedInput(reader, input!);
        for (const caller of inputs.of(CALLERS)) {
          try {
            const { props } = read(caller);
            const isCallers =
              Object.hasOwn(caller, "debug") && isDeepStrictEqual(props["debug"], caller["debug"]);
            if (!holds(props, caller, input!.fixed, input!.hidden) || isCallers) return false;
          } catch (error) {
            refused(error);
            // It refers to itself without end, whatever the input.
            if (/Maximum call stack/.test(String(error))) break;
          }
        }
        return true;
      },
    ),
  },
];
