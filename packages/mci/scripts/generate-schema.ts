import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { toJSONSchema } from "zod";
import { document } from "../src/schema/document.ts";
import { about } from "../src/schema/fields.ts";

/*
 * Writes mci.schema.json from the schemas the loader checks files with:
 *
 *   node scripts/generate-schema.ts            writes the file
 *   node scripts/generate-schema.ts --check    fails if the committed file is another one
 */

const FILE = new URL("../mci.schema.json", import.meta.url);
const ID = "urn:mci:schema:1.0";

interface Json {
  [key: string]: unknown;
}

/** JSON Schema 2020-12 of an MCI file, as text. */
export function generateSchema(): string {
  const { $schema, $defs, ...rest } = toJSONSchema(document, {
    io: "input",
    metadata: about,
    // Examples show what an author writes, also where the loader then changes its form.
    override: ({ zodSchema, jsonSchema }) => {
      const { examples } = about.get(zodSchema) ?? {};
      if (examples) jsonSchema.examples = examples;
    },
  }) as Json;
  const oneSource = { anyOf: ["tools", "toolsets", "mcp_servers"].map(present) };
  const root = tidy({ ...rest, ...oneSource }) as Json;
  return `${print({ $schema, $id: ID, ...root, $defs: tidyAll($defs as Json) })}\n`;
}

/** Named, and not null: a file must hold at least one source of tools. */
const present = (key: string) => ({ required: [key], properties: { [key]: { not: { type: "null" } } } });

/** The same schema, as a person would write it. */
function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidy);
  if (typeof value !== "object" || value === null) return value;
  const { title, description, properties, examples, ...rest } = value as Json;
  const schema = tidyAll(rest);
  // Every name in JSON is a string, and "anything" needs no saying.
  if (isEqual(schema["propertyNames"], { type: "string" })) delete schema["propertyNames"];
  if (isEqual(schema["additionalProperties"], {})) delete schema["additionalProperties"];
  return withoutUndefined({
    title,
    description,
    ...joinNull(schema),
    ...(properties ? { properties: tidyAll(properties as Json) } : {}),
    ...(examples ? { examples } : {}),
  });
}

const tidyAll = (schemas: Json): Json =>
  Object.fromEntries(Object.entries(schemas).map(([key, schema]) => [key, tidy(schema)]));

/** `anyOf: [X, null]` as one schema, with the description where editors look for it. */
function joinNull(schema: Json): Json {
  const { anyOf, ...around } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || !isEqual(anyOf[1], NULL)) return schema;
  const { description, ...inner } = anyOf[0] as Json;
  const described = withoutUndefined({ description, ...around });
  if (Array.isArray(inner["anyOf"])) return { ...described, ...inner, anyOf: [...inner["anyOf"], NULL] };
  if (typeof inner["type"] !== "string") return { ...described, anyOf: [inner, NULL] };
  const { const: word, enum: words, ...plain } = inner;
  const values = word === undefined ? (words as unknown[] | undefined) : [word];
  return {
    ...described,
    ...plain,
    type: [inner["type"], "null"],
    ...(values && { enum: [...values, null] }),
  };
}

const NULL = { type: "null" };

const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

const withoutUndefined = (json: Json): Json =>
  Object.fromEntries(Object.entries(json).filter(([, value]) => value !== undefined));

/** JSON in lines of at most 110 characters: what fits on one line stands on one. `before` is what the line begins with. */
function print(value: unknown, indent = "", before = indent.length): string {
  const line = flat(value);
  // One more for the comma after it.
  if (typeof value !== "object" || value === null || before + line.length < 110) return line;
  const inner = `${indent}  `;
  if (Array.isArray(value))
    return `[\n${value.map((item) => `${inner}${print(item, inner)}`).join(",\n")}\n${indent}]`;
  const entries = Object.entries(value).map(([key, item]) => {
    const name = `${inner}${JSON.stringify(key)}: `;
    return `${name}${print(item, inner, name.length)}`;
  });
  return `{\n${entries.join(",\n")}\n${indent}}`;
}

function flat(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flat).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${flat(item)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const generated = generateSchema();
  if (!process.argv.includes("--check")) writeFileSync(FILE, generated);
  else if (readFileSync(FILE, "utf8") !== generated) {
    console.error("mci.schema.json is out of date. Run: node scripts/generate-schema.ts");
    process.exitCode = 1;
  }
}
