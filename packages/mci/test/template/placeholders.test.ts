import { describe, expect, test } from "vitest";
import { compiler, failureOf, render, renderText, scopeOf } from "./world.ts";

const world = {
  props: {
    name: "Alice",
    age: 30,
    half: 0.5,
    yes: true,
    nothing: null,
    empty: "",
    tags: ["a", 1, true, null],
    user: { name: "Bob", "odd key": "odd", "a.b": "dotted", roles: [{ id: 7 }] },
    "content-type": "json",
    "@type": "Person",
    größe: "groß",
    length: "own",
  },
  env: { API_KEY: "k-123", "MY-VAR": "hyphen", LIST: ["x", "y"] },
};

describe("placeholders", () => {
  test.each([
    ["{{props.name}}", "Alice"],
    ["{{ props.name }}", "Alice"],
    ["{{\n\tprops.name\n}}", "Alice"],
    ["Hi {{props.name}}, {{props.age}}!", "Hi Alice, 30!"],
    ["{{props.name}}{{props.age}}", "Alice30"],
    ["{{env.API_KEY}}", "k-123"],
    ['{"age": {{props.age}}}', '{"age": 30}'],
    ["", ""],
    ["plain", "plain"],
    ["a { b } c {{}} d }}", "a { b } c {{}} d }}"],
    ["costs $ {{props.age}}", "costs $ 30"],
  ])("%j gives %j in settings and in large texts", (source, expected) => {
    expect(renderText(source, world)).toBe(expected);
    expect(render(source, world)).toBe(expected);
  });

  test.each(["props", "input", "properties"])("[T-roots] %s reaches the properties", (root) => {
    expect(renderText(`{{${root}.name}}`, world)).toBe("Alice");
  });

  test.each([
    ["{{props.name}}", "Alice"],
    ["{{props.empty}}", ""],
    ["{{props.age}}", "30"],
    ["{{props.half}}", "0.5"],
    ["{{props.yes}}", "true"],
    ["{{props.nothing}}", "null"],
    ["{{props.tags}}", '["a",1,true,null]'],
    ["{{props.user.roles}}", '[{"id":7}]'],
    ["{{env.LIST}}", '["x","y"]'],
  ])("[T-print] %j prints %j: strings as they are, everything else as JSON", (source, expected) => {
    if (expected === undefined)
      expect(failureOf(() => renderText(source, world)).code).toBe("template_syntax");
    else expect(renderText(source, world)).toBe(expected);
  });

  test.each([
    [1e21, "1e+21"],
    [-0, "0"],
    [1e-7, "1e-7"],
    [2, "2"],
    [Number.NaN, "null"],
    [12345678901234567890n, "12345678901234567890"],
    [{ b: undefined, a: [undefined] }, '{"a":[null]}'],
  ])("[T-print] the value %s prints as %s", (value, expected) => {
    expect(renderText("{{props.x}}", { props: { x: value } })).toBe(expected);
  });

  test("[T-print] a value that JSON cannot express is an error, not a crash", () => {
    const loop: Record<string, unknown> = {};
    loop["self"] = loop;
    let deep: unknown = 1;
    for (let depth = 0; depth < 100_000; depth++) deep = [deep];
    for (const x of [loop, deep]) {
      expect(failureOf(() => renderText("{{props.x}}", { props: { x } })).code).toBe("template_type");
    }
  });
});

describe("paths", () => {
  test.each([
    ["{{props.user.name}}", "Bob"],
    ["{{props.tags[0]}}", "a"],
    ["{{props.tags.1}}", "1"],
    ["{{props.user.roles[0].id}}", "7"],
    ["{{props.user.roles.0.id}}", "7"],
    ['{{props.user["odd key"]}}', "odd"],
    ["{{props.user['odd key']}}", "odd"],
    ["{{props.user[`a.b`]}}", "dotted"],
    ["{{props.tags.length}}", "4"],
    ["{{props.name.length}}", "5"],
    ["{{props.length}}", "own"],
    ["{{props.tags[props.tags.length - 3]}}", "1"],
    ["{{props.content-type}}", "json"],
    ["{{env.MY-VAR}}", "hyphen"],
    ["{{props.@type}}", "Person"],
    ["{{props.größe}}", "groß"],
    ['{{env["API_KEY"]}}', "k-123"],
  ])("[T-path] %s gives %s", (source, expected) => {
    expect(renderText(source, world)).toBe(expected);
  });

  test.each([
    "props.constructor",
    "props.__proto__",
    "props.user.toString",
    "props.user.hasOwnProperty",
    "props.tags.map",
    "props.tags.constructor",
    "props.name.constructor",
    "props.name[0]",
    "props.age.toFixed",
    'props["__proto__"]',
    "env.constructor.constructor",
    "props.tags[4]",
    "props.tags[-1]",
    "props.tags[0.5]",
    "props.nothing.x",
    "constructor",
    "__proto__",
    "path_validation",
    "process",
    "globalThis",
  ])("[T-path] %s is not reachable: own properties only", (path) => {
    expect(failureOf(() => renderText(`{{${path}}}`, world)).code).toBe("template_missing");
  });

  test("an own property called __proto__ is a property like any other", () => {
    const props = JSON.parse('{"__proto__": {"x": "own"}}');
    expect(renderText("{{props.__proto__.x}}", { props })).toBe("own");
  });

  test("a property that is undefined counts as missing", () => {
    expect(renderText("{{props.x | 'none'}}", { props: { x: undefined } })).toBe("none");
  });

  test("a bare path resolves to a value with its origin, or to undefined", () => {
    const compile = compiler();
    const scope = scopeOf(world);
    expect(compile.path("props.tags[1]", []).resolve(scope)).toEqual({ value: 1, origin: "props" });
    expect(compile.path(" env.API_KEY ", []).resolve(scope)).toEqual({ value: "k-123", origin: "env" });
    expect(compile.path("props.nothing", []).resolve(scope)).toEqual({ value: null, origin: "props" });
    expect(compile.path("props.none", []).resolve(scope)).toBeUndefined();
    expect(compile.problems).toEqual([]);
  });

  test.each([
    ["{{props.x}}", "without braces"],
    ["verbose", "begins with props or env"],
    ["props.a | props.b", "unexpected"],
    ["", "a path is missing"],
    ["'x'", "a path is missing"],
    ["props.", "a name is missing"],
  ])("the bare path %j is reported at load", (source, message) => {
    const compile = compiler();
    const path = compile.path(source, ["flags", "-v", "from"]);
    expect(compile.problems).toMatchObject([
      { place: ["flags", "-v", "from"], message: expect.stringContaining(message) },
    ]);
    expect(failureOf(() => path.resolve(scopeOf())).code).toBe("template_syntax");
  });

  test.each([
    ["verbose", "write props.verbose"],
    ["prop.verbose", "write props.verbose"],
    ["ENV.DEBUG", "write env.DEBUG"],
  ])("the hint for the bare path %j: %s", (source, hint) => {
    const compile = compiler();
    compile.path(source, []);
    expect(compile.problems).toMatchObject([{ hint }]);
  });
});
