import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { cpuMs } from "../../../../test/cpu-time.ts";
import { generateTypes } from "./generate.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

const tools = [
  {
    name: "weather.get",
    description: "Weather of a city.\nWithout a unit: */ Celsius.",
    inputSchema: {
      type: "object",
      properties: {
        city: { type: "string", description: "Its name" },
        "filter[unit]": { enum: ["c", "f", null] },
        days: { type: "integer", default: 1 },
        near: { type: "array", items: { type: ["string", "number"] } },
      },
      required: ["city", "days"],
    },
    outputSchema: { type: "object", properties: { degrees: { type: "number" } }, required: ["degrees"] },
  },
  {
    name: "tree",
    inputSchema: {
      type: "object",
      properties: { root: { $ref: "#/$defs/node" } },
      required: ["root"],
      $defs: {
        node: {
          type: "object",
          properties: {
            name: { type: "string" },
            children: { type: "array", items: { $ref: "#/$defs/node" } },
          },
          required: ["name"],
        },
      },
    },
  },
  { name: "ping" },
  {
    name: "2nd-shape",
    inputSchema: {
      oneOf: [
        {
          type: "object",
          properties: { kind: { const: "circle" }, r: { type: "number" } },
          required: ["kind", "r"],
        },
        {
          type: "object",
          properties: { kind: { const: "box" }, size: { prefixItems: [{ type: "number" }], type: "array" } },
          required: ["kind"],
        },
      ],
    },
  },
];

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

/** The errors that the compiler finds in a program that uses the types, and in the types, which it would not look for in a .d.ts file. */
function errorsOf(types: string, program: string): string[] {
  const dir = mkdtempSync(join(tmpdir(), "mci-types-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  symlinkSync(join(root, "node_modules"), join(dir, "node_modules"));
  writeFileSync(join(dir, "mci-tools.ts"), types);
  writeFileSync(join(dir, "use.ts"), program);
  const compilerOptions = {
    ...{
      strict: true,
      noEmit: true,
      module: "nodenext",
      target: "es2024",
      skipLibCheck: true,
      types: ["node"],
    },
    ...{ allowImportingTsExtensions: true, resolveJsonModule: true, lib: ["es2024", "esnext.disposable"] },
    paths: { "mci-ts": [join(root, "packages/mci/src/index.ts")] },
  };
  writeFileSync(
    join(dir, "tsconfig.json"),
    JSON.stringify({ compilerOptions, files: ["use.ts", "mci-tools.ts"] }),
  );
  writeFileSync(join(dir, "package.json"), '{"type":"module"}');
  try {
    execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", dir], { cwd: dir });
    return [];
  } catch (error) {
    const lines = String((error as { stdout: Buffer }).stdout).split("\n");
    return lines.filter((line) => line.startsWith("use.ts") || line.startsWith("mci-tools"));
  }
}

const HEAD = `
  import { MCIClient } from "mci-ts";
  import type { Tools } from "./mci-tools.ts";
  const client = await MCIClient.load<Tools>("mci.json");
`;

test("the compiler checks names, arguments and structured content, and accepts what is right [A-types]", {
  timeout: 120_000,
}, () => {
  const types = generateTypes(tools, "mci.json");
  const right = `${HEAD}
    const result = await client.execute("weather.get", { city: "Rome", "filter[unit]": null, near: ["a", 1] });
    export const degrees: number | undefined = result.structuredContent?.degrees;
    await client.call("ping");
    await client.call("ping", { anything: 1 }, { signal: AbortSignal.timeout(1) });
    await client.call("tree", { root: { name: "a", children: [{ name: "b" }] } });
    await client.call("2nd-shape", { kind: "circle", r: 1 });
    const loose = await MCIClient.load("mci.json");
    await loose.execute("any", { thing: 1 });
    export const unknown: unknown = (await loose.call("x", {})).structuredContent;
    import { toTools } from "${join(root, "packages/mci/src/adapters/anthropic.ts")}";
    toTools(client); toTools(loose);`;
  expect(errorsOf(types, right)).toEqual([]);
  const wrong = `${HEAD}
    await client.execute("wether.get", { city: "Rome" });
    await client.execute("weather.get");
    await client.execute("weather.get", { city: 1 });
    await client.call("weather.get", { city: "Rome", "filter[unit]": "k" });
    await client.call("tree", { root: { name: "a", children: [{}] } });
    await client.call("2nd-shape", { kind: "circle" });
    export const degrees: string = (await client.call("weather.get", { city: "Rome" })).structuredContent!.degrees;`;
  const lines = errorsOf(types, wrong).map((line) => Number(/\((\d+),/.exec(line)?.[1]));
  expect(lines).toEqual([6, 7, 8, 9, 10, 11, 12]);
});

test("a thousand tools are written and compiled in acceptable time [A-types]", { timeout: 120_000 }, () => {
  const many = Array.from({ length: 1000 }, (_, index) => ({
    ...tools[index % tools.length]!,
    name: `tool_${index}`,
  }));
  const started = cpuMs();
  const text = generateTypes(many, "mci.json");
  expect(cpuMs() - started).toBeLessThan(2000);
  const use = `${HEAD} await client.execute("tool_0", { city: "Rome" }); await client.call("tool_999", { kind: "circle", r: 1 });`;
  expect(errorsOf(text, use)).toEqual([]);
});
