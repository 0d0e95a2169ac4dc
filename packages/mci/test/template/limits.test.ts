import { describe, expect, test } from "vitest";
import { cpuMs } from "../../../../test/cpu-time.ts";
import { compiler, failureOf, problemOf, render, renderText } from "./world.ts";

describe("[T-limits] caps on output, loops and depth", () => {
  test("output: the last character that fits, and the one that does not", () => {
    const limits = { maxTemplateOutput: 10 };
    expect(render("{{props.x}}", { props: { x: "0123456789" }, limits })).toHaveLength(10);
    for (const source of ["{{props.x}}!", "@foreach(y in props.list)abcd@endforeach"]) {
      const failure = failureOf(() =>
        render(source, { props: { x: "0123456789", list: [1, 2, 3] }, limits }),
      );
      expect(failure).toMatchObject({
        code: "template_limit",
        message: expect.stringContaining("10 characters"),
      });
    }
    expect(
      failureOf(() => renderText("{{props.x}}{{props.x}}", { props: { x: "012345" }, limits })).code,
    ).toBe("template_limit");
  });

  test("loops: rounds of all loops are added up, empty bodies too", () => {
    const limits = { maxTemplateLoops: 100 };
    expect(render("@for(i in range(0, 100))x@endfor", { limits })).toHaveLength(100);
    for (const source of [
      "@for(i in range(0, 101))x@endfor",
      "@for(i in range(0, 60))x@endfor@for(i in range(0, 60))x@endfor",
      "@for(i in range(0, 10))@for(j in range(0, 10))@endfor@endfor",
      "@for(i in range(0, 9007199254740991))@endfor",
      "@for(i in range(0, -9007199254740991, -1))@endfor",
      "@foreach(x in props.list)@foreach(y in props.list)@endforeach@endforeach",
    ]) {
      const list = Array.from({ length: 20 });
      expect(failureOf(() => render(source, { props: { list }, limits }))).toMatchObject({
        code: "template_limit",
      });
    }
  });

  test.each([
    ["parentheses", (n: number) => `{{${"(".repeat(n)}1${")".repeat(n)}}}`, 100],
    ["indexes", (n: number) => `{{${"props[".repeat(n)}0${"]".repeat(n)} | 1}}`, 100],
    ["not", (n: number) => `{{${"!".repeat(n)}true}}`, 100],
    ["minus", (n: number) => `{{${"- ".repeat(n)}1}}`, 100],
    ["@if", (n: number) => `${"@if(true)".repeat(n)}x${"@endif".repeat(n)}`, 100],
    ["@foreach", (n: number) => `${"@foreach(x in props.one)".repeat(n)}x${"@endforeach".repeat(n)}`, 100],
  ])("depth of %s", (_name, nest, most) => {
    const world = { props: { one: [1] } };
    expect(typeof render(nest(most), world)).toBe("string");
    for (const depth of [most + 1, 5000]) {
      expect(problemOf(nest(depth)).message).toContain("100 levels deep");
      expect(failureOf(() => render(nest(depth), world)).code).toBe("template_limit");
    }
  });

  test("long chains are not deep", () => {
    const n = 10_000;
    expect(renderText(`{{${"1 + ".repeat(n)}1}}`)).toBe(String(n + 1));
    expect(renderText(`{{${"props.x | ".repeat(n)}'last'}}`)).toBe("last");
    expect(renderText(`{{${"true and ".repeat(n)}'last'}}`)).toBe("last");
    expect(render(`@if(false)x${"@elseif(false)x".repeat(n)}@else y@endif`)).toBe(" y");
  });
});

describe("[T-limits] parsing takes linear time", () => {
  /** Sources that make careless parsers quadratic or worse, each of tens of thousands of characters. */
  const sources: [string, string][] = [
    ["directives", "@if(props.a)x@endif ".repeat(4000)],
    ["unterminated directives", "@if(a) x ".repeat(4000)],
    ["unterminated branches", `@if(a)${"@elseif(b)x".repeat(4000)}`],
    ["unclosed braces", "{{ ".repeat(40_000)],
    ["unclosed quotes", "{{ ' ".repeat(40_000)],
    ["quotes that do not end", `{{'${"' a".repeat(40_000)}`],
    ["unclosed escapes", "@{{ ".repeat(40_000)],
    ["at signs", "@".repeat(120_000)],
    ["blanks around directives", `@if(a)${" ".repeat(120_000)}@endif`.repeat(2)],
    ["stray ends", "@else".repeat(40_000)],
    ["open parentheses", `@if${"(".repeat(80_000)}`],
    ["dots", `{{props${".a".repeat(40_000)} | 1}}`],
    ["hyphens", `{{props.a${"-a".repeat(40_000)} | 1}}`],
    ["verbatim", "@verbatim@endverbatim".repeat(8000)],
    ["native", "{!!a!!}".repeat(8000)],
  ];

  test.each(sources)("%s", (_name, source) => {
    const compile = compiler();
    const start = cpuMs();
    const template = compile.template(source, []);
    expect(cpuMs() - start).toBeLessThan(800);
    expect(template).toBeDefined();
  });

  test("a loop over many rows costs each row the same", () => {
    const rows = Array.from({ length: 20_000 }, (_, id) => ({ id, name: `row ${id}`, even: id % 2 === 0 }));
    const source =
      "@foreach(r in props.rows)\n- {{r.id}} {{r.name}} @if(r.even)even@else odd@endif\n@endforeach\n";
    const start = cpuMs();
    const text = render(source, { props: { rows }, limits: { maxTemplateOutput: 10_000_000 } });
    expect(cpuMs() - start).toBeLessThan(800);
    expect(text.split("\n")).toHaveLength(20_000 + 1);
    expect(text.endsWith("- 19999 row 19999  odd\n")).toBe(true);
  });
});
