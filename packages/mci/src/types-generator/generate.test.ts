import fc from "fast-check";
import { expect, test } from "vitest";
import { cpuMs } from "../../../../test/cpu-time.ts";
import { manyTools, tools } from "../../test/types-generator/sample-tools.ts";
import properties from "./generate.fuzz.ts";
import { generateTypes } from "./generate.ts";

test("types are written for inputs, outputs, odd names, unions and cycles, the same each time [A-types]", () => {
  const text = generateTypes(tools, "mci.json");
  expect(text).toBe(generateTypes(structuredClone(tools), "mci.json"));
  expect(text).toMatchInlineSnapshot(`
    "// The types of the tools in mci.json. Written by 'mci types'; run it again instead of editing this file.

    export interface Tools {
      /**
       * Weather of a city.
       * Without a unit: *\\/ Celsius.
       */
      "weather.get": { input: WeatherGetInput; output: WeatherGetOutput };
      tree: { input: TreeInput; output: unknown };
      ping: { input: { [name: string]: unknown }; output: unknown };
      "2nd-shape": { input: Tool2ndShapeInput; output: unknown };
    }

    export type WeatherGetInput = {
      /** Its name */
      city: string;
      "filter[unit]"?: "c" | "f" | null;
      days?: number;
      near?: (string | number)[];
    };

    export type WeatherGetOutput = {
      degrees: number;
    };

    export type TreeInput = {
      root: TreeInputNode;
    };

    export type TreeInputNode = {
      name: string;
      children?: TreeInputNode[];
    };

    export type Tool2ndShapeInput = {
      kind: "circle";
      r: number;
    } | {
      kind: "box";
      size?: [number?, ...unknown[]];
    };
    "
  `);
});

test("a thousand tools are written in acceptable time [A-types]", () => {
  const started = cpuMs();
  generateTypes(manyTools(1000), "mci.json");
  expect(cpuMs() - started).toBeLessThan(2000);
});

// A sample of what `npm run fuzz` tries for as long as it is told to.
test.each(properties)("$name [A-types]", ({ property }) => {
  fc.assert(property as fc.IProperty<unknown>, { numRuns: 40 });
});

const typesOf = (inputSchema: object) => generateTypes([{ name: "t", inputSchema } as never], "x");
const range = (length: number) => Array.from({ length }, (_, index) => index);

test.each<[string, object, string]>([
  [
    "a chain of definitions",
    {
      properties: { a: { $ref: "#/$defs/d0" } },
      $defs: Object.fromEntries(
        range(50_000).map((n) => [`d${n}`, { properties: { n: { $ref: `#/$defs/d${n + 1}` } } }]),
      ),
    },
    "export type TInputD1999 =",
  ],
  [
    "levels",
    range(50_000).reduce((inner) => ({ properties: { a: inner } }), {}),
    "too large or nested too deeply",
  ],
  [
    "a constant",
    { properties: { a: { const: range(50_000).reduce<unknown>((inner) => [inner], 1) } } },
    "too deeply",
  ],
  [
    "properties",
    { properties: Object.fromEntries(range(50_000).map((n) => [`p${n}`, {}])) },
    "more properties are too many for a type",
  ],
  [
    "names of one kind",
    {
      properties: Object.fromEntries(
        range(1500).map((n) => [`p${n}`, { $ref: `#/$defs/${"-".repeat(n + 1)}` }]),
      ),
      $defs: Object.fromEntries(range(1500).map((n) => ["-".repeat(n + 1), {}])),
    },
    "TInput1499",
  ],
])("types of a schema with very many %s are bounded, and say so [A-types]", (_, schema, expected) => {
  const text = typesOf(schema);
  expect(text).toContain(expected);
  expect(text.length).toBeLessThan(2_000_000);
});
