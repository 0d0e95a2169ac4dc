import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { entry, file, load, loadFails, project, tool } from "./support.ts";

describe("a toolset's name", () => {
  test.each<[string, string, Record<string, unknown>, string[]]>([
    [
      "a directory, sorted, not recursive, every format",
      "set",
      {
        "b.mci.yaml": yaml("b"),
        "a.mci.json": file(tool("a")),
        "c.mci.yml": yaml("c"),
        "notes.json": "{",
        "deep/d.mci.json": file(tool("d")),
      },
      ["a", "b", "c"],
    ],
    ["a directory of YAML files only", "set", { "a.mci.yaml": yaml("a") }, ["a"]],
  ])("is %s [L-order]", async (_, name, files, tools) => {
    const inside = Object.fromEntries(
      Object.entries(files).map(([path, content]) => [`mci/set/${path}`, content]),
    );
    const root = project({ "tools.mci.json": entry([name]), ...inside });
    expect((await load(root)).listTools()).toEqual(tools);
    await load(root, { validating: true });
  });

  test.each<[string, string, string[]]>([
    ["a directory before a file", "both", ["in-directory"]],
    ["a file with its extension", "plain.mci.json", ["plain"]],
    ["a file by its bare name, JSON first", "twin", ["json"]],
    ["then YAML", "second", ["yaml"]],
    ["then yml", "third", ["yml"]],
    ["a file with any known extension", "odd.json", ["odd"]],
    ["a path inside the library", "deep/inner", ["inner"]],
    ["a path with harmless dots", "./deep/./inner", ["inner"]],
  ])("is %s [L-order]", async (_, name, tools) => {
    const root = project({
      "tools.mci.json": entry([name]),
      "mci/both/x.mci.json": file(tool("in-directory")),
      "mci/both.mci.json": file(tool("in-file")),
      "mci/plain.mci.json": file(tool("plain")),
      "mci/twin.mci.json": file(tool("json")),
      "mci/twin.mci.yaml": yaml("other"),
      "mci/second.mci.yaml": yaml("yaml"),
      "mci/third.mci.yml": yaml("yml"),
      "mci/odd.json": file(tool("odd")),
      "mci/deep/inner.mci.json": file(tool("inner")),
    });
    const client = await load(root);
    expect(client.listTools()).toEqual(tools);
    expect(client.toolsets([name]).map((found) => found.toolsetSource)).toEqual([name]);
  });

  test("is a directory in which dangling links, as editors leave them, do not matter", async () => {
    const root = project({ "tools.mci.json": entry(["set"]), "mci/set/a.mci.json": file(tool("a")) });
    symlinkSync("ada@host.1234:567", join(root, "mci/set/.#a.mci.json"));
    expect((await load(root)).listTools()).toEqual(["a"]);
  });

  test("that names nothing is an error with the place and the nearest name [L-missing]", async () => {
    const root = project({ "tools.mci.json": entry(["wether"]), "mci/weather.mci.json": file(tool("a")) });
    for (const validating of [false, true]) {
      const { code, message, problems } = await loadFails(root, { validating });
      expect(code).toBe("toolset_not_found");
      expect(message).toContain(
        `Toolset not found: wether. Looked for directory, file, or file with .mci.json/.mci.yaml/.mci.yml extension in ${join(root, "mci")}`,
      );
      expect(problems).toMatchObject([{ line: 4, path: "toolsets[0]", hint: "did you mean 'weather'?" }]);
    }
  });

  test.each([
    "../outside",
    "deep/../../outside",
    "/etc/passwd",
    "C:\\outside",
    "..\\outside",
    ".",
    "./",
    "deep/..",
  ])("cannot leave the library: %s [L-order]", async (name) => {
    const root = project({
      "tools.mci.json": entry([name]),
      "mci/deep/a.mci.json": file(),
      "outside.mci.json": file(tool("x")),
    });
    const error = await loadFails(root);
    expect(error.message).toContain(`Toolset '${name}' lies outside the library directory`);
    expect(error.code).toBe("schema_invalid");
  });

  test.each(["link", "linked-file", "half"])(
    "cannot leave the library through a symbolic link: %s [L-order]",
    async (name) => {
      const root = project({
        "tools.mci.json": entry([name]),
        "mci/half/a.mci.json": file(tool("a")),
        "elsewhere/x.mci.json": file(tool("x")),
      });
      symlinkSync(join(root, "elsewhere"), join(root, "mci/link"));
      symlinkSync(join(root, "elsewhere/x.mci.json"), join(root, "mci/linked-file.mci.json"));
      symlinkSync(join(root, "elsewhere/x.mci.json"), join(root, "mci/half/b.mci.json"));
      expect((await loadFails(root)).message).toContain("lies outside the library directory");
    },
  );

  test("may be a link to another place of the library [L-order]", async () => {
    const root = project({ "tools.mci.json": entry(["alias"]), "mci/real.mci.json": file(tool("a")) });
    symlinkSync(join(root, "mci/real.mci.json"), join(root, "mci/alias.mci.json"));
    expect((await load(root)).listTools()).toEqual(["a"]);
  });

  test.each(["", "  "])("cannot be empty: '%s' [L-empty]", async (name) => {
    const root = project({ "tools.mci.json": entry([name]), "mci/a.mci.json": file(tool("a")) });
    expect((await loadFails(root)).problems).toMatchObject([{ path: "toolsets[0]", severity: "error" }]);
  });

  test("must stand in a list", async () => {
    const root = project({ "tools.mci.json": entry("weather"), "mci/weather.mci.json": file(tool("a")) });
    const error = await loadFails(root);
    expect(error.problems).toHaveLength(1);
    expect(error.problems[0]).toMatchObject({ path: "toolsets", message: expect.stringMatching(/list/) });
  });
});

