import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readPage, root } from "./markdown.ts";

const { blocks, text } = readPage("docs/guides/use-with.md");
const programs = blocks.flatMap(({ unchecked = "", text }) => {
  const file = /^it is (examples\/agents\/\S+\.ts), which is run$/.exec(unchecked)?.[1];
  return file === undefined ? [] : [{ file, text }];
});

test("there is a program for each framework", () => {
  expect(programs.map(({ file }) => file).sort()).toEqual(
    [
      "ai-sdk",
      "ai-sdk-over-mcp",
      "anthropic",
      "google",
      "langchain",
      "langchain-over-mcp",
      "openai",
      "openai-agents",
      "openai-responses",
    ]
      .map((name) => `examples/agents/${name}.ts`)
      .sort(),
  );
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
  expect(named).toEqual(named.map(([name]) => [name, devDependencies[name!]]));
});
