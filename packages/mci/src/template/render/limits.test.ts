import { expect, test } from "vitest";
import { cpuMs } from "../../../../../test/cpu-time.ts";
import { DEFAULT_LIMITS, type Limits } from "../../execute/executor.ts";
import { TemplateCompiler } from "../compile.ts";
import { loadJinja } from "../jinja/load.ts";

const jinja = await loadJinja();

function render(
  source: string,
  props: Record<string, unknown>,
  { engine = "builtin", limits = {} }: { engine?: "builtin" | "jinja2"; limits?: Partial<Limits> } = {},
): string {
  const compile = new TemplateCompiler({
    limits: { ...DEFAULT_LIMITS, ...limits },
    jinja,
    report: ({ message }) => {
      throw new Error(message);
    },
  });
  const template = compile.template(source, [], { engine });
  return template.render({ props, env: {}, absent: new Set(), onEnv: () => {} });
}

/** Processor time in milliseconds; a machine under load may need several times that of a quiet one. */
function timed(work: () => unknown): number {
  const started = cpuMs();
  try {
    work();
  } catch (error) {
    expect(error).toMatchObject({ code: "template_limit" });
  }
  return cpuMs() - started;
}

const many = (count: number) => Array.from({ length: count }, (_, index) => index);
const big = () => Object.fromEntries(many(10_000).map((n) => [`key${n}`, n]));

test("a condition on a large object costs the same in every iteration [T-limits]", () => {
  const props = { list: many(10_000), big: big() };
  expect(render("@foreach(x in props.list)@if(props.big)a@endif@endforeach", props)).toHaveLength(10_000);
  expect(
    timed(() => render("@foreach(x in props.list)@if(not props.big)a@endif@endforeach", props)),
  ).toBeLessThan(1000);
});

test.each([
  ["equal objects", () => ({ list: many(5000), a: big(), b: big() })],
  ["an object and a small one", () => ({ list: many(5000), a: big(), b: {} })],
  ["long texts", () => ({ list: many(5000), a: "x".repeat(4e6), b: `${"x".repeat(4e6 - 1)}y` })],
  [
    "nested lists",
    () => ({ list: many(5000), a: many(200).map(() => many(200)), b: many(200).map(() => many(200)) }),
  ],
])("comparing %s in a loop ends soon [T-limits]", (_, props) => {
  // The list fits; what the comparisons cost in all counts against the same limit.
  const limits = { maxTemplateLoops: 10_000 };
  for (const operator of ["==", "!="]) {
    const source = `@foreach(x in props.list)@if(props.a ${operator} props.b)a@endif@endforeach`;
    const values = props();
    expect(timed(() => render(source, values, { limits }))).toBeLessThan(400);
  }
});

test("the default limit, too, is reached soon [T-limits]", () => {
  const values = { list: many(5000), a: big(), b: big() };
  const source = "@foreach(x in props.list)@if(props.a == props.b)a@endif@endforeach";
  expect(timed(() => expect(render(source, values)).toBe("never"))).toBeLessThan(3000);
});

test("one comparison of large values is within the limit [T-limits]", () => {
  expect(render("@if(props.a == props.b)same@endif", { a: big(), b: big() })).toBe("same");
});

test("a text grown by + is stopped before memory is [T-limits]", () => {
  const props = { x: "x".repeat(4e6) };
  expect(() => render("{{ props.x + props.x + props.x + props.x }}", props)).toThrow("longer than");
});

test("a Jinja range is stopped before memory is [T-limits]", () => {
  const before = process.memoryUsage().heapUsed;
  expect(() => render("{% for x in range(1000000) %}{% endfor %}", {}, { engine: "jinja2" })).toThrow(
    "range() gives more than 100000",
  );
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(100e6);
  expect(render("{% for x in range(1000) %}a{% endfor %}", {}, { engine: "jinja2" })).toHaveLength(1000);
});