describe("the library directory", () => {
  test("must be there when toolsets are asked for, and only then [L-library]", async () => {
    const root = project({
      "tools.mci.json": entry(["a"]),
      "plain/tools.mci.json": entry([], file(tool("x"))),
    });
    const error = await loadFails(root);
    expect(error).toMatchObject({ code: "toolset_not_found" });
    expect(error.message).toContain(`Library directory not found: ${join(root, "mci")}`);
    expect((await load(join(root, "plain"))).listTools()).toEqual(["x"]);
  });

  test("must be a directory [L-library]", async () => {
    const root = project({ "tools.mci.json": entry(["a"]), mci: "not a directory" });
    expect((await loadFails(root)).message).toContain(
      `Library path is not a directory: ${join(root, "mci")}`,
    );
  });

  test("may depend on env; without the variable that is an error at its place [H-oauth]", async () => {
    const root = project({
      "tools.mci.json": entry(["a"], { libraryDir: "./{{env.SETS}}" }),
      "sets/a.mci.json": file(tool("a")),
    });
    expect((await load(root, { env: { SETS: "sets" } })).listTools()).toEqual(["a"]);
    const error = await loadFails(root);
    expect(error.message).toContain("Template variable not found: env.SETS");
    expect(error.problems).toMatchObject([{ path: "libraryDir", line: 6 }]);
  });
});

