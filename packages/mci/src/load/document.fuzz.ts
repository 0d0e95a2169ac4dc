import fc from "fast-check";
import { stringify } from "yaml";
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

export default [
  {
    name: "any document loads, or is an MCIClientError that names problems",
    property: fc.asyncProperty(document, async (data) => {
      try {
        await loadDocument(data, { env: {}, unknownKeys: "warn" });
      } catch (error) {
        if (!(error instanceof MCIClientError)) throw error;
      }
    }),
  },
  {
    name: "a document says the same in JSON and in YAML",
    property: fc.asyncProperty(document, async (given) => {
      const data = JSON.parse(JSON.stringify(given)) as unknown; // Without -0.
      const [json, yaml] = [
        JSON.stringify(data),
        stringify(data, { version: "1.2", compat: null, aliasDuplicateObjects: false }),
      ];
      // In YAML a key of this name means something else; the writer does not quote it.
      fc.pre(!/^[\s-]*<<:/m.test(yaml));
      const [fromJson, fromYaml] = await Promise.all([outcome(json, "json"), outcome(yaml, "yaml")]);
      const [a, b] = [JSON.stringify(fromJson), JSON.stringify(fromYaml)];
      if (a !== b) throw new Error(`JSON: ${a}\nYAML: ${b}\n${yaml}`);
    }),
  },
  {
    name: "a damaged text is a document or an error with its place, in JSON and in YAML",
    property: fc.asyncProperty(
      document,
      fc.constantFrom<"json" | "yaml">("json", "yaml"),
      fc.nat(),
      fc.nat({ max: 20 }),
      fc.oneof(
        fc.constantFrom(
          "{",
          "}",
          "[",
          "]",
          ":",
          ",",
          '"',
          "'",
          "\n",
          "\t",
          "&a ",
          "*a",
          "<<: ",
          "- ",
          "|",
          "\0",
        ),
        fc.string({ maxLength: 5 }),
      ),
      async (data, format, at, length, inserted) => {
        const text = format === "json" ? JSON.stringify(data, null, 1) : stringify(data);
        const start = at % (text.length + 1);
        await outcome(text.slice(0, start) + inserted + text.slice(start + length), format);
      },
    ),
  },
];
