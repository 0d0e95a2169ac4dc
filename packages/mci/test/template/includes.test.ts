import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { ToolError } from "../../src/errors.ts";
import type { IncludeLoader } from "../../src/template-api.ts";
import { compiler, scopeOf, type World } from "./world.ts";

const load: IncludeLoader = async (path, from) => {
  const file = resolve(dirname(from), path);
  return { text: await readFile(file, "utf8"), file };
};

/** Writes the files, and renders the one called main. */
async function renderFiles(files: Record<string, string>, world: World = {}): Promise<string> {
  const folder = temporaryFolder(files);
  const template = compiler(world.limits).template(files["main"]!, ["main"]);
  const linked = await template.link(load, join(folder, "main"));
  return linked.render(scopeOf(world));
}

async function failureOfFiles(files: Record<string, string>, world: World = {}): Promise<ToolError> {
  const failure = await renderFiles(files, world).then(
    (text) => expect.unreachable(`rendered ${text}`),
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(ToolError);
  return failure as ToolError;
}

describe("[F-include] @include", () => {
  test("puts the rendered file in its place, relative to the including file", async () => {
    const files = {
      main: 'Dear {{props.name}},\n@include("parts/body.txt")\nBye\n',
      "parts/body.txt": "@if(props.name)\nhello\n@endif\n@include('deeper/end.txt')\n",
      "parts/deeper/end.txt": "end {{props.name}}\n",
    };
    expect(await renderFiles(files, { props: { name: "Jo" } })).toBe("Dear Jo,\nhello\nend Jo\nBye\n");
  });

  test("sees the loop variables around it, and may stand in any block", async () => {
    const files = {
      main: "@foreach(i, user in props.users)\n@if(user.on)\n@include(`row.txt`)\n@endif\n@endforeach\n",
      "row.txt": "{{i}}: {{user.name}}@foreach(t in user.tags) {{t}}@endforeach\n",
    };
    const users = [
      { name: "a", on: true, tags: ["x", "y"] },
      { name: "b", on: false, tags: [] },
      { name: "c", on: true, tags: [] },
    ];
    expect(await renderFiles(files, { props: { users } })).toBe("0: a x y\n2: c\n");
  });

  test.each([
    ["@include('a')\nnext", "A\n", "A\nnext"],
    ["@include('a')\nnext", "A", "A\nnext"],
    ["@include('a')\r\nnext", "A", "A\r\nnext"],
    ["@include('a')\nnext", "", "next"],
    ["@include('a')\nnext", "@if(props.no)\nx\n@endif\n", "next"],
    ["[@include('a')]", "A\n", "[A\n]"],
    ["@include('a')", "A", "A"],
    ["  @include('a')\nnext", "A\n", "A\nnext"],
  ])(
    "alone on its line it takes the line, but the next line stays a line: %j with %j gives %j",
    async (main, a, expected) => {
      expect(await renderFiles({ main, a })).toBe(expected);
    },
  );

  test("the included file's text is a template, its values are not", async () => {
    const files = { main: "@include('a')", a: "{{props.x}}" };
    expect(await renderFiles(files, { props: { x: "@include('main') {{env.S}}" } })).toBe(
      "@include('main') {{env.S}}",
    );
  });

  test("lists the files as written, each once", () => {
    const template = compiler().template(
      "@include('a') @if(x)@include(\"b c\")@endif @include('a') @@include('no')",
      [],
    );
    expect(template.includes).toEqual(["a", "b c"]);
  });

  test("a file may be included twice, also on two ways", async () => {
    const files = { main: "@include('a')@include('b')@include('b')", a: "a@include('b')", b: "b" };
    expect(await renderFiles(files)).toBe("abbb");
  });

  test("a template that includes nothing links to itself without loading", async () => {
    const template = compiler().template("{{props.x}}", []);
    expect(await template.link(() => expect.unreachable(), "x")).toBe(template);
  });

  test("the template itself stays unlinked, so that it can be linked again", async () => {
    const template = compiler().template("@include('a')", []);
    let version = 0;
    const loadNew: IncludeLoader = async () => ({ text: String(++version), file: "a" });
    expect((await template.link(loadNew, "main")).render(scopeOf())).toBe("1");
    expect((await template.link(loadNew, "main")).render(scopeOf())).toBe("2");
    expect(() => template.render(scopeOf())).toThrow("was not loaded");
  });

  test.each([
    [{ main: "@include('main')" }, "main"],
    [{ main: "@include('a')", a: "@include('b')", b: "@include('a')" }, "a -> b -> a"],
    [{ main: "@include('a')", a: "@if(props.no)@include('./a')@endif" }, "a -> ./a"],
  ])("a loop of includes is an error that names the chain: %j", async (files, chain) => {
    const failure = await failureOfFiles(files as Record<string, string>);
    expect(failure.code).toBe("template_syntax");
    expect(failure.message).toContain("include each other");
    expect(failure.message).toContain(chain);
  });

  test("an error in an included file names the file, line and column", async () => {
    const syntax = await failureOfFiles({
      main: "x\n@include('parts/a.txt')\n",
      "parts/a.txt": "ok\n  @if(x\n",
    });
    expect(syntax).toMatchObject({
      code: "template_syntax",
      message: expect.stringContaining("(parts/a.txt, line 2, column 3)"),
    });
    const missing = await failureOfFiles({ main: "@include('a')", a: "{{props.none}}" });
    expect(missing.message).toBe("Template variable not found: props.none (a, line 1, column 3)");
  });

  test("what the loader refuses stays as it is", async () => {
    const template = compiler().template("@include('../../etc/passwd')", []);
    const refused = new ToolError("path_refused", "no");
    await expect(template.link(async () => Promise.reject(refused), "main")).rejects.toBe(refused);
  });

  test("depth and number of included files are limited", async () => {
    const chain = Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => [n === 0 ? "main" : `f${n}`, `@include('f${n + 1}')`]),
    );
    const deep = await failureOfFiles({ ...chain, f20: "x" }, { limits: { maxTemplateDepth: 10 } });
    expect(deep.code).toBe("template_limit");
    const twice = Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [n === 0 ? "main" : `f${n}`, `@include('f${n + 1}')`.repeat(2)]),
    );
    const laughs = await failureOfFiles({ ...twice, f30: "" });
    expect(laughs).toMatchObject({ code: "template_limit", message: expect.stringContaining("rounds") });
  });

  test.each(["@include(props.x)", "@include()", "@include('a', 'b')", "@include('a'"])(
    "%s is reported at load",
    (source) => {
      const compile = compiler();
      compile.template(source, []);
      expect(compile.problems).toHaveLength(1);
    },
  );
});
