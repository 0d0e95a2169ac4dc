import { describe, expect, test } from "vitest";
import { cpuMs } from "../../../../test/cpu-time.ts";
import { DEFAULT_LIMITS } from "../execute/executor.ts";
import { TemplateCompiler, type TemplateProblem } from "./compile.ts";
import { references } from "./references.ts";

const NAMES = ["First Name", "a/b", "x+y", "a?", "utf-8", "a(b)", "a == b", "my list", "a", "b", "x", "y"];
const schema = {
  properties: {
    ...Object.fromEntries(NAMES.map((name) => [name, {}])),
    user: { properties: { "last name": {} } },
    rows: { items: { properties: { "unit price": {} } } },
  },
};
const props = {
  "First Name": "Ann",
  "a/b": "slash",
  "x+y": "plus",
  "a?": "question",
  "utf-8": "hyphen",
  "a(b)": "parentheses",
  "a == b": "equals",
  "my list": [1, 2],
  a: 6,
  b: 3,
  x: 1,
  y: 2,
  user: { "last name": "Lee" },
  rows: [{ "unit price": 5 }],
};

function render(source: string, inputSchema: unknown = schema) {
  const problems: TemplateProblem[] = [];
  const compile = new TemplateCompiler({
    limits: DEFAULT_LIMITS,
    report: (problem) => problems.push(problem),
  });
  const template = compile.declaring(inputSchema).template(source, ["text"]);
  const scope = { props, env: { a: "E" }, absent: new Set<string>(), onEnv: () => {} };
  return problems.length > 0 ? problems[0]!.message : template.render(scope);
}

describe("a declared property whose name no path can spell", () => {
  test.each([
    ["{{props.First Name}}", "Ann"],
    ["{{ input.First Name | 'guest' }}", "Ann"],
    ["{{props.a/b}}", "slash"],
    ["{{props.x+y}}", "plus"],
    ["{{props.a?}}", "question"],
    ["{{props.utf-8}}", "hyphen"],
    ["{{props.a(b)}}", "parentheses"],
    ["{{props.a == b}}", "equals"],
    ["{{props.user.last name}}", "Lee"],
    ["{{props.my list.length}} {{props.my list[0]}}", "2 1"],
    ["@if(props.First Name == Ann)yes@endif", "yes"],
    ["@foreach(i in props.my list){{i}};@endforeach", "1;2;"],
    ["@foreach(row in props.rows){{row.unit price}}@endforeach", "5"],
  ])("%s is its value [T-path]", (source, text) => {
    expect(render(source)).toBe(text);
  });

  test.each([
    ["{{props.a / props.b}}", "2"],
    ["{{props.x + props.y}}", "3"],
    ["{{props.x+props.y}}", "3"],
    ["{{props.a == props.b}}", "false"],
    ["{{env.a}}", "E"],
  ])("%s keeps its meaning beside it", (source, text) => {
    expect(render(source)).toBe(text);
  });

  test.each(["{{props.First Names}}", "{{props.First Name x}}", "{{env.First Name}}"])(
    "%s names no declared property, so it stays an error",
    (source) => {
      expect(render(source)).toContain("unexpected");
    },
  );

  test("without the declaration the expression is what it was", () => {
    expect(render("{{props.First Name}}", { properties: { First: {} } })).toContain("unexpected 'Name'");
    expect(render("{{props.x+props.y}}", {})).toBe("3");
  });

  test("is among what a text reads", () => {
    expect(references("{{props.First Name}}", "text", [], schema).references).toMatchObject([
      { root: "props", path: ["First Name"] },
    ]);
  });

  test("many names and dots take time that grows with the text", () => {
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`n${index} x`, {}]));
    const started = cpuMs();
    render("{{props.a.b.c | 'd'}}".repeat(20_000), { properties: many });
    expect(cpuMs() - started).toBeLessThan(2_000);
  });
});
