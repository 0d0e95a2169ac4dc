import { describe, expect, test } from "vitest";
import { references } from "./references.ts";

const short = (source: string, mode: "text" | "template" | "path" = "template") =>
  references(source, mode).references.map(
    ({ root, path, hasFallback }) => `${[root, ...path].join(".")}${hasFallback ? "?" : ""}`,
  );

describe("[T-references] what a text reads, without rendering it", () => {
  test.each([
    ["{{env.A}}", ["env.A"]],
    ["{{ env.A }}", ["env.A"]],
    ["{{env.A|'x'}}", ["env.A?"]],
    ["{{props.x|env.A}}", ["props.x?", "env.A"]],
    ["{!!env.A!!}", ["env.A"]],
    ["{{input.x}} {{properties.y}}", ["props.x", "props.y"]],
    ['{{env["A B"].c[0]}}', ["env.A B.c.0"]],
    ["{{env.MY-VAR}}", ["env.MY-VAR"]],
    ["{{env}}", ["env"]],
    ["{{props.list[props.i].name}}", ["props.list", "props.i"]],
    ["{{(env.A | env.B) + props.x}}", ["env.A?", "env.B", "props.x"]],
    ["@if(env.A)x@endif", ["env.A?"]],
    [
      "@if(env.A == 'x' and not props.b)x@elseif(env.C)y@else{{env.D}}@endif",
      ["env.A?", "props.b?", "env.C?", "env.D"],
    ],
    ["@foreach(x in env.LIST){{x.name}}{{props.y}}@endforeach", ["env.LIST", "props.y"]],
    ["@for(i in range(env.A, props.n, env.S)){{i}}@endfor", ["env.A", "props.n", "env.S"]],
    ["@foreach(env in props.list){{env.A}}@endforeach{{env.B}}", ["props.list", "env.B"]],
    ["@foreach(k, props in env.O){{props.x}}{{k}}@endforeach", ["env.O"]],
    ["@{{env.NO}} @verbatim{{env.NO}}@endverbatim {{'env.NO'}} env.NO", []],
    ["{{ broken", []],
    ["plain", []],
  ])("%s reads %j", (source, expected) => {
    expect(short(source)).toEqual(expected);
  });

  test("in a setting directives are text", () => {
    expect(short("@if(env.A) {{env.B}}", "text")).toEqual(["env.B"]);
  });

  test("a bare path is one reference", () => {
    expect(references("env.A.b", "path").references).toEqual([
      { root: "env", path: ["A", "b"], hasFallback: true, offset: 0 },
    ]);
    expect(short("nonsense", "path")).toEqual([]);
  });

  test("offsets point at the path", () => {
    const source = "ab {{ props.x | env.A }}";
    const found = references(source, "text").references;
    expect(found.map(({ offset }) => source.slice(offset, offset + 5))).toEqual(["props", "env.A"]);
  });

  test("included files are listed", () => {
    const { includes } = references("@include('a')@if(x)@include('b')@endif@include('a')", "template");
    expect([...includes.keys()]).toEqual(["a", "b"]);
  });

  test("an included file sees the variables of the loops around, wherever it is included", () => {
    const source =
      "@foreach(k, v in props.o)@include('a')@for(i in range(0, 1))@include('b')@endfor@endforeach" +
      "@for(n in range(0, 1))@include('a')@endfor";
    expect(Object.fromEntries(references(source, "template").includes)).toEqual({
      a: ["v", "k", "n"],
      b: ["v", "k", "i"],
    });
  });
});

describe("[T-unknown-names] names that begin with neither a root nor a loop variable", () => {
  const unknown = (source: string, variables?: readonly string[]) =>
    references(source, "template", variables).unknown.map(({ text }) => text);

  test.each([
    ["{{prop.name}} {{ENV.X}} {{name}}", ["prop.name", "ENV.X", "name"]],
    ["{{prop.a | propz.b | 'c'}}", ["prop.a", "propz.b"]],
    ["@if(prop.a == x and not y)z@endif", ["prop.a", "y"]],
    ["@foreach(x in prop.list){{x.a}}{{y}}@endforeach{{x}}", ["prop.list", "y", "x"]],
    ["@for(i in range(0, n)){{i}}@endfor", ["n"]],
    ["{{props.list[i].name}}", ["i"]],
    ["@foreach(k, v in props.o){{k}}{{v}}{{props.o[k]}}@endforeach", []],
    ["{{input.a}}{{properties.b}}{{props.c}}{{env.D}}", []],
    ["{{'prop.a'}} @{{prop.b}} @verbatim{{prop.c}}@endverbatim {{true}} {{null}}", []],
    ["@if(props.status == active)x@endif", []],
  ])("%s has %j", (source, expected) => {
    expect(unknown(source)).toEqual(expected);
  });

  test("an included file may use the variables of the loops around", () => {
    expect(unknown("{{item.name}}{{other}}", ["item"])).toEqual(["other"]);
  });
});
