import { expect, test } from "vitest";
import { parseFrontmatter, readFrontmatter } from "./frontmatter.ts";

const skill = (yaml: string) => `---\n${yaml}\n---\n\n# Text\n`;
const valid = "name: pdf-forms\ndescription: Fills in forms.";

test("frontmatter is read word for word, whatever else it has [MCP-skill-format]", () => {
  const yaml = `${valid}\nlicense: MIT\nmetadata:\n  version: "2.10"\n  since: 2026-01-02\n  list: [1, true, null]`;
  expect(readFrontmatter(skill(yaml))).toEqual({
    ...{ name: "pdf-forms", description: "Fills in forms.", license: "MIT" },
    metadata: { version: "2.10", since: "2026-01-02", list: [1, true, null] },
  });
  expect(readFrontmatter(`\uFEFF${skill(valid).replaceAll("\n", "\r\n")}`).name).toBe("pdf-forms");
});

test.each([
  ["no frontmatter", "# Text", "must begin with frontmatter"],
  ["a text before it", `x\n${skill(valid)}`, "must begin with frontmatter"],
  ["no end", `---\n${valid}`, "must begin with frontmatter"],
  ["no name", skill("description: x"), "the name must be"],
  ["a name with capitals", skill("name: Pdf\ndescription: x"), "the name must be"],
  ["a name that is a path", skill("name: ../pdf\ndescription: x"), "the name must be"],
  ["a name with two hyphens", skill("name: a--b\ndescription: x"), "the name must be"],
  ["a long name", skill(`name: ${"a".repeat(65)}\ndescription: x`), "the name must be"],
  ["no description", skill("name: a"), "the description must have"],
  ["an empty description", skill("name: a\ndescription: ' '"), "the description must have"],
  ["a long description", skill(`name: a\ndescription: ${"x".repeat(1025)}`), "the description must have"],
  ["a list", skill("- a"), "must be a mapping"],
  ["broken YAML", skill("name: [a"), ""],
  ["a key twice", skill(`${valid}\nname: other`), "unique"],
  ["an alias bomb", skill(`${valid}\na: &a [1]\nb: &b [*a, *a]\nc: [*b, *b]`), ""],
  ["a tag", skill(`${valid}\nx: !!binary aGk=`), ""],
  ["not a number", skill(`${valid}\nx: .nan`), "JSON cannot express"],
  ["a prototype", skill(`${valid}\n__proto__: { a: 1 }`), "__proto__"],
  ["deep nesting", skill(`${valid}\nx: ${"[".repeat(40)}${"]".repeat(40)}`), "levels deep"],
  ["endless frontmatter", skill(`${valid}\nx: ${"y".repeat(70_000)}`), "at most 65536"],
])("%s is refused [MCP-skill-format]", (_, markdown, message) => {
  expect(() => readFrontmatter(markdown)).toThrow(message);
});

test("frontmatter of a server is limited as well [MCP-skill-format]", () => {
  expect(() => parseFrontmatter("x".repeat(70_000))).toThrow("more than");
});
