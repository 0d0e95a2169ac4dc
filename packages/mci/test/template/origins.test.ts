import { describe, expect, test } from "vitest";
import { compiler, render, scopeOf } from "./world.ts";

const world = {
  props: { p: "P", list: ["l"], map: { k: "m" }, key: "k" },
  env: { E: "E", CONFIG: { token: "t1", inner: ["t2", 5] }, OTHER: "never", KEY: "k" },
  absent: ["opt"],
};

const partsOf = (source: string) => compiler().text(source, []).parts(scopeOf(world));

describe("[T-origin] every run of text knows where it comes from", () => {
  test("author, env and props, unmerged, in order", () => {
    expect(partsOf("https://{{env.E}}/{{props.p}}/x{{'lit' | props.p}}")).toEqual([
      { text: "https://", origin: "author" },
      { text: "E", origin: "env" },
      { text: "/", origin: "author" },
      { text: "P", origin: "props" },
      { text: "/x", origin: "author" },
      { text: "lit", origin: "author" },
    ]);
    expect(partsOf("plain")).toEqual([{ text: "plain", origin: "author" }]);
  });

  test.each([
    ["{{env.E + props.p}}", "EP", "props"],
    ["{{env.E + 'x'}}", "Ex", "env"],
    ["{{'a' + 'b'}}", "ab", "author"],
    ["{{props.none | env.E}}", "E", "env"],
    ["{{props.none | 'lit'}}", "lit", "author"],
    ["{{env.NO | props.p}}", "P", "props"],
    ["{{props.p == 'P'}}", "true", "props"],
    ["{{props.map[env.KEY]}}", "m", "props"],
    ["{{env.CONFIG.inner[props.list.length]}}", "5", "props"],
    ["{{(props.none | env.E) + (env.NO | 'x')}}", "Ex", "env"],
  ])("%s is %s of origin %s", (source, text, origin) => {
    expect(partsOf(source)).toEqual([{ text, origin }]);
  });

  test.each([
    ["a {{env.E}}", "env"],
    ["{{env.E}} {{props.p}}", "props"],
    ["{{props.p}} {{env.E}}", "props"],
    ["{{'x'}}", "author"],
  ])("the whole of %s counts as %s", (source, origin) => {
    expect(compiler().text(source, []).value(scopeOf(world))).toMatchObject({ origin });
  });
});

describe("[T-env] the scope reports every env value that is read", () => {
  const toldBy = (source: string) => {
    const reported: unknown[] = [];
    const scope = scopeOf(world, (value) => reported.push(value));
    compiler().template(source, []).render(scope);
    return reported;
  };

  test.each([
    ["{{env.E}}", ["E"]],
    ["@if(env.E)x@endif", ["E"]],
    ["@if(env.E == 'x')x@endif", ["E"]],
    ["{{env.E | 'x'}}", ["E"]],
    ["{{props.p | env.E}}", []],
    ["{{props.p}}", []],
    ["{{env.NO | 'x'}}", []],
    ["{{env.CONFIG.token}}", ["t1"]],
  ])("%s tells %j", (source, expected) => {
    expect(toldBy(source)).toEqual(expected);
  });

  test("of an object also every string in it", () => {
    expect(toldBy("{{env.CONFIG}}")).toEqual(expect.arrayContaining([world.env.CONFIG, "t1", "t2"]));
    expect(toldBy("@foreach(x in env.CONFIG.inner){{x}}@endforeach")).toEqual(
      expect.arrayContaining(["t2", 5]),
    );
    expect(toldBy("@foreach(k, v in env){{k}}@endforeach")).toEqual(
      expect.arrayContaining(["E", "never", "t1", "t2"]),
    );
  });

  test("a failing look-up tells nothing of its neighbours", () => {
    const reported: unknown[] = [];
    const scope = scopeOf(world, (value) => reported.push(value));
    expect(() => compiler().text("{{env.OTHR}}", []).render(scope)).toThrow("Did you mean env.OTHER?");
    expect(reported).toEqual([]);
  });

  test("the caller cannot choose the name: a computed name in env is refused at load", () => {
    const compile = compiler();
    for (const source of [
      "{{env[props.key]}}",
      "@foreach(k in props.list){{env[k]}}@endforeach",
      "{{env['A' + props.p]}}",
    ]) {
      compile.template(source, []);
    }
    expect(compile.problems.map(({ message }) => message)).toEqual(
      Array(3).fill("a name in env cannot be computed"),
    );
  });
});

describe("[T-one-pass] a value is never parsed again", () => {
  const secret = { SECRET: "s3cr3t" };

  test("items of a loop are text, whatever they look like", () => {
    const items = [
      "{{env.SECRET}}",
      "@if(env.SECRET)leak@endif",
      "{!!env.SECRET!!}",
      "@include('x')",
      "@{{ x }}",
      "@@if",
    ];
    const source = "@foreach(x in props.items)[{{x}}]@endforeach";
    expect(render(source, { props: { items }, env: secret })).toBe(items.map((item) => `[${item}]`).join(""));
  });

  test("fields, keys and fallbacks likewise", () => {
    const evil = "{{env.SECRET}}";
    const source = "{{props.x}}@foreach(k, v in props.o){{k}}{{v.f}}@endforeach{{props.none | props.x}}";
    expect(render(source, { props: { x: evil, o: { [evil]: { f: evil } } }, env: secret })).toBe(
      evil.repeat(4),
    );
  });

  test("backslashes and dollars survive", () => {
    const value = "a\\1b \\g<0> \\n $& $1 $$ C:\\temp\\new";
    expect(
      render("@foreach(x in props.items){{x}}@endforeach|{{props.items[0]}}", { props: { items: [value] } }),
    ).toBe(`${value}|${value}`);
  });
});
