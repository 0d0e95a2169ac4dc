import { expect, test } from "vitest";
import { cpuMs } from "../../../../test/cpu-time.ts";
import { manyTools, tools } from "../../test/types-generator/sample-tools.ts";
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
