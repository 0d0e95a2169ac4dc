import { describe, expect, test } from "vitest";
import { entry, file, load, loadFails, project, tool } from "./support.ts";

const SET = file(tool("read", "safe"), tool("write", "risky"), tool("list", "safe", "risky"), tool("plain"));

const withReference = (reference: unknown, more: object = {}) =>
  project({ "tools.mci.json": entry([reference], more), "mci/set.mci.json": SET });

describe("a filter", () => {
  test.each<[string, string | undefined, string | undefined, string[]]>([
    ["none", undefined, undefined, ["read", "write", "list", "plain"]],
    ["none, with a stray value", undefined, "read", ["read", "write", "list", "plain"]],
    ["only", "only", "plain, read,missing", ["read", "plain"]],
    ["only, no such tool", "only", "missing", []],
    ["except", "except", "write,", ["read", "list", "plain"]],
    ["tags", "tags", "safe", ["read", "list"]],
    ["tags, several", "tags", " risky , safe ", ["read", "write", "list"]],
    ["tags, case matters", "tags", "Safe", []],
    ["withoutTags keeps the untagged", "withoutTags", "risky", ["read", "plain"]],
  ])("%s [L-filter]", async (_, filter, filterValue, names) => {
    const root = withReference({ name: "set", filter, filterValue });
    expect((await load(root)).listTools()).toEqual(names);
  });

  test.each<[object, string]>([
    [{ filter: "only" }, "Filter type 'only' specified but filterValue is missing"],
    [{ filter: "tags", filterValue: " , " }, "Filter value cannot be empty for filter type 'tags'"],
    [
      { filter: "Only", filterValue: "a" },
      "Invalid filter type 'Only'. Valid types: only, except, tags, withoutTags",
    ],
  ])("that is broken is an error, in validating mode too: %j", async (filter, message) => {
    const root = withReference({ name: "set", ...filter });
    for (const validating of [false, true]) {
      const error = await loadFails(root, { validating });
      expect(error.code).toBe("schema_invalid");
      expect(error.message).toContain(message);
      expect(error.problems[0]?.path).toMatch(/^toolsets\[0\]/);
    }
  });

  test("that names a missing tool is a warning at its value, in validating mode too [L-filter-warnings]", async () => {
    const root = withReference({ name: "set", filter: "except", filterValue: "wirte" });
    for (const validating of [false, true]) {
      const { warnings } = await load(root, { validating });
      expect(warnings).toMatchObject([
        {
          path: "toolsets[0].filterValue",
          severity: "warning",
          message: "toolset 'set' has no tool 'wirte'",
          hint: "did you mean 'write'?",
        },
      ]);
    }
  });

  test("lets disabled tools pass, and they stay away all the same", async () => {
    const root = project({
      "tools.mci.json": entry([{ name: "set", filter: "only", filterValue: "a,b" }]),
      "mci/set.mci.json": file({ ...tool("a"), disabled: true }, tool("b")),
    });
    const client = await load(root);
    expect(client.listTools()).toEqual(["b"]);
    await expect(client.execute("a")).rejects.toMatchObject({ code: "tool_not_found" });
  });

  test("hides a tool from execution, not only from the list [L-filter-executes]", async () => {
    const client = await load(withReference({ name: "set", filter: "only", filterValue: "read" }));
    expect((await client.execute("read")).text).toBe("I am read");
    await expect(client.execute("write")).rejects.toMatchObject({ code: "tool_not_found" });
  });
});

