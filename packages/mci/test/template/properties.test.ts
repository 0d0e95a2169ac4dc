import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ToolError } from "../../src/errors.ts";
import { OMITTED } from "../../src/template-api.ts";
import { compiler, render, renderText, scopeOf, type World } from "./world.ts";

const SECRET = "s3cr3t-never-named";
const RUNS = { numRuns: 100 };

/** Pieces of the language, whole and broken, to be thrown together at random. */
const fragment = fc.oneof(
  fc.constantFrom(
    ..."{{ }} {!! !!} { } ( ) [ ] | || && ! == != < > = + - * / % . , ' \" ` @ @@ @{{ \\ \n \r\n".split(" "),
    ..."@if( @if(props.a) @elseif(props.b) @else @endif @for(i in range(0, 3)) @endfor @verbatim @endverbatim".split(
      / (?=@)/,
    ),
    ..."@foreach(x in props.list) @foreach(k, v in props.o) @endforeach @include('f') @elsewhere a@b.com".split(
      / (?=@)|(?<=\)) /,
    ),
    ..."{{props.a}} {{props.none}} {{props.none|'x'}} {{x}} {{i + 1}} {!!props.o!!} props.a props.list[0] x i and or not true null 1 2.5".split(
      " ",
    ),
  ),
  fc.string({ maxLength: 5 }),
);
const soup = fc.array(fragment, { maxLength: 25 }).map((parts) => parts.join(""));

const hostile = fc.oneof(
  fc.string(),
  fc.constantFrom(
    "{{env.SECRET}}",
    "{!!env.SECRET!!}",
    "@if(env.SECRET){{env.SECRET}}@endif",
    "@include('x')",
    "$&",
    "\\1",
    "@{{",
    "}}",
  ),
);

function outcomeOf(action: () => unknown): { text: string; failed: boolean } {
  try {
    const result = action();
    return { text: result === OMITTED ? "" : String(result), failed: false };
  } catch (error) {
    expect(error).toBeInstanceOf(ToolError);
    return { text: (error as ToolError).message, failed: true };
  }
}

describe("for any text", () => {
  const world: World = {
    props: { a: "A", b: 0, list: ["{{env.SECRET}}", 2, null], o: { k: "{{env.SECRET}}" } },
    env: { SECRET, NESTED: { deep: [SECRET] } },
    absent: ["opt"],
  };

  test("compiling and rendering throws nothing but ToolError, and env values that are not named never appear", () => {
    fc.assert(
      fc.property(soup, (source) => {
        fc.pre(!source.includes("env"));
        for (const action of [() => render(source, world), () => renderText(source, world)]) {
          expect(outcomeOf(action).text).not.toContain(SECRET);
        }
      }),
      { numRuns: 400 },
    );
  });

  test("what is malformed is reported once, and fails when rendered; what is not reported may still miss a variable", () => {
    fc.assert(
      fc.property(soup, (source) => {
        const compile = compiler();
        const template = compile.template(source, []);
        expect(compile.problems.length).toBeLessThanOrEqual(1);
        for (const { offset } of compile.problems) expect(offset).toBeLessThanOrEqual(source.length);
        if (compile.problems.length > 0) expect(() => template.render(scopeOf(world))).toThrow(ToolError);
      }),
      { numRuns: 200 },
    );
  });

  test("without braces and at signs a text is itself", () => {
    fc.assert(
      fc.property(
        fc.string().map((text) => text.replaceAll(/[{@]/g, "")),
        (text) => {
          expect(render(text)).toBe(text);
          expect(renderText(text)).toBe(text);
        },
      ),
      RUNS,
    );
  });

  test("the output grows no faster than the text and its values", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            hostile.map((text) => text.replaceAll(/[{@]/g, "")),
            fc.constant("{{props.x}}"),
          ),
        ),
        hostile,
        (parts, x) => {
          const source = parts.join("");
          expect(render(source, { props: { x } }).length).toBeLessThanOrEqual(
            source.length + parts.length * x.length,
          );
        },
      ),
      RUNS,
    );
  });
});

describe("for any value", () => {
  test("a string comes out as it went in, at every place a value can stand", () => {
    fc.assert(
      fc.property(hostile, (x) => {
        const world = { props: { x, list: [x], o: { [x]: x } }, env: { SECRET } };
        expect(renderText("{{props.x}}", world)).toBe(x);
        expect(render("{{props.x}}", world)).toBe(x);
        expect(render("@foreach(y in props.list){{y}}@endforeach", world)).toBe(x);
        expect(render("@foreach(k, v in props.o){{k}}|{{v}}@endforeach", world)).toBe(`${x}|${x}`);
        expect(render("@if(props.x == props.list[0]){{props.none | props.x}}@endif", world)).toBe(x);
      }),
      RUNS,
    );
  });

  test("everything else prints as JSON, and native it is the same value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (x) => {
        const scope = scopeOf({ props: { x } });
        const expected = typeof x === "string" ? x : JSON.stringify(x);
        expect(compiler().text("{{props.x}}", []).render(scope)).toBe(expected);
        expect(compiler().text("{!!props.x!!}", []).value(scope)).toEqual({ value: x, origin: "props" });
      }),
      RUNS,
    );
  });

  test("equal values are equal, and comparisons agree with each other", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const world = { props: { a, b, copy: structuredClone(a) } };
        expect(render("{{props.a == props.copy}}", world)).toBe("true");
        expect(render("{{(props.a == props.b) != (props.a != props.b)}}", world)).toBe("true");
      }),
      RUNS,
    );
  });

  test("parts join to the text, and every part of the caller is marked as such", () => {
    fc.assert(
      fc.property(hostile, hostile, (p, e) => {
        const scope = scopeOf({ props: { p }, env: { e } });
        const text = compiler().text("a{{props.p}}b{{env.e}}c{{env.e + props.p}}", []);
        const parts = text.parts(scope);
        if (parts === OMITTED) return expect.unreachable();
        expect(parts.map((part) => part.text).join("")).toBe(text.render(scope));
        expect(parts.map((part) => part.origin)).toEqual([
          "author",
          "props",
          "author",
          "env",
          "author",
          "props",
        ]);
      }),
      RUNS,
    );
  });
});
