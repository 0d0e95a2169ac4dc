import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ADAPTERS } from "../../scripts/package-sources.ts";
import { readPage, root } from "./markdown.ts";

const { blocks, text } = readPage("docs/guides/use-with.md");
const programs = blocks.flatMap(({ unchecked = "", text }) => {
  const file = /^it is (examples\/agents\/\S+\.ts), which is run$/.exec(unchecked)?.[1];
  return file === undefined ? [] : [{ file, text }];
});

test("the page lists every adapter", () => {
  for (const name of ADAPTERS) expect(text).toContain(`| \`mci-ts/${name}\` |`);
});

test("the programs of the page need nothing but packages and the files that the page shows", () => {
  expect(programs.length).toBe(9);
  for (const { text } of programs) expect(text).not.toMatch(/ from "\.|import\.meta/);
  const shown = blocks.flatMap(({ unchecked = "", text }) => {
    const file = /^it is (examples\/agents\/\S+\.(?:json|md)),/.exec(unchecked)?.[1];
    return file === undefined ? [] : [{ file, text }];
  });
  expect(shown.map(({ file }) => file)).toHaveLength(2);
  for (const { file, text } of shown)
    expect(text).toBe(readFileSync(root + file, "utf8").replace(/^ {2}"\$schema": .*\n/m, ""));
});

test.each(programs)("the program is $file, word for word", ({ file, text }) => {
  expect(text).toBe(readFileSync(root + file, "utf8"));
});

test("the versions on the page are those that the tests run with", () => {
  const { devDependencies } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
  const named = [...text.matchAll(/`([@a-z/-]+)` (\d+\.\d+\.\d+)/g)].map(([, name, version]) => [
    name,
    version,
  ]);
  expect(named.length).toBeGreaterThan(5);
  // An older version is installed under another name, as an alias.
  const installed = new Set(
    Object.entries(devDependencies).map(([name, version]) =>
      String(version).startsWith("npm:") ? String(version).slice(4) : `${name}@${version}`,
    ),
  );
  expect(named.filter(([name, version]) => !installed.has(`${name}@${version}`))).toEqual([]);
});
