import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { lintFile } from "../../src/lint/lint.ts";
import { file, folder, text } from "./support.ts";

describe("[I-unknown-name] a placeholder whose first name means nothing is a warning", () => {
  const inspected = async (files: Record<string, string | object>) => {
    const root = folder(files);
    const { problems } = await lintFile(join(root, "mci.json"), { env: {} });
    const about = problems.filter(({ message }) => !message.includes("nothing uses it"));
    return about.map(({ message, hint, severity, path, file }) => {
      expect(severity).toBe("warning");
      return `${path ?? file?.replace(root, "")} ${message.split(" never")[0]} ${hint}`;
    });
  };
  const schema = { inputSchema: { type: "object", properties: { name: { type: "string" } } } };

  test.each([
    ["{{prop.name}}", "'prop.name' did you mean 'props.name'?"],
    ["{{ENV.X}}", "'ENV.X' did you mean 'env.X'?"],
    ["{{inputs.name}}", "'inputs.name' did you mean 'input.name'?"],
    ["{{name}}", "'name' did you mean 'props.name'?"],
    ["{{API_KEY}}", "'API_KEY' did you mean 'env.API_KEY'?"],
    [
      "{{props.name | upper}}",
      "'upper' what follows | is used if nothing before it has a value; to print the word, quote it: 'upper'",
    ],
    ["{{args.name | 'x'}}", "'args.name' names begin with props, env or a loop variable"],
    ["@foreach(user in props.name){{usr.x}}@endforeach", "'usr.x' did you mean 'user.x'?"],
  ])("%s: %s", async (source, expected) => {
    expect(await inspected({ "mci.json": file({ ...text(source), ...schema }) })).toEqual([
      `tools[0].execution.text ${expected}`,
    ]);
  });

  test("in every kind of setting", async () => {
    const tools = [
      {
        name: "a",
        execution: {
          type: "http",
          method: "POST",
          url: "http://x/{{prop.a}}",
          headers: { A: "{{prop.b}}" },
          params: { q: ["{!!prop.c!!}"] },
          body: { type: "json", content: { x: [{ y: "{{prop.d}}" }] } },
        },
      },
      { name: "b", execution: { type: "cli", command: "ls", args: ["{{prop.e}}"], cwd: "{{prop.f}}" } },
      { name: "c", execution: { type: "file", path: "{{prop.g}}" }, directoryAllowList: ["{{prop.h}}"] },
    ];
    const mcp_servers = { s: { command: "x", args: ["{{prop.i}}"] } };
    const found = await inspected({ "mci.json": { ...file(...tools), mcp_servers } });
    expect(found.map((line) => /prop\.(\w)/.exec(line)![1]).sort()).toEqual([..."abcdefghi"]);
  });

  test("in files that are rendered, and in those they include with their loop variables", async () => {
    expect(
      await inspected({
        "mci.json": file({ name: "f", execution: { type: "file", path: "a.md" } }),
        "a.md": '@foreach(user in props.users)\n@include("b.md")\n@endforeach\n{{prop.x}}@include("c.md")',
        "b.md": '{{user.name}} {{users.name}} @include("c.md")',
        "c.md": "{{user.name}}",
      }),
    ).toEqual(["/a.md 'prop.x' did you mean 'props.x'?", "/b.md 'users.name' did you mean 'user.name'?"]);
  });

  test("words, loop variables, other roots and Jinja are left alone", async () => {
    const source = "@if(props.a == active){{input.b}}{{properties.c}}@endif @{{prop.d}} {{'prop.e'}}";
    const jinja = "{% set x = 1 %}{{ x }}{{ prop.a }}";
    const tools = [
      text(source),
      { name: "j", execution: { type: "text", text: jinja, templateEngine: "jinja2" } },
    ];
    expect(await inspected({ "mci.json": file(...tools) })).toEqual([]);
  });
});
