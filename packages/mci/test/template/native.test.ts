import { describe, expect, test } from "vitest";
import { OMITTED } from "../../src/template-api.ts";
import { compiler, failureOf, problemOf, render, renderText, scopeOf, type World } from "./world.ts";

const world: World = {
  props: { o: { a: 1 }, list: [1, "b"], n: 3, t: true, s: "text", nothing: null },
  env: { LIST: ["x"], NAME: "n" },
  absent: ["opt", "opt2"],
};

const nativeOf = (source: string) => compiler().text(source, []).value(scopeOf(world));
const valuesOf = (source: unknown) => compiler().value(source, []).render(scopeOf(world));

describe("[T-value] {!! … !!} as the whole value keeps its type", () => {
  test.each([
    ["{!!props.o!!}", { a: 1 }, "props"],
    ["{!! props.list !!}", [1, "b"], "props"],
    ["{!!props.n!!}", 3, "props"],
    ["{!!props.t!!}", true, "props"],
    ["{!!props.nothing!!}", null, "props"],
    ["{!!env.LIST!!}", ["x"], "env"],
    ["{!!props.none | env.NAME!!}", "n", "env"],
    ["{!!props.none | 5!!}", 5, "author"],
    ["{!!props.opt | null!!}", null, "author"],
    ["{!!props.none | '!!}' !!}", "!!}", "author"],
    ["{!! !props.t !!}", false, "props"],
    ["{!!props.n + 1!!}", 4, "props"],
    ["  {!!props.o!!}\n", { a: 1 }, "props"],
  ])("%s", (source, value, origin) => {
    const text = compiler().text(source, []);
    expect(text.isNative).toBe(true);
    expect(text.value(scopeOf(world))).toEqual({ value, origin });
  });

  test("printed it looks as in {{ }}, in settings and as a whole large text", () => {
    expect(renderText("{!!props.o!!}", world)).toBe('{"a":1}');
    expect(renderText("{!!props.s!!}", world)).toBe("text");
    expect(render("{!!props.list!!}\n", world)).toBe('[1,"b"]');
  });

  test("any other text's value is its string", () => {
    expect(nativeOf("{{props.n}}")).toEqual({ value: "3", origin: "props" });
    expect(nativeOf("plain")).toEqual({ value: "plain", origin: "author" });
  });

  test.each(["a {!!props.o!!}", "{!!props.o!!} b", "{!!props.o!!}{!!props.n!!}", "{!!props.o!!}{{props.n}}"])(
    "mixed with text it is an error at load: %s",
    (source) => {
      for (const mode of ["text", "template"] as const) {
        expect(problemOf(source, mode)).toMatchObject({
          message: expect.stringContaining("cannot stand beside other text"),
        });
      }
    },
  );

  test("inside of a block it is mixed, too", () => {
    expect(problemOf("@if(props.t){!!props.o!!}@endif").message).toContain("cannot stand beside");
  });

  test.each(["{!!props.o", "{!!props.o!}", "{!!!!}", "{!! props.o }}"])("%s is malformed", (source) => {
    expect(problemOf(source, "text").message).not.toBe("");
  });
});

