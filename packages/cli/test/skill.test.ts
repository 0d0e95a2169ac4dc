import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { file, greet } from "./files.ts";
import { mciHere } from "./in-process.ts";
import { folder } from "./mci.ts";

const named = { ...file(greet), metadata: { name: "Say Hello!", description: "Greets people." } };
const path = "skills/say-hello/SKILL.md";

test("a skill is written where 'mci run' serves it, checked, and never over a person's [C-skill]", async () => {
  const cwd = folder({ "mci.json": named });
  const missing = await mciHere(["skill", "--check"], { cwd });
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining(`${path} does not exist.`)]);
  expect(await mciHere(["skill"], { cwd })).toEqual({
    code: 0,
    stdout: "",
    stderr: `Wrote ${path}: 1 tool\n`,
  });
  const text = readFileSync(join(cwd, path), "utf8");
  expect(text).toContain('name: say-hello\ndescription: "Greets people. Use it before');
  expect(text).toContain("## `greet`");
  expect((await mciHere(["skill", "--check"], { cwd })).code).toBe(0);
  writeFileSync(join(cwd, "mci.json"), JSON.stringify({ ...named, tools: [{ ...greet, name: "hello" }] }));
  expect((await mciHere(["skill", "--check"], { cwd })).stderr).toContain("is out of date");
  expect((await mciHere(["skill"], { cwd })).code).toBe(0);
  writeFileSync(join(cwd, path), "mine");
  const refused = await mciHere(["skill"], { cwd });
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("is left as it is")]);
  expect(readFileSync(join(cwd, path), "utf8")).toBe("mine");
});

test("mci validate names skills that would not be served [C-skill]", async () => {
  const cwd = folder({ "mci.json": named, "skills/broken/SKILL.md": "no frontmatter" });
  const { code, stdout } = await mciHere(["validate"], { cwd });
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining("the skill in skills/broken is not served: SKILL.md must begin with frontmatter"),
  ]);
  writeFileSync(join(cwd, "mci.json"), JSON.stringify({ ...named, skills: false }));
  expect((await mciHere(["validate"], { cwd })).stdout).not.toContain("skills/broken");
});

test("examples are checked against their tools; names and outputs can be chosen [C-skill]", async () => {
  const cwd = folder({
    "mci.json": named,
    "good.json": [{ tool: "greet", input: { name: "Ann" }, about: "a friend" }],
    "bad.json": [{ tool: "greet", input: { name: 5 } }],
    "unknown.json": [{ tool: "gret", input: {} }],
    "broken.json": "{",
    "other.json": { tool: "greet" },
  });
  const printed = await mciHere(["skill", "--name", "hi", "-o", "-", "--examples", "good.json"], { cwd });
  expect(printed.stdout).toContain("Example, a friend:");
  expect(printed.stdout).toContain("name: hi\n");
  for (const [name, message] of [
    ["bad", "name"],
    ["unknown", "Did you mean 'greet'?"],
    ["broken", "cannot be read as JSON"],
    ["other", "must be a list"],
  ] as const) {
    const { code, stderr } = await mciHere(["skill", "--examples", `${name}.json`], { cwd });
    expect([name, code !== 0, stderr]).toEqual([name, true, expect.stringContaining(message)]);
  }
  expect((await mciHere(["skill", "--name", "../x"], { cwd })).stderr).toContain("cannot be the name");
  expect(existsSync(join(cwd, "skills"))).toBe(false);
});

test("examples are taken from the tests beside the file [C-skill]", async () => {
  const saved = (name: unknown, more: object = {}) => ({
    ...{ tool: "greet", input: { name }, expect: { isError: false, content: [] } },
    ...more,
  });
  const cwd = folder({
    "tools.mci.json": named,
    "tools.mci.tests.json": [
      saved("Ann"),
      saved("Bea", { about: "a friend" }),
      saved("Fails", { expect: { isError: true, content: [] } }),
      saved(5),
      saved("x", { tool: "gone" }),
    ],
  });
  const { stdout, stderr, code } = await mciHere(["skill", "tools.mci.json", "-o", "-"], { cwd });
  const examples = [...stdout.matchAll(/Example, (.*):\n\n```json\n([^`]*)```/g)];
  expect(examples.map(([, about, json]) => [about, JSON.parse(json!)])).toEqual([
    ["as in a test", { name: "Ann" }],
    ["a friend", { name: "Bea" }],
  ]);
  expect(stderr.match(/warning: a test in tools\.mci\.tests\.json is not an example: .*/g)).toHaveLength(2);
  expect(code).toBe(0);
  const without = await mciHere(["skill", "tools.mci.json", "-o", "-", "--no-tests"], { cwd });
  expect(without.stdout).not.toContain("as in a test");
  writeFileSync(join(cwd, "tools.mci.tests.json"), "{");
  const broken = await mciHere(["skill", "tools.mci.json", "-o", "-"], { cwd });
  expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining("cannot be read as JSON")]);
});
