import { expect, test } from "vitest";
import { parse } from "yaml";
import { echo, file, greet } from "./files.ts";
import { mciHere } from "./in-process.ts";
import { folder } from "./mci.ts";

const files = () => ({
  "mci.json": { ...file(greet, echo), toolsets: ["extra"] },
  "mci/extra.mci.json": file({
    ...echo,
    name: "extra_echo",
    description: "日本語 text",
    tags: ["talk", "raw"],
  }),
});

test("on a pipe: one line per tool with tabs, no heading, no colours", async () => {
  const { code, stdout, stderr } = await mciHere(["list"], { cwd: folder(files()) });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toBe(
    "greet\tmain\tGreets [bold]people[/bold], use [x]\necho\tmain\t\nextra_echo\textra\t日本語 text\n",
  );
});

test("[C-markup] on a terminal: a table no wider than it, names and descriptions as they are", async () => {
  const { stdout } = await mciHere(["list"], { cwd: folder(files()), columns: 60 });
  expect(stdout.split("\n")[0]).toMatch(/^Name +Source +Description$/);
  expect(stdout).toContain("Greets [bold]people[/bold], use [x]");
  expect(stdout).not.toContain("\x1b");
});

test("colours only where the terminal shows them", async () => {
  const { stdout } = await mciHere(["list"], { cwd: folder(files()), columns: 60, colour: true });
  expect(stdout).toContain("\x1b[1m");
});

test("json and yaml go to standard output and can be parsed", async () => {
  const cwd = folder(files());
  const json = await mciHere(["list", "--format", "json", "--filter", "tags:talk"], { cwd });
  expect(JSON.parse(json.stdout)).toEqual({
    mci_file: expect.stringMatching(/mci\.json$/),
    filters_applied: ["tags:talk"],
    total: 2,
    tools: [
      { name: "greet", source: "main", description: greet.description },
      { name: "extra_echo", source: "extra", description: "日本語 text" },
    ],
  });
  const yaml = await mciHere(["list", "--format", "yaml", "--filter", "tags:talk"], { cwd });
  expect(parse(yaml.stdout)).toEqual(JSON.parse(json.stdout));
});

test("verbose data has tags, kind and input schema", async () => {
  const { stdout } = await mciHere(["list", "--format=json", "--verbose", "--filter=only:greet"], {
    cwd: folder(files()),
  });
  expect(JSON.parse(stdout).tools[0]).toMatchObject({
    tags: ["talk"],
    execution_type: "text",
    // A boolean schema is listed as the object it equals.
    inputSchema: { ...greet.inputSchema, properties: { ...greet.inputSchema.properties, any: {} } },
  });
});

test("verbose text describes parameters, boolean schemas and tools without any included", async () => {
  const { stdout } = await mciHere(["list", "-v"], { cwd: folder(files()) });
  expect(stdout).toContain(
    "greet (main)\n  Description: Greets [bold]people[/bold], use [x]\n  Tags: talk\n",
  );
  expect(stdout).toContain("Parameters: name (string), times (integer, optional), any (any, optional)\n");
  expect(stdout).toContain("echo (main)\n  Tags: raw\n  Execution: text\n  Parameters: none\n");
});

test("names only, for scripts", async () => {
  expect((await mciHere(["list", "--format", "names"], { cwd: folder(files()) })).stdout).toBe(
    "greet\necho\nextra_echo\n",
  );
});

test.each([
  [["--filter", "only:greet"], "greet"],
  [["--filter", "except:greet"], "echo extra_echo"],
  [["--filter", "tags:talk"], "greet extra_echo"],
  [["--filter", "withoutTags:raw"], "greet"],
  [["--filter", "without-tags:raw"], "greet"],
  [["--filter", "toolsets:extra"], "extra_echo"],
  [["--filter", "tags:talk", "--filter", "without-tags:raw"], "greet"],
  [["--filter", "tags:talk", "--filter", "tags:raw", "--filter", "except:echo"], "greet extra_echo"],
])("[C-filter] %j leaves %s", async (args, expected) => {
  const { stdout } = await mciHere(["list", "--format", "names", ...args], { cwd: folder(files()) });
  expect(stdout.trim().split("\n").join(" ")).toBe(expected);
});

test("[C-filter-nothing] a filter that no tool passes is an error with a suggestion, and nothing is served", async () => {
  for (const command of ["list", "run"]) {
    const { code, stdout, stderr } = await mciHere([command, "--filter", "only:gret"], {
      cwd: folder(files()),
    });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("No tool has the name 'gret'");
    expect(stderr).toContain("did you mean 'greet'?");
    expect(stderr).toContain("No tool of mci.json passes 'only:gret'");
  }
});

test.each([
  ["except:gret", "No tool has the name 'gret', which the filter names", "did you mean 'greet'?"],
  ["only:greet,ecko", "No tool has the name 'ecko'", "did you mean 'echo'?"],
  ["withoutTags:rwa", "No tool has the tag 'rwa'", ""],
])("[C-filter-nothing] a part of %j that matches nothing is a warning", async (filter, warning, hint) => {
  const { code, stderr } = await mciHere(["list", "--filter", filter], { cwd: folder(files()) });
  expect(code).toBe(0);
  expect(stderr).toContain(warning);
  expect(stderr).toContain(hint);
});

