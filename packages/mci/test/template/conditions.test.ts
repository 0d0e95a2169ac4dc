import { describe, expect, test } from "vitest";
import { failureOf, render } from "./world.ts";

const world = {
  props: {
    name: "Alice",
    age: 30,
    t: true,
    f: false,
    zero: 0,
    empty: "",
    nothing: null,
    list: [] as unknown[],
    full: [0],
    object: {},
    filled: { a: [1, { b: 2 }] },
    same: { a: [1, { b: 2 }] },
    status: "active",
    region: "us-east-1",
    date: "2024-02-01",
    n: 3,
    s3: "3",
    q: "a == b",
  },
  env: { N: "3", MODE: "production", WORD: "abc", BIG: "10" },
};

const holds = (condition: string) => render(`@if(${condition})yes@else no@endif`, world) === "yes";

describe("[T-condition] truth", () => {
  test.each([
    ["props.name", true],
    ["props.age", true],
    ["props.t", true],
    ["props.full", true],
    ["props.filled", true],
    ["props.f", false],
    ["props.zero", false],
    ["props.empty", false],
    ["props.nothing", false],
    ["props.list", false],
    ["props.object", false],
    ["props.missing", false],
    ["props.missing.deeper", false],
    ["env.MISSING", false],
    ["missing", false],
    ["true", true],
    ["false", false],
    ["null", false],
    ["0", false],
    ["'0'", true],
    ["''", false],
  ])("%s is %s", (condition, expected) => {
    expect(holds(condition)).toBe(expected);
  });
});

describe("[T-condition] comparisons", () => {
  test.each([
    ['props.name == "Alice"', true],
    ["props.name == 'Alice'", true],
    ["props.name == `Alice`", true],
    ['props.name != "Bob"', true],
    ["props.age == 30", true],
    ["props.age >= 30", true],
    ["props.age <= 29", false],
    ["props.age>18", true],
    ["30 == props.age", true],
    ['"Alice" == props.name', true],
    ["props.t == true", true],
    ["props.f == false", true],
    ["props.t != false", true],
    ["props.nothing == null", true],
    ["props.name != null", true],
    // A boolean is not a number.
    ["props.t == 1", false],
    ["props.f == 0", false],
    ["props.t == 'true'", false],
    // A text that spells a number compares as one with a number, and as text with a text.
    ["env.N > 2", true],
    ["env.N == 3", true],
    ["3 == env.N", true],
    ["env.BIG > 9", true],
    ["props.n == '3'", true],
    ["props.n == '3.0'", true],
    ["env.N == '3.0'", false],
    ["env.WORD == 3", false],
    ["'' == 0", false],
    ["props.date > '2024-01-31'", true],
    ["'a' < 'b'", true],
    ["props.filled == props.same", true],
    ["props.filled == props.object", false],
    ["props.full == props.filled.a", false],
    ["props.list == props.object", false],
    ["props.q == 'a == b'", true],
    ["props.age > 10 and props.q == 'x > 1 == y'", false],
    ["props.name == ')'", false],
    ["props.name != ')'", true],
  ])("%s is %s", (condition, expected) => {
    expect(holds(condition)).toBe(expected);
  });

  test.each([
    ["props.missing == 'x'", false],
    ["props.missing != 'x'", true],
    ["props.missing == null", true],
    ["props.missing != null", false],
    ["props.missing == ''", false],
    ["props.missing == false", false],
    ["props.missing > 1", false],
    ["props.missing < 1", false],
    ["props.nothing > 1", false],
    ["props.q == 'props.q'", false],
    ["props.missing == 'props.missing'", false],
    ["props.missing + 1 > 0", false],
    ["not props.missing", true],
    ["props.missing or props.t", true],
    ["(props.missing | 5) > 4", true],
    ["props.missing | props.name", true],
  ])("a missing path counts as null: %s is %s", (condition, expected) => {
    expect(holds(condition)).toBe(expected);
  });

  test.each([
    ["props.status == active", true],
    ["props.status == inactive", false],
    ["props.status != active", false],
    ["props.region == us-east-1", true],
    ["props.region == us-west-2", false],
    ["(props.status == active) and props.t", true],
    ["props.status == in-progress", false],
  ])("[T-bareword] an unquoted word right of a comparison is that word: %s is %s", (condition, expected) => {
    expect(holds(condition)).toBe(expected);
  });

  test("[T-bareword] a loop variable of that name wins", () => {
    expect(
      render("@foreach(active in props.x)@if(props.s == active)same@endif@endforeach", {
        props: { x: ["on"], s: "on" },
      }),
    ).toBe("same");
  });

  test.each([
    "props.name > 1",
    "props.t > 0",
    "props.list > 1",
    "env.WORD >= 3",
    "props.object < props.filled",
  ])("%s is a type error", (condition) => {
    expect(failureOf(() => holds(condition))).toMatchObject({
      code: "template_type",
      message: expect.stringContaining("Cannot compare"),
    });
  });
});

describe("[T-condition] and, or, not", () => {
  test.each([
    ["props.t and props.name", true],
    ["props.t && props.f", false],
    ["props.f or props.name", true],
    ["props.f || props.f", false],
    ["not props.f", true],
    ["!props.t", false],
    ["!(props.t and props.f)", true],
    ["not(props.t)", false],
    ["((props.t))", true],
    ["props.age > 18 and props.name == 'Alice' or props.f", true],
  ])("%s is %s", (condition, expected) => {
    expect(holds(condition)).toBe(expected);
  });
});

describe("[T-if] branches", () => {
  const source = '@if(props.s == "a")A@elseif(props.s == "b")B@elseif(props.s == "c")C@else Other@endif';
  test.each([
    ["a", "A"],
    ["b", "B"],
    ["c", "C"],
    ["zzz", " Other"],
  ])("s = %s gives %j", (s, expected) => {
    expect(render(source, { props: { s } })).toBe(expected);
  });

  test.each([
    ["@if(props.t)x@endif", "x"],
    ["@if (props.t)x@endif", "x"],
    ["@if\t( props.t )x@endif", "x"],
    ["@if(\n  props.t\n  and props.age > 3\n)x@endif", "x"],
    ["@if(props.f)x@endif", ""],
    ["a@if(props.f)x@endif b", "a b"],
    ["Text @if(props.f)x@else Standard features available @endif.", "Text  Standard features available ."],
    ["@if(props.f)Pro@elseBasic@endif", "Basic"],
    ["@if(props.t)Pro@elseBasic@endifs", "Pros"],
    ["@if(props.f)你好@else再见@endif", "再见"],
  ])("%j gives %j", (source, expected) => {
    expect(render(source, world)).toBe(expected);
  });
});