describe("tools from several sources", () => {
  test("come in order: the file's own, then the toolsets as listed", async () => {
    const root = project({
      "tools.mci.json": entry(["b", { name: "a" }], { tools: [tool("own")] }),
      "mci/a.mci.json": file(tool("a1"), tool("a2")),
      "mci/b.mci.json": file(tool("b1")),
    });
    const client = await load(root);
    expect(client.listTools()).toEqual(["own", "b1", "a1", "a2"]);
    expect(client.listTools({ toolsets: ["a"] })).toEqual(["a1", "a2"]);
  });

  test("of one name are an error that names both places and the cure [L-prefix]", async () => {
    const root = project({
      "tools.mci.json": entry(["a", "b"], { tools: [tool("own")] }),
      "mci/a.mci.json": file(tool("same"), tool("own")),
      "mci/b.mci.json": file(tool("same")),
    });
    const error = await loadFails(root);
    expect(error.code).toBe("schema_invalid");
    expect(error.problems.map(({ message }) => message.replaceAll(root, ""))).toEqual([
      "Duplicate tool name 'own': the file itself (/tools.mci.json:9) and toolset 'a' (/mci/a.mci.json:13) both have it",
      "Duplicate tool name 'same': toolset 'a' (/mci/a.mci.json:5) and toolset 'b' (/mci/b.mci.json:5) both have it",
    ]);
    expect(error.problems[0]?.hint).toContain('"prefix"');
    expect(await loadFails(root, { validating: true })).toMatchObject({ code: "schema_invalid" });
  });

  test("are distinguished by a prefix; the filter uses their own names [L-prefix]", async () => {
    const root = project({
      "tools.mci.json": entry([{ name: "a", prefix: "a_", filter: "only", filterValue: "same" }, "b"]),
      "mci/a.mci.json": file(tool("same"), tool("other")),
      "mci/b.mci.json": file(tool("same")),
    });
    const client = await load(root);
    expect(client.listTools()).toEqual(["a_same", "same"]);
    expect((await client.execute("a_same")).text).toBe("I am same");
  });
});

describe("a toolset's templates", () => {
  test("are rendered with the client's env and the caller's properties [L-templates]", async () => {
    const root = project({
      "tools.mci.json": entry(["set"]),
      "mci/set.mci.json": file({
        name: "greet",
        inputSchema: { type: "object", properties: { name: { type: "string" } } },
        execution: { type: "text", text: "{{env.HELLO}} {{props.name}}" },
      }),
    });
    const client = await load(root, { env: { HELLO: "Servus" } });
    expect((await client.execute("greet", { name: "Ada" })).text).toBe("Servus Ada");
  });

  test("may be in another language than the entry file's [L-engine]", async () => {
    const root = project({
      "tools.mci.json": entry(["set"], { tools: [tool("own")] }),
      "mci/set.mci.json": {
        ...file({
          name: "loop",
          execution: { type: "text", text: "{% for i in [1, 2] %}<{{ i }}>{% endfor %}" },
        }),
        templateEngine: "jinja2",
      },
    });
    const client = await load(root);
    expect((await client.execute("loop")).text).toBe("<1><2>");
    expect((await client.execute("own")).text).toBe("I am own");
  });

  test("reads files in the template language of its own file, whatever the entry file's is", async () => {
    const page = (name: string, more: object = {}) => ({
      name,
      execution: { type: "file", path: "page.txt", ...more },
    });
    const root = project({
      "tools.mci.json": entry(["jinja", "one"], { tools: [page("builtin")] }),
      "mci/jinja.mci.json": { ...file(page("jinja")), templateEngine: "jinja2" },
      "mci/one.mci.json": file(page("only this one", { templateEngine: "jinja2" })),
      "page.txt": "{% if true %}{{ 'x' }}{% endif %}",
    });
    const client = await load(root);
    expect((await client.execute("jinja")).text).toBe("x");
    expect((await client.execute("builtin")).text).toBe("{% if true %}x{% endif %}");
    expect((await client.execute("jinja")).text).toBe("x");
    expect((await client.execute("only this one")).text).toBe("x");
  });
});

describe("validating", () => {
  test("checks toolsets and lists only the file's own tools [L-validating]", async () => {
    const root = withReference("set", { tools: [tool("own")] });
    const client = await load(root, { validating: true });
    expect(client.listTools()).toEqual(["own"]);
    await expect(client.execute("own")).rejects.toMatchObject({
      code: "validating_mode",
      message:
        "Tool execution is disabled in validating mode. Initialize MCIClient with validating=False to execute tools.",
    });
  });

  test("says that it could not look when the library depends on env [L-validating]", async () => {
    const root = withReference("set", { libraryDir: "{{env.NOWHERE}}" });
    const { warnings } = await load(root, { validating: true });
    expect(warnings).toMatchObject([{ path: "libraryDir", message: expect.stringContaining("not checked") }]);
  });
});
