import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { Requirements } from "./requirements.ts";

const packages = fileURLToPath(new URL("../../packages/", import.meta.url));
const lists = await Promise.all(
  readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith(".ts") && !file.startsWith("requirements"))
    .map((file) => file.slice(0, -".ts".length))
    .map(async (name): Promise<[name: string, Requirements]> => {
      const module: { default: Requirements } = await import(`./${name}.ts`);
      return [name, module.default];
    }),
);

test("every package has a list", () => {
  expect(lists.map(([name]) => name).sort()).toEqual(readdirSync(packages).sort());
});

/** What is checked of all packages together, as they are published. */
const citedOfAll = idsIn([readFileSync(join(packages, "../test/packages.test.ts"), "utf8")]);

test("every id cited in the test of all packages is a requirement of one", () => {
  const known = new Set(lists.flatMap(([, requirements]) => Object.keys(requirements)));
  expect([...citedOfAll].filter((id) => !known.has(id))).toEqual([]);
});

describe.each(lists)("%s", (name, requirements) => {
  const cited = citedIn(name);

  test("every requirement is cited by a test", () => {
    expect(Object.keys(requirements).filter((id) => !cited.has(id) && !citedOfAll.has(id))).toEqual([]);
  });

  test("every cited id is a requirement", () => {
    expect([...cited].filter((id) => !(id in requirements)).sort()).toEqual([]);
  });

  test("every requirement is a sentence", () => {
    expect(Object.entries(requirements).filter(([, text]) => text.split(" ").length < 3)).toEqual([]);
  });
});

/** Ids in the titles of a package's tests. */
function citedIn(name: string): Set<string> {
  const folders = ["src", "test"].map((folder) => join(packages, name, folder)).filter(existsSync);
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".test.ts"))
      .map((file) => readFileSync(join(folder, file), "utf8")),
  );
  return idsIn(files);
}

/** Several may share one pair of brackets. */
function idsIn(files: readonly string[]): Set<string> {
  const groups = files.flatMap((code) => [...code.matchAll(/\[((?:[A-Z]+-[a-z0-9-]+(?:,\s*)?)+)\]/g)]);
  return new Set(groups.flatMap(([, ids]) => ids!.split(/,\s*/)));
}