test("[C-filter-nothing] a filter whose parts all match warns of nothing, also where one hides what another names", async () => {
  const args = ["list", "--filter", "only:greet,echo", "--filter", "except:echo"];
  const { code, stderr } = await mciHere(args, { cwd: folder(files()) });
  expect([code, stderr]).toEqual([0, ""]);
});

test("hostile names and descriptions cannot steer the terminal", async () => {
  const cwd = folder({ "mci.json": file({ ...echo, name: "a\x1b[2Jb", description: "c\x07\nd" }) });
  expect((await mciHere(["list"], { cwd })).stdout).toBe("a\\x1b[2Jb\tmain\tc\\x07 d\n");
});

test("a broken file is explained with every place, and what to do next", async () => {
  const cwd = folder({
    "mci.json": file({ name: "a", execution: { type: "htp" } }, { execution: { type: "text", text: "" } }),
  });
  const { code, stdout, stderr } = await mciHere(["list"], { cwd });
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/mci\.json:7:\d+ \(tool 'a', execution\.type\): error: /);
  expect(stderr).toContain("Missing required field 'name'");
  expect(stderr).toContain("hint: Fix the places shown above, then run 'mci validate'.");
});

test("[C-once] one mistake is reported once: its place, then which file could not be loaded", async () => {
  const cwd = folder({ "mci.json": '{\n  "schemaVersion": "1.0",\n  "tools": 1\n}' });
  for (const command of ["list", "run"]) {
    const { code, stderr } = await mciHere([command], { cwd });
    expect(code).toBe(1);
    expect(stderr.match(/Must be a list/g)).toHaveLength(1);
    expect(stderr).toContain(`\nerror: Failed to load schema from ${cwd}/mci.json\nhint: Fix the place`);
  }
});

test("[C-once] a missing file is reported once, with its whole path", async () => {
  const cwd = folder();
  for (const command of ["list", "run"]) {
    const { code, stderr } = await mciHere([command, "--file", "x.json"], { cwd });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^error: Failed to load schema from .*\/x\.json: No such file or directory\nhint: .*\n$/,
    );
  }
});

test("[C-next-step] a file that is not there names the next step", async () => {
  const cwd = folder();
  const none = await mciHere(["list"], { cwd });
  expect(none.code).toBe(1);
  expect(none.stderr).toContain("error: No MCI schema file found in");
  expect(none.stderr).toContain("hint: Run 'mci init'");
  const named = await mciHere(["list", "-f", "gone.json"], { cwd });
  expect(named.code).toBe(1);
  expect(named.stderr).toContain("No such file or directory");
  expect(named.stderr).toContain(
    "hint: Check the path given with --file, or run 'mci init' to create a file.",
  );
});

test("a dead MCP server is a warning, and the other tools are listed", async () => {
  const cwd = folder({
    "mci.json": { ...file(echo), mcp_servers: { dead: { command: "/no/such/program" } } },
  });
  const { code, stdout, stderr } = await mciHere(["list", "--format", "names"], { cwd });
  expect({ code, stdout }).toEqual({ code: 0, stdout: "echo\n" });
  expect(stderr).toContain("warning: Failed to fetch tools from MCP server 'dead'");
});

test("[C-spinner] while MCP servers load, a terminal shows which", async () => {
  const slow = { command: process.execPath, args: ["-e", "setTimeout(() => process.exit(), 1500)"] };
  const cwd = folder({ "mci.json": { ...file(echo), mcp_servers: { slow_one: slow } } });
  const { stdout, stderr } = await mciHere(["list", "--format", "names"], { cwd, stderrColumns: 80 });
  expect(stdout).toBe("echo\n");
  expect(stderr).toContain("Waiting for MCP servers: slow_one");
});

test("[CLI-list-search] a query in plain words finds tools, the best first", async () => {
  const cwd = folder(files());
  const found = await mciHere(["list", "--search", "say hello to people", "--format", "names"], { cwd });
  expect(found.stdout).toMatch(/^greet\n/);
  const none = await mciHere(["list", "--search", "zzzz"], { cwd });
  expect(none).toMatchObject({ code: 0, stdout: "" });
  expect(none.stderr).toContain("No tool fits 'zzzz'");
  expect((await mciHere(["list", "--limit", "3"], { cwd })).code).toBe(2);
  expect((await mciHere(["list", "--search", "x", "--limit", "none"], { cwd })).code).toBe(2);
});

test("[CLI-list-tokens] each tool is listed with what it costs a model, and the sum", async () => {
  const cwd = folder(files());
  const { stdout, stderr } = await mciHere(["list", "--tokens", "--format", "json"], { cwd });
  const counts = (JSON.parse(stdout).tools as { tokens: number }[]).map(({ tokens }) => tokens);
  expect(counts.every((count) => count > 5)).toBe(true);
  const total = counts.reduce((sum, count) => sum + count, 0);
  expect(stderr).toContain(`About ${total} tokens for 3 tools`);
});
