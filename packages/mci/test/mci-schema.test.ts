import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { generateSchema } from "../scripts/generate-schema.ts";
import { parseSource } from "../src/load/parse/parse.ts";
import { readSource } from "../src/load/read.ts";
import { validateDocument } from "../src/load/validate/document.ts";
import { ajv, committed, loads, schema, validate } from "./mci-schema-validator.ts";

const fixture = (name: string) => new URL(`fixtures/${name}`, import.meta.url);
describe("[F-json-schema] mci.schema.json", () => {
  test("is what the loader's own definitions generate", () => {
    expect(generateSchema()).toBe(committed);
  });

  test("is valid JSON Schema 2020-12, with an address of its own", () => {
    expect(schema).toMatchObject({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $id: expect.any(String),
    });
    expect(ajv.validateSchema(schema)).toBe(true);
  });

  test("forbids no unknown key anywhere, so that files of later versions pass", () => {
    expect(committed).not.toMatch(/"(additionalProperties|unevaluatedProperties)": false/);
  });

  test("describes every field, and names every variant", () => {
    const undescribed: string[] = [];
    const visit = (node: unknown, path: string): void => {
      if (typeof node !== "object" || node === null) return;
      // In a map of fields, `properties` is a field of that name.
      const { properties = {} } = path.endsWith(".properties") ? {} : (node as { properties?: object });
      for (const [name, field] of Object.entries(properties)) {
        // `type` is the name of its variant; a reference is described where it leads.
        const { $ref, anyOf, description } = field as {
          $ref?: string;
          anyOf?: { $ref?: string }[];
          description?: string;
        };
        const isTold = description ?? $ref ?? anyOf?.[0]?.$ref;
        if (isTold === undefined && name !== "type" && !path.includes(".anyOf"))
          undescribed.push(`${path}.${name}`);
      }
      for (const [key, value] of Object.entries(node)) if (key !== "examples") visit(value, `${path}.${key}`);
    };
    visit(schema, "$");
    expect(undescribed).toEqual([]);
    expect(Object.keys(schema.$defs)).toEqual(
      expect.arrayContaining([
        "tool",
        "httpExecution",
        "cliExecution",
        "fileExecution",
        "textExecution",
        "mcpExecution",
      ]),
    );
  });

  test("has examples that are valid by it, and that load", async () => {
    expect(schema.examples.every((example: unknown) => validate(example))).toBe(true);
    expect(await Promise.all(schema.examples.map(loads))).toEqual([true]);
    for (const [name, definition] of Object.entries<{ examples?: unknown[] }>(schema.$defs)) {
      const isValid = ajv.getSchema(`${schema.$id}#/$defs/${name}`)!;
      for (const example of definition.examples ?? [])
        expect(isValid(example), `${name}: ${JSON.stringify(example)}`).toBe(true);
    }
  });

  test.each(["every-shape.mci.json", "every-shape.mci.yaml"])(
    "[F-examples] %s loads and is valid by it",
    async (name) => {
      const text = readFileSync(fixture(name), "utf8");
      expect(validate(name.endsWith("json") ? JSON.parse(text) : parseYaml(text))).toBe(true);
      const parsed = await parseSource(await readSource(fixture(name)));
      const { problems } = await validateDocument(parsed, { unknownKeys: "error" });
      expect(problems).toEqual([]);
    },
  );

  test("[L-read] the JSON and the YAML of one document load the same", async () => {
    const [json, yaml] = await Promise.all(
      ["every-shape.mci.json", "every-shape.mci.yaml"].map(async (name) =>
        validateDocument(await parseSource(await readSource(fixture(name)))),
      ),
    );
    expect(yaml?.document).toEqual(json?.document);
    expect(json?.document.tools).toHaveLength(18);
  });
});
