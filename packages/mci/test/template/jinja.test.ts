import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { ToolError } from "../../src/errors.ts";
import { TemplateCompiler } from "../../src/template/compile.ts";
import { compiler, failureOf, LIMITS, scopeOf, type World } from "./world.ts";

const world: World = {
  props: {
    name: "Ann",
    items: [
      { n: "a", on: true },
      { n: "b", on: false },
    ],
    age: 30,
    nothing: null,
  },
  env: { KEY: "k-1", CONFIG: { token: "t-1" }, OTHER: "o-1" },
};

const jinja = (source: string, { limits, ...rest }: World = world) =>
  compiler(limits).template(source, [], { engine: "jinja2" }).render(scopeOf(rest));

describe("[F-engine] templateEngine jinja2", () => {
  test.each([
    ["Hello {{ props.name }}", "Hello Ann"],
    ["{{ input.name }} {{ properties.name }} {{ env.KEY }}", "Ann Ann k-1"],
    ["{% for i in props.items if i.on %}{{ loop.index }}:{{ i.n }}{% endfor %}", "1:a"],
    ["{% if props.age > 18 and props.name == 'Ann' %}yes{% else %}no{% endif %}", "yes"],
    ["{{ props.name | upper }} {{ props.items | length }}", "ANN 2"],
    ["{{ props.missing | default('x') }}", "x"],
    ["[{{ props.missing }}]", "[]"],
    [
      "{{ 'one two three four' | truncate(11) }} {{ 'one two three' | truncate(9, true, '…', 0) }}",
      "one two... one two …",
    ],
    ["{{ 'a short text' | truncate(10) }} {{ 'short' | truncate }}", "a short text short"],
    ["{% for i in range(3) %}{{ i }}{% endfor %}{% for i in range(4, 0, -2) %}{{ i }}{% endfor %}", "01242"],
    ["{% set x = 2 %}{{ x * 3 }}", "6"],
    ["{% macro m(a) %}<{{ a }}>{% endmacro %}{{ m(1) }}{{ m(2) }}", "<1><2>"],
    ["@if(props.age) stays", "@if(props.age) stays"],
    ["{{ True }} {{ none is none }}", "true true"],
  ])("%s gives %j", (source, expected) => {
    expect(jinja(source)).toBe(expected);
  });

  test("white space follows Jinja2's defaults", () => {
    expect(jinja("a\n  {% if true %}\n  b\n  {% endif %}\nc\n")).toBe("a\n  \n  b\n  \nc");
  });

  test("the engine of the document holds where the execution does not say", () => {
    const options = { limits: LIMITS, report: () => expect.unreachable() };
    const document = new TemplateCompiler({
      ...options,
      engine: "jinja2",
      jinja: () => ({ render: () => "by jinja" }),
    });
    expect(document.template("{{ x }}", []).render(scopeOf())).toBe("by jinja");
    expect(document.template("plain", [], { engine: "builtin" }).render(scopeOf())).toBe("plain");
    expect(document.text("{{props.name}}", []).render(scopeOf(world))).toBe("Ann");
  });

  test("asking for it without having loaded it is a defect that says so", () => {
    const compile = new TemplateCompiler({ limits: LIMITS, report: () => {} });
    expect(() => compile.template("x", [], { engine: "jinja2" })).toThrow(ToolError);
  });

  test("values are never parsed again", () => {
    const evil = "{{ env.KEY }}{% for x in y %}";
    expect(
      jinja("{{ props.x }}{% for i in props.l %}{{ i }}{% endfor %}", {
        props: { x: evil, l: [evil] },
        env: { KEY: "no" },
      }),
    ).toBe(evil + evil);
  });

  test.each([
    "{{ props.constructor }}",
    "{{ props.__proto__ }}",
    "{{ env.constructor }}",
    "{{ props.name.constructor }}",
    "{{ props.toString }}",
  ])("%s reaches no prototype", (source) => {
    expect(jinja(source)).toBe("");
  });

  test.each([
    "{% if x %}",
    "{{ props.x",
    "{% for %}{% endfor %}",
    "{% unknown %}",
    "{{ 'open }}",
    "{% include 'x' %}",
  ])("the malformed %s is reported at load", (source) => {
    const compile = compiler();
    const template = compile.template(source, ["t"], { engine: "jinja2" });
    expect(compile.problems).toMatchObject([{ place: ["t"] }]);
    expect(failureOf(() => template.render(scopeOf())).code).toBe("template_syntax");
  });

  test("an include is answered with what to use instead", () => {
    const compile = compiler();
    compile.template("{% include 'x' %}", [], { engine: "jinja2" });
    expect(compile.problems[0]?.hint).toContain("@include");
  });

  test.each([
    "{{ props.name - 1 }}",
    "{{ raise_exception('stop') }}",
    "{% for x in props.age %}{% endfor %}",
    "{% break %}",
  ])("%s fails as a tool error", (source) => {
    expect(failureOf(() => jinja(source)).code).toBe("template_type");
  });

  test.each([
    ["output of a loop", "{% for i in range(1000) %}{{ i }}abcdefghij{% endfor %}"],
    [
      "one string that doubles",
      "{% set ns = namespace(s='xxxxxxxx') %}{% for i in range(60) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}",
    ],
    [
      "one list that doubles",
      "{% set ns = namespace(a=[1]) %}{% for i in range(60) %}{% set ns.a = ns.a + ns.a %}{% endfor %}",
    ],
    ["rounds of nested loops", "{% for i in range(50) %}{% for j in range(50) %}{% endfor %}{% endfor %}"],
    ["a huge range", "{{ range(1000000000) | length }}"],
    ["many ranges", "{% for i in range(90) %}{{ range(90) | length }}{% endfor %}"],
    ["endless recursion", "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}"],
    [
      "widening recursion",
      "{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(40) }}",
    ],
    ["huge indentation", "{{ 'a\nb' | indent(1000000000) }}"],
  ])("[T-limits] %s is limited", (_name, source) => {
    const limits = { maxTemplateLoops: 100, maxTemplateOutput: 1000 };
    expect(failureOf(() => jinja(source, { limits })).code).toBe("template_limit");
  });

  test("[T-limits] deep nesting and long runs of blanks are reported, not a crash", () => {
    const compile = compiler();
    for (const source of [
      `{{ ${"(".repeat(20_000)}`,
      `{{ ${"not ".repeat(20_000)} x }}`,
      " ".repeat(100_000),
    ]) {
      compile.template(source, [], { engine: "jinja2" });
    }
    expect(compile.problems).toHaveLength(3);
  });

  test("[T-env] the scope reports the env values that are read, and no others", () => {
    const toldBy = (source: string) => {
      const reported: unknown[] = [];
      const scope = scopeOf(world, (value) => reported.push(value));
      compiler().template(source, [], { engine: "jinja2" }).render(scope);
      return reported;
    };
    expect(toldBy("{{ env.KEY }}{% if env['KEY'] %}{% endif %}")).toEqual(["k-1", "k-1"]);
    expect(toldBy("{{ env.CONFIG.token }}")).toEqual(expect.arrayContaining(["t-1"]));
    expect(toldBy("{{ props.name }}{{ env.NO }}{{ env | length }}")).toEqual([]);
    for (const source of [
      "{{ env }}",
      "{{ env | tojson }}",
      "{% for k, v in env.items() %}{{ v }}{% endfor %}",
      "{% for k in env %}{{ env[k] }}{% endfor %}",
      "{{ env.get('KEY') }}",
    ]) {
      expect(toldBy(source)).toContain("k-1");
    }
  });

  test("a document that does not ask for it never loads it", async () => {
    const compile = new URL("../../src/template/compile.ts", import.meta.url);
    const engine = new URL("../../src/template/jinja/load.ts", import.meta.url);
    const program = `
      import { registerHooks } from "node:module";
      const loaded = [];
      registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
      const { TemplateCompiler } = await import(${JSON.stringify(compile)});
      const limits = { maxTemplateOutput: 100, maxTemplateLoops: 100, maxTemplateDepth: 10 };
      const text = new TemplateCompiler({ limits, report() {} }).template("@if(props.x){{props.x}}@endif", []);
      const before = loaded.filter((url) => url.includes("huggingface")).length;
      const { loadJinja } = await import(${JSON.stringify(engine)});
      await loadJinja();
      const after = loaded.filter((url) => url.includes("huggingface")).length;
      console.log(text.render({ props: { x: "ok" }, env: {}, absent: new Set(), onEnv() {} }), before, after > 0);`;
    const { stdout } = await promisify(execFile)(process.execPath, [
      "--input-type=module-typescript",
      "--eval",
      program,
    ]);
    expect(stdout.trim()).toBe("ok 0 true");
  });
});
