import { describe, expect, test } from "vitest";
import { failureOf, problemOf, render } from "./world.ts";

describe("[T-if] @for", () => {
  test.each([
    ["@for(i in range(0, 3)){{i}},@endfor", "0,1,2,"],
    ["@for (i in range(1,4)) {{ i }}@endfor", " 1 2 3"],
    ["@for( i  in  range( 0 , 2 ) ){{i}}@endfor", "01"],
    ["@for(i in range(3, 3))x@endfor", ""],
    ["@for(i in range(3, 0))x@endfor", ""],
    ["@for(i in range(0, 10, 3)){{i}} @endfor", "0 3 6 9 "],
    ["@for(i in range(3, 0, -1)){{i}}@endfor", "321"],
    ["@for(i in range(-2, 1)){{i}} @endfor", "-2 -1 0 "],
    ["@for(i in range(0, props.n)){{i + 1}}@endfor", "123"],
    ["@for(i in range(props.n - 1, props.n + 1)){{i}}@endfor", "23"],
    ["@for(i in range(0, env.COUNT)){{i}}@endfor", "01"],
    ["@for(i in range(0, props.list.length)){{props.list[i]}}@endfor", "abc"],
    ["@for(i in range(1, props.list.length)){{props.list[i-1]}}@endfor", "ab"],
    ["@for(i in range(0, props.none | 2)){{i}}@endfor", "01"],
    ["@for(i in range(0, 2))A{{i}}@endfor-@for(j in range(0, 2))B{{j}}@endfor", "A0A1-B0B1"],
  ])("%s gives %j", (source, expected) => {
    expect(render(source, { props: { n: 3, list: ["a", "b", "c"] }, env: { COUNT: "2" } })).toBe(expected);
  });

  test.each([
    ["@for(i in range(0, 3, 0))x@endfor", "template_type", "must not be 0"],
    ["@for(i in range(0, 1.5))x@endfor", "template_type", "whole numbers"],
    ["@for(i in range(0, props.s))x@endfor", "template_type", "whole numbers, got string"],
    ["@for(i in range(0, props.none))x@endfor", "template_missing", "props.none"],
  ])("%s fails with %s", (source, code, message) => {
    const failure = failureOf(() => render(source, { props: { s: "many" } }));
    expect(failure.code).toBe(code);
    expect(failure.message).toContain(message);
  });

  test.each([
    "@for(i in range(3))",
    "@for(i in props.list)",
    "@for(range(0, 3))",
    "@for()",
    "@for(i range(0, 3))",
    "@for(1 in range(0, 3))",
    "@for(i in range(0, 3) x)",
  ])("the header %s is reported at load, with the right form as a hint", (header) => {
    expect(problemOf(`${header}x@endfor`).message).toMatch(/missing|unexpected/);
  });
});

describe("[T-if] @foreach", () => {
  const world = {
    props: {
      items: ["apple", "banana"],
      users: [
        { name: "Ann", tags: ["x", "y"], active: true },
        { name: "Bo", tags: [], active: false },
      ],
      config: { host: "localhost", port: 8080 },
      nested: { a: { key: "own", v: 1 }, b: { key: "own2", v: 2 } },
      empty: [],
      none: {},
      matrix: [[1, 2], [3]],
      nothing: null,
      text: "string",
    },
    env: { LIST: ["e1", "e2"] },
  };

  test.each([
    ["@foreach(item in props.items){{item}}, @endforeach", "apple, banana, "],
    ["@foreach (item in props.items){{item}}@endforeach", "applebanana"],
    ["@foreach(u in props.users){{u.name}}:{{u.tags.length}} @endforeach", "Ann:2 Bo:0 "],
    ["@foreach(u in props.users)@if(u.active)Y@else N@endif@endforeach", "Y N"],
    [
      "@foreach(u in props.users){{u}}@endforeach",
      JSON.stringify(world.props.users[0]) + JSON.stringify(world.props.users[1]),
    ],
    ["@foreach(row in props.matrix)@foreach(cell in row){{cell}};@endforeach|@endforeach", "1;2;|3;|"],
    ["@foreach(u in props.users)@foreach(t in u.tags){{u.name}}{{t}} @endforeach@endforeach", "Annx Anny "],
    ["@foreach(i, item in props.items){{i}}={{item}} @endforeach", "0=apple 1=banana "],
    ["@foreach(k, v in props.config){{k}}={{v}} @endforeach", "host=localhost port=8080 "],
    ["@foreach(k,v in props.nested){{k}}:{{v.key}}:{{v.v}} @endforeach", "a:own:1 b:own2:2 "],
    ["@foreach(x in props.empty){{x}}@endforeach", ""],
    ["@foreach(x in props.none){{x}}@endforeach", ""],
    ["@foreach(x in env.LIST){{x}}@endforeach", "e1e2"],
    ["@foreach(x in props.missing | props.items){{x}} @endforeach", "apple banana "],
    [
      "@foreach(x in props.items)@foreach(x in props.config){{x}}@endforeach{{x}} @endforeach",
      "localhost8080apple localhost8080banana ",
    ],
    ["@foreach(props in props.items){{props}}@endforeach", "applebanana"],
  ])("%s gives %j", (source, expected) => {
    expect(render(source, world)).toBe(expected);
  });

  test.each([
    ["@foreach(v in props.config){{v.key}}={{v}} @endforeach", "host=localhost port=8080 "],
    ["@foreach(v in props.nested){{v.key}}:{{v.v}} @endforeach", "a:1 b:2 "],
    ["@foreach(v in props.config)@if(v.key == 'host'){{v}}@endif@endforeach", "localhost"],
  ])("[T-if] over an object with one variable, .key is the key: %s", (source, expected) => {
    expect(render(source, world)).toBe(expected);
  });

  test("a loop variable is gone after its loop", () => {
    expect(failureOf(() => render("@foreach(x in props.items)@endforeach{{x}}", world)).code).toBe(
      "template_missing",
    );
  });

  test.each([
    ["props.text", "template_type", "@foreach requires an array or object, got string"],
    ["props.nothing", "template_type", "got null"],
    ["props.missing", "template_missing", "Template variable not found: props.missing"],
  ])("over %s it fails with %s", (path, code, message) => {
    const failure = failureOf(() => render(`@foreach(x in ${path})x@endforeach`, world));
    expect(failure.code).toBe(code);
    expect(failure.message).toContain(message);
  });

  test.each([
    "@foreach(in props.x)",
    "@foreach(x of props.x)",
    "@foreach(x, in props.x)",
    "@foreach(x in)",
    "@foreach(true in props.x)",
    "@foreach(a, b, c in props.x)",
  ])("the header %s is reported at load", (header) => {
    expect(problemOf(`${header}x@endforeach`).message).toMatch(/missing|unexpected/);
  });
});