describe("[T-value] JSON values", () => {
  test("strings at any depth are rendered, everything else stays", () => {
    const source = {
      a: "{{props.n}}",
      b: ["{!!props.n!!}", { c: "x {{props.s}}", d: [null, 1, true, "plain"] }],
      "{{key}}": 1,
    };
    expect(valuesOf(source)).toEqual({
      a: "3",
      b: [3, { c: "x text", d: [null, 1, true, "plain"] }],
      "{{key}}": 1,
    });
    expect(source.a).toBe("{{props.n}}");
  });

  test("a whole value may be one placeholder", () => {
    expect(valuesOf("{!!props.o!!}")).toEqual({ a: 1 });
    expect(valuesOf("{{props.s}}")).toBe("text");
  });

  test("a value without placeholders is handed out as it is", () => {
    const source = { a: [1, "b", { c: null }] };
    expect(valuesOf(source)).toBe(source);
  });

  test("escapes are resolved", () => {
    expect(valuesOf({ a: "@{{ x }}" })).toEqual({ a: "{{ x }}" });
  });

  test("a key called __proto__ stays a key", () => {
    const result = valuesOf(JSON.parse('{"__proto__": "{{props.s}}"}')) as object;
    expect(Object.entries(result)).toEqual([["__proto__", "text"]]);
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  });

  test("every malformed string is reported with its place", () => {
    const compile = compiler();
    compile.value({ a: "{{", b: ["ok", "{{ 1 + }}"], "c d": { e: "x {!!y!!}" } }, ["body"]);
    expect(compile.problems.map(({ place }) => place)).toEqual([
      ["body", "a"],
      ["body", "b", 1],
      ["body", "c d", "e"],
    ]);
  });

  test("nesting beyond the limit is reported, not a stack overflow", () => {
    let deep: unknown = "{{props.n}}";
    for (let depth = 0; depth < 50_000; depth++) deep = [deep];
    const compile = compiler();
    const value = compile.value(deep, ["body"]);
    expect(compile.problems).toMatchObject([{ message: expect.stringContaining("100 levels deep") }]);
    expect(failureOf(() => value.render(scopeOf(world))).code).toBe("template_limit");
  });
});

describe("[T-drop] a declared optional property that was not given", () => {
  test.each([
    "{{props.opt}}",
    "{!!props.opt!!}",
    "{{input.opt}}",
    "{{ properties.opt }}",
    " {{props.opt}}\n",
    "{{props.opt.deeper}}",
    "{{props.opt | props.opt2}}",
  ])("as the sole content drops the setting: %j", (source) => {
    const text = compiler().text(source, []);
    const scope = scopeOf(world);
    expect([text.render(scope), text.parts(scope), text.value(scope)]).toEqual([OMITTED, OMITTED, OMITTED]);
  });

  test("drops keys of objects and items of arrays, at any depth", () => {
    const source = {
      keep: "{{props.s}}",
      gone: "{{props.opt}}",
      list: ["a", "{!!props.opt!!}", "{{props.s}}"],
      inner: { gone: "{!!props.opt!!}" },
    };
    expect(valuesOf(source)).toEqual({ keep: "text", list: ["a", "text"], inner: {} });
    expect(valuesOf("{!!props.opt!!}")).toBe(OMITTED);
  });

  test("a fallback is used instead of dropping", () => {
    expect(valuesOf({ a: "{{props.opt | 'x'}}", b: "{!!props.opt | null!!}" })).toEqual({ a: "x", b: null });
  });

  test("null was given, so it is not dropped", () => {
    expect(valuesOf({ a: "{{props.nothing}}", b: "{!!props.nothing!!}" })).toEqual({ a: "null", b: null });
  });

  test.each(["a {{props.opt}}", "{{props.opt}}{{props.s}}", "{{props.opt + 1}}", "{{props.opt == 1}}"])(
    "inside a longer text it is an error that suggests a fallback: %s",
    (source) => {
      const failure = failureOf(() => renderText(source, world));
      expect(failure.code).toBe("template_missing");
      expect(failure.message).toMatch(/^Template variable not found: props\.opt/);
      expect(failure.message).toContain("{{props.opt | ''}}");
    },
  );

  test("a loop over it is an error that tells how to skip the loop", () => {
    const source = "@foreach(x in props.opt)x@endforeach";
    expect(failureOf(() => render(source, world)).message).toContain(
      "put the loop between @if(props.opt) and @endif",
    );
    expect(render(`@if(props.opt)${source}@endif`, world)).toBe("");
  });

  test("a large text is never dropped", () => {
    expect(failureOf(() => render("{{props.opt}}", world)).message).toContain("{{props.opt | ''}}");
  });

  test.each(["{{props.unknown}}", "{{env.opt}}", "{{props.opt | env.NO}}", "{{props.o.opt}}"])(
    "%s is missing, not absent",
    (source) => {
      expect(failureOf(() => renderText(source, world)).code).toBe("template_missing");
    },
  );
});
