import fc from "fast-check";
import { stringify } from "yaml";
import { Cases } from "../../../../test/cases.ts";
import { cpuMs } from "../../../../test/cpu-time.ts";
import { MCIClientError } from "../errors.ts";
import { inputSchemas } from "../lint/parse-lenient.ts";
import { loadDocument } from "./load.ts";
import { parseSource } from "./parse/parse.ts";
import { validateDocument } from "./validate/document.ts";
import { checkInputSchemas } from "./validate/input-schema.ts";

/** Far above what linear work takes on a busy machine. */
const MAX_MS = 4000;

const template = fc
  .array(
    fc.constantFrom(
      "{{",
      "}}",
      "{!!",
      "!!}",
      "props.a",
      "env.B",
      "|",
      "'x'",
      "@if(",
      ")",
      "@endif",
      "@{{",
      " ",
      "a",
    ),
    {
      maxLength: 8,
    },
  )
  .map((parts) => parts.join(""));
const anything = fc.jsonValue({ maxDepth: 3 });
const orAnything = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 6, arbitrary }, { weight: 1, arbitrary: anything });
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constant(2 ** 60),
);

const property = orAnything(
  fc.record(
    {
      type: fc.constantFrom("string", "integer", "any", "strin", ["string", "null"]),
      pattern: fc.constantFrom("(?i)x", "(", "(?<=a)b", "^a+$", "(a+)+\\1"),
      exclusiveMinimum: fc.oneof(fc.boolean(), fc.integer()),
      nullable: fc.boolean(),
      required: fc.boolean(),
      default: fc.oneof(anything, number),
    },
    { requiredKeys: [] },
  ),
);
const execution = fc.oneof(
  fc.record({ type: fc.constant("text"), text: orAnything(template) }),
  fc.record({ type: fc.constant("file"), path: orAnything(template) }),
  fc.record({
    type: fc.constant("cli"),
    command: orAnything(fc.oneof(template, fc.constant("sh -c 'a | b'"))),
    args: orAnything(fc.array(fc.oneof(template, number), { maxLength: 3 })),
    flags: orAnything(fc.dictionary(fc.constantFrom("--x", "-y"), orAnything(template), { maxKeys: 2 })),
  }),
  fc.record({
    type: fc.constant("http"),
    url: orAnything(template.map((rest) => `https://x.example/${rest}`)),
    params: orAnything(
      fc.dictionary(fc.string({ maxLength: 4 }), fc.oneof(template, number), { maxKeys: 2 }),
    ),
    body: orAnything(
      fc.record({ type: fc.constantFrom("json", "form", "raw"), content: fc.oneof(template, anything) }),
    ),
  }),
);
const tool = orAnything(
  fc.record({
    name: orAnything(fc.constantFrom("a", "b", "two words", "__proto__", "")),
    inputSchema: orAnything(
      fc.record({ properties: fc.dictionary(fc.constantFrom("a", "b c", "__proto__"), property) }),
    ),
    execution: orAnything(execution),
  }),
);
const document = fc.record({
  schemaVersion: orAnything(fc.constant("1.0")),
  tools: orAnything(fc.array(tool, { maxLength: 3 })),
});
/** The smallest document with an execution and a property. It is read in a fraction of the time. */
const smallest = (execution: unknown, property: unknown) => ({
  schemaVersion: "1.0",
  tools: [{ name: "a", inputSchema: { properties: { a: property } }, execution }],
});
/** Several documents: one, the same file with each of some tools, and the smallest with each of some executions and each of some properties. */
const documents = fc
  .tuple(
    document,
    fc.array(tool, { minLength: 2, maxLength: 4 }),
    fc.array(orAnything(execution), { minLength: 12, maxLength: 16, size: "max" }),
    fc.array(property, { minLength: 12, maxLength: 16, size: "max" }),
  )
  .map(([one, tools, executions, properties]) => [
    one,
    ...tools.map((tool) => ({ ...one, tools: [tool] })),
    ...executions.flatMap((execution) => properties.map((property) => smallest(execution, property))),
  ]);