describe("files of a toolset", () => {
  test("are all checked, and every problem is reported at once with its file and line [L-all-problems]", async () => {
    const unnamed = { execution: { type: "text", text: "{{props." } };
    const root = project({
      "tools.mci.json": entry(["broken", "missing", "half", "fine"]),
      "mci/broken.mci.json": file({ name: "a", execution: { type: "telnet" } }, { name: "b" }, unnamed),
      "mci/half.mci.yaml":
        "schemaVersion: '1.0'\ntools:\n  - name: t\n    execution: {type: text, text: '{{ props.x'}\n",
      "mci/fine.mci.json": file(tool("fine")),
    });
    for (const validating of [false, true]) {
      const { code, problems } = await loadFails(root, { validating });
      expect(code).toBe("schema_invalid");
      const where = problems.map(({ file, line, path }) => [file?.slice(root.length + 1), line, path]);
      expect(where).toEqual([
        ["tools.mci.json", 5, "toolsets[1]"],
        ["mci/broken.mci.json", expect.any(Number), "tools[0].execution.type"],
        ["mci/broken.mci.json", expect.any(Number), "tools[1].execution"],
        ["mci/broken.mci.json", expect.any(Number), "tools[2].name"],
        ["mci/broken.mci.json", expect.any(Number), "tools[2].execution.text"],
        ["mci/half.mci.yaml", 4, "tools[0].execution.text"],
      ]);
    }
  });

  test.each<[string, string, string, string]>([
    ["another kind of file", "notes.txt", "notes.txt", "Unsupported file extension '.txt'"],
    ["a directory among the files", "set", "set/b.mci.json", "Path is not a file, but a directory"],
  ])("that cannot be read are named, with %s [L-all-problems]", async (_, name, culprit, message) => {
    const root = project({
      "tools.mci.json": entry([name]),
      "mci/notes.txt": "{}",
      "mci/set/a.mci.json": file(tool("a")),
      "mci/set/b.mci.json/c": "",
    });
    for (const validating of [false, true]) {
      const error = await loadFails(root, { validating });
      expect(error.message).toContain(`tools.mci.json: ${join(root, "mci", culprit)}: ${message}`);
      expect(error.problems).toMatchObject([{ file: join(root, "mci", culprit) }]);
    }
  });

  test("of one directory have one version [L-version]", async () => {
    const root = project({
      "tools.mci.json": entry(["set"]),
      "mci/set/a.mci.json": file(tool("a")),
      "mci/set/b.mci.json": { ...file(tool("b")), schemaVersion: "1.0.1" },
    });
    expect((await loadFails(root)).message).toContain(
      `Schema version mismatch in toolset directory ${join(root, "mci/set")}: a.mci.json has 1.0, b.mci.json has 1.0.1`,
    );
  });

  test("must be there in a directory [L-order]", async () => {
    const root = project({ "tools.mci.json": entry(["set"]) });
    mkdirSync(join(root, "mci/set"), { recursive: true });
    expect((await loadFails(root)).message).toContain(
      `No .mci.json, .mci.yaml, or .mci.yml files found in toolset directory: ${join(root, "mci/set")}`,
    );
  });

  test("include no further toolsets or servers; a check says so [L-nested]", async () => {
    const root = project({
      "tools.mci.json": entry(["set"]),
      "mci/set.mci.json": {
        ...file(tool("a")),
        toolsets: ["other"],
        mcp_servers: { x: { command: "no-such" } },
      },
    });
    expect((await load(root)).listTools()).toEqual(["a"]);
    const { warnings } = await load(root, { unknownKeys: "warn" });
    expect(warnings.map(({ message }) => message)).toEqual([
      "'toolsets' has no effect in a toolset file",
      "'mcp_servers' has no effect in a toolset file",
    ]);
  });

  test("cannot say for themselves where they come from", async () => {
    const root = project({
      "tools.mci.json": entry(["set"], file({ ...tool("own"), toolset_source: "set", toolsetSource: "set" })),
      "mci/set.mci.json": file({ ...tool("a"), toolset_source: "other" }),
    });
    const client = await load(root);
    expect(client.tools().map(({ name, toolsetSource }) => [name, toolsetSource])).toEqual([
      ["own", undefined],
      ["a", "set"],
    ]);
    expect(client.toolsets(["set"]).map(({ name }) => name)).toEqual(["a"]);
    expect(client.toolsets([])).toEqual([]);
  });
});

function yaml(name: string): string {
  return `schemaVersion: 1.0\ntools:\n  - name: ${name}\n    execution: { type: text, text: "I am ${name}" }\n`;
}
