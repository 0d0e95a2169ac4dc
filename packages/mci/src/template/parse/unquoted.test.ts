import { describe, expect, test } from "vitest";
import { DEFAULT_LIMITS } from "../../execute/executor.ts";
import { TemplateCompiler, type TemplateProblem } from "../compile.ts";

function render(source: string, props = {}, env = {}): { text: unknown; problems: TemplateProblem[] } {
  const problems: TemplateProblem[] = [];
  const compile = new TemplateCompiler({
    limits: DEFAULT_LIMITS,
    report: (problem) => problems.push(problem),
  });
  const text = compile.text(source, ["x"]).render({ props, env, absent: new Set(), onEnv: () => {} });
  return { text, problems };
}

describe("a fallback without quotes", () => {
  test.each([
    ["{{env.DIR|./config}}", "./config"],
    ["{{env.DIR | ../up}}", "../up"],
    ["{{env.DIR|/tmp}}", "/tmp"],
    ["{{env.DIR|~/x}}", "~/x"],
    ["{{env.URL|http://localhost:8000/mcp}}", "http://localhost:8000/mcp"],
    ["{{env.REGION|us-east-1}}", "us-east-1"],
    ["{{env.DAY|2024-01-01}}", "2024-01-01"],
    ["{{env.A | env.B | eu-west-2}}", "eu-west-2"],
    ["{{env.DIR|C:\\dir}}", "C:\\dir"],
    ["{{env.DIR|\\\\server\\share}}", "\\\\server\\share"],
    ["{{env.HOST|localhost:8000}}", "localhost:8000"],
    ["{{env.HOST|127.0.0.1}}", "127.0.0.1"],
    ["{{env.HOST || 10.0.0.1:80}}", "10.0.0.1:80"],
    ["{{env.VERSION|1.2.3}}", "1.2.3"],
    ["{{env.TIME|2024-01-01T10:00:00Z}}", "2024-01-01T10:00:00Z"],
    ["{{env.DAY|2024/01/01}}", "2024/01/01"],
    ["{{env.TYPE|application/json}}", "application/json"],
    ["{{env.TYPE|text/html; charset=utf-8}}", "text/html; charset=utf-8"],
    ["{{env.FILE|my-file.txt}}", "my-file.txt"],
    ["{{env.FILE|*.json}}", "*.json"],
    ["{{env.MAIL|ada@example.com}}", "ada@example.com"],
    ["{{env.WAIT|5 minutes}}", "5 minutes"],
    ["{{env.WAIT|50ms}}", "50ms"],
    ["{{env.GREETING | Hello, World! }}", "Hello, World!"],
    ["{{env.COLOUR|#fff}}", "#fff"],
    ["{{env.SIZE|10%}}", "10%"],
    ["{{env.A|one two|three}}", "one two"],
  ])("%s is text, with a warning that suggests quotes [T-literal]", (source, text) => {
    const { text: rendered, problems } = render(source);
    expect(rendered).toBe(text);
    expect(problems).toMatchObject([{ severity: "warning", hint: `write it in quotes: '${text}'` }]);
  });

  test.each([
    ["{{env.A | 'x'}}", "x"],
    ["{{props.n | props.m - 1}}", "4"],
    ["{{props.n | 10 - 5}}", "5"],
    ["{{props.n | props.content-type}}", "json"],
  ])("%s is the expression it looks like, without a warning", (source, text) => {
    expect(render(source, { m: 5, "content-type": "json" })).toEqual({ text, problems: [] });
  });

  test.each([
    ["{{env.A | props.m +}}", "a value is missing"],
    ["{{env.A | props.m = 1}}", "unexpected '='"],
    ["{{env.A | yes ? 1 : 2}}", "unexpected '?'"],
    ["{{env.A | x ==}}", "a value is missing"],
    ["{{env.A | upper(x)}}", "upper cannot be called"],
  ])("%s is a mistake, not a text", (source, message) => {
    expect(() => render(source)).toThrow(message);
  });

  test("with dots alone it may be a misspelled path: the error says to quote it", () => {
    expect(() => render("{{env.HOST|api.example.com}}")).toThrow("quote it: 'api.example.com'");
  });

  test("an empty alternative at the end is skipped [T-literal]", () => {
    expect(render("{{env.A|}}", {}, { A: "a" })).toEqual({ text: "a", problems: [] });
  });

  test("a value that exists wins over it", () => {
    expect(render("{{env.DIR|./config}}", {}, { DIR: "/data" }).text).toBe("/data");
  });
});

describe("two bars in a placeholder", () => {
  test.each([
    ["{{props.missing || 'eu'}}", "eu"],
    ["{{props.missing || props.a}}", "1"],
    ["{{props.missing||props.none | 'eu'}}", "eu"],
    ["{{props.a || 'eu'}}", "1"],
    ["{{props.nothing || 'eu'}}", "eu"],
    ["[{{props.empty || 'eu'}}]", "[]"],
    ["{{props.zero || 'eu'}}", "0"],
  ])("%s skips the empty alternative, as a single bar would [T-literal]", (source, text) => {
    expect(render(source, { a: "1", empty: "", zero: 0, nothing: null }).text).toBe(text);
  });

  test.each([
    ["{{props.zero or 'eu'}}", "eu"],
    ["{{(props.zero || 'eu')}}", "eu"],
    ["{{props.a == 2 || 'eu'}}", "eu"],
  ])("%s is the logical or", (source, text) => {
    expect(render(source, { a: "1", zero: 0 }).text).toBe(text);
  });
});