const damage = fc.record({
  at: fc.nat(),
  length: fc.nat({ max: 20 }),
  inserted: fc.oneof(
    fc.constantFrom(..."{}[]:,\"'\n\t|\0", "&a ", "*a", "<<: ", "- "),
    fc.string({ maxLength: 5 }),
  ),
});

/** What a text says, or the error with its problems; any other error, and a slow one, is a failure. */
async function outcome(text: string, format: "json" | "yaml"): Promise<unknown> {
  const start = cpuMs();
  const result = await read(text, format);
  const took = cpuMs() - start;
  if (took > MAX_MS) throw new Error(`took ${Math.round(took)} ms`);
  return result;
}

async function read(text: string, format: "json" | "yaml"): Promise<unknown> {
  try {
    const parsed = await parseSource({ file: `x.${format}`, path: `/x.${format}`, format, text });
    await checkInputSchemas(parsed, { tools: inputSchemas(parsed.data) });
    return (await validateDocument(parsed, { unknownKeys: "warn" })).document;
  } catch (error) {
    if (!(error instanceof MCIClientError)) throw error;
    if (error.problems.length === 0) throw new Error(`no problem is named: ${error.message}`);
    return error.problems
      .map(({ message, path }) => `${path}: ${message.replace(/ on lines? \d+/, "")}`)
      .sort();
  }
}

const cases = { loaded: new Cases(), compared: new Cases(), damaged: new Cases() };

export default [
  {
    cases: cases.loaded,
    name: "any document loads, or is an MCIClientError that names problems",
    property: fc.asyncProperty(documents, async (all) => {
      for (const data of cases.loaded.of(all)) {
        try {
          await loadDocument(data, { env: {}, unknownKeys: "warn" });
        } catch (error) {
          if (!(error instanceof MCIClientError)) throw error;
        }
      }
    }),
  },
  {
    cases: cases.compared,
    name: "a document says the same in JSON and in YAML",
    property: fc.asyncProperty(documents, async (all) => {
      const yamlOf = (data: unknown) =>
        stringify(data, { version: "1.2", compat: null, aliasDuplicateObjects: false });
      // Without -0; and in YAML a key of this name means something else; the writer does not quote it.
      const usable = all
        .map((data) => JSON.parse(JSON.stringify(data)) as unknown)
        .map((data) => ({ json: JSON.stringify(data), yaml: yamlOf(data) }))
        .filter(({ yaml }) => !/^[\s-]*<<:/m.test(yaml));
      for (const { json, yaml } of cases.compared.of(usable)) {
        const [fromJson, fromYaml] = await Promise.all([outcome(json, "json"), outcome(yaml, "yaml")]);
        const [a, b] = [JSON.stringify(fromJson), JSON.stringify(fromYaml)];
        if (a !== b) throw new Error(`JSON: ${a}\nYAML: ${b}\n${yaml}`);
      }
    }),
  },
  {
    cases: cases.damaged,
    name: "a damaged text is a document or an error with its place, in JSON and in YAML",
    property: fc.asyncProperty(
      fc.oneof(
        { weight: 1, arbitrary: document },
        { weight: 9, arbitrary: fc.tuple(execution, property).map((parts) => smallest(...parts)) },
      ),
      fc.constantFrom<"json" | "yaml">("json", "yaml"),
      fc.array(damage, { minLength: 10, maxLength: 40 }),
      async (data, format, damages) => {
        const text = format === "json" ? JSON.stringify(data, null, 1) : stringify(data);
        const damaged = damages.map(({ at, length, inserted }) => {
          const start = at % (text.length + 1);
          return text.slice(0, start) + inserted + text.slice(start + length);
        });
        for (const one of cases.damaged.of(damaged)) await outcome(one, format);
      },
    ),
  },
];
