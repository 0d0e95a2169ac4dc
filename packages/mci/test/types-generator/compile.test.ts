import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { libraryPaths } from "../../../../test/programs/programs.ts";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { hostileSchema } from "../../src/types-generator/generate.fuzz.ts";
import { generateTypes } from "../../src/types-generator/generate.ts";
import { manyTools, tools } from "./sample-tools.ts";

// What generated types are worth is for the compiler to say. It runs once, for all programs.

const root = fileURLToPath(new URL("../../../../", import.meta.url));

const HEAD = `
  import { MCIClient } from "mci-ts";
  import type { Tools } from "./mci-tools.ts";
  const client = await MCIClient.load<Tools>("mci.json");
`;

const RIGHT = `${HEAD}
    const result = await client.execute("weather.get", { city: "Rome", "filter[unit]": null, near: ["a", 1] });
    export const degrees: number | undefined = result.structuredContent?.degrees;
    await client.call("ping");
    await client.call("ping", { anything: 1 }, { signal: AbortSignal.timeout(1) });
    await client.call("tree", { root: { name: "a", children: [{ name: "b" }] } });
    await client.call("2nd-shape", { kind: "circle", r: 1 });
    const loose = await MCIClient.load("mci.json");
    await loose.execute("any", { thing: 1 });
    export const unknown: unknown = (await loose.call("x", {})).structuredContent;
    import { toTools } from "mci-ts/anthropic";
    toTools(client); toTools(loose);`;

const WRONG = `${HEAD}
    await client.execute("wether.get", { city: "Rome" });
    await client.execute("weather.get");
    await client.execute("weather.get", { city: 1 });
    await client.call("weather.get", { city: "Rome", "filter[unit]": "k" });
    await client.call("tree", { root: { name: "a", children: [{}] } });
    await client.call("2nd-shape", { kind: "circle" });
    export const degrees: string = (await client.call("weather.get", { city: "Rome" })).structuredContent!.degrees;`;

const MANY = `${HEAD}
  await client.execute("tool_0", { city: "Rome" });
  await client.call("tool_999", { kind: "circle", r: 1 });`;

/** Cycles of definitions that are nothing but each other, and random schemas. */
const HOSTILE = [
  { $ref: "#" },
  {
    $ref: "#/$defs/a",
    $defs: { a: { $ref: "#/$defs/b" }, b: { anyOf: [{ $ref: "#/$defs/a" }, { type: "string" }] } },
  },
  {
    properties: { a: { $ref: "#/$defs/a" } },
    $defs: { a: { allOf: [{ $ref: "#/$defs/a" }], nullable: true } },
  },
  ...fc.sample(hostileSchema, { numRuns: 200, seed: 7 }),
].map((inputSchema, index) => ({ name: `hostile_${index}`, inputSchema, outputSchema: inputSchema }));

const types = generateTypes(tools, "mci.json");
const PROJECTS = {
  right: { types, program: RIGHT },
  wrong: { types, program: WRONG },
  hostile: { types: generateTypes(HOSTILE as never, "mci.json"), program: HEAD },
  many: { types: generateTypes(manyTools(1000), "mci.json"), program: MANY },
};

let errors: readonly string[];
const folder = temporaryFolder({ "package.json": { type: "module" } }, afterAll);
beforeAll(() => {
  errors = compileAll(folder);
}, 120_000);

const errorsOf = (name: keyof typeof PROJECTS) => errors.filter((line) => line.startsWith(`${name}/`));

test("the compiler accepts what is right [A-types]", () => {
  expect(errorsOf("right")).toEqual([]);
});

test("the compiler checks names, arguments and structured content [A-types]", () => {
  expect(errorsOf("wrong").map((line) => Number(/\((\d+),/.exec(line)?.[1]))).toEqual([
    6, 7, 8, 9, 10, 11, 12,
  ]);
});

test("types of hostile schemas compile [A-types]", () => {
  expect(errorsOf("hostile")).toEqual([]);
});

test("a thousand tools compile [A-types]", () => {
  expect(errorsOf("many")).toEqual([]);
});

/** The errors in programs that use the types, and in the types, which the compiler would not look for in a .d.ts file. */
function compileAll(dir: string): string[] {
  symlinkSync(join(root, "node_modules"), join(dir, "node_modules"), "junction");
  for (const [name, { types, program }] of Object.entries(PROJECTS)) {
    mkdirSync(join(dir, name));
    writeFileSync(join(dir, name, "mci-tools.ts"), types);
    writeFileSync(join(dir, name, "use.ts"), program);
  }
  const compilerOptions = {
    strict: true,
    noEmit: true,
    module: "nodenext",
    target: "es2024",
    skipLibCheck: true,
    types: ["node"],
    allowImportingTsExtensions: true,
    resolveJsonModule: true,
    lib: ["es2024", "esnext.disposable"],
    paths: libraryPaths(),
  };
  writeFileSync(join(dir, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*/*.ts"] }));
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const options = ["--pretty", "false", "--checkers", "1"];
  const { stdout } = spawnSync(process.execPath, [tsc, "-p", dir, ...options], {
    cwd: dir,
    encoding: "utf8",
  });
  return stdout.split("\n");
}
