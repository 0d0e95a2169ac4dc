import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Set by the global setup, and inherited by the processes that run the tests. */
export const HASH_VARIABLE = "MCI_TEST_PROGRAMS";
export const COMPILE_CACHE_VARIABLE = "NODE_COMPILE_CACHE";
export const BUILT_VARIABLE = "MCI_TEST_BUILT";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A file of a package as the tests' own build made it from the present sources, e.g. `packages/cli`, `bin.cjs`. */
export function program(dir: string, file: string): string {
  return join(programsOf(dir, builtHash()), file);
}

/** A program that only tests use, as its own bundle: the path of its entry from the root, e.g. `packages/cli/test/serve/fixtures/nap.ts`. */
export function fixtureProgram(source: string): string {
  return join(fixturesOf(builtHash()), source.replace(/\.ts$/, ".js"));
}

/** Compiled code that the processes of a run share; for the environment of each. */
export const COMPILE_CACHE: Readonly<Record<string, string>> = process.env[COMPILE_CACHE_VARIABLE]
  ? { [COMPILE_CACHE_VARIABLE]: process.env[COMPILE_CACHE_VARIABLE] }
  : {};

/**
 * The `paths` with which the compiler finds the library: its declarations if they are built from the present sources, as
 * `npm test` does first, else the sources, which take it three times as long.
 */
export function libraryPaths(): Record<string, [string]> {
  const folder = process.env[BUILT_VARIABLE] ? "dist" : "src";
  const file = (name: string): [string] => [
    join(root, "packages/mci", folder, `${name}${folder === "dist" ? ".d.ts" : ".ts"}`),
  ];
  return {
    "mci-ts": file("index"),
    "mci-ts/*": file("adapters/*"),
    "mci-ts/authoring": file("authoring"),
    "mci-ts/login": file("login/index"),
    "mci-ts/openapi": file("openapi/index"),
    "mci-ts/code": file("code/index"),
    "mci-ts/search": file("search/index"),
    "mci-ts/schema.json": [join(root, "packages/mci/mci.schema.json")],
  };
}

function builtHash(): string {
  const hash = process.env[HASH_VARIABLE];
  if (hash === undefined) throw new Error("The programs are not built: run this test with vitest");
  return hash;
}

/** Below the package, so that it finds its dependencies as the package does. */
export function programsOf(dir: string, hash: string): string {
  return join(root, dir, "node_modules/.cache/mci-tests", hash);
}

export function fixturesOf(hash: string): string {
  return join(root, "node_modules/.cache/mci-tests", hash);
}
