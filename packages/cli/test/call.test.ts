import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serve } from "../../../test/servers.ts";
import { echo, file, greet, node } from "./files.ts";
import { mciHere } from "./in-process.ts";
import { folder } from "./mci.ts";

const typed = {
  name: "typed",
  inputSchema: {
    type: "object",
    properties: {
      text: { type: "string" },
      count: { type: "integer" },
      on: { type: "boolean" },
      list: { type: "array", items: { type: "number" } },
      words: { type: "array", items: { type: "string" } },
      object: { type: "object" },
    },
  },
  execution: { type: "text", text: "{{props}}" },
};

const call = (
  args: string[],
  options: {
    tools?: object[];
    files?: Record<string, string>;
    stdin?: string;
    env?: Record<string, string>;
  } = {},
) =>
  mciHere(["call", ...args], {
    cwd: folder({ "mci.json": file(...(options.tools ?? [greet, echo, typed])), ...options.files }),
    stdin: options.stdin,
    env: options.env,
  });

test("executes a tool and prints its text", async () => {
  expect(await call(["greet", "name=Ada", "times=2"])).toEqual({
    code: 0,
    stdout: "Hello Ada\nHello Ada\n",
    stderr: "",
  });
});

test.each([
  [["text=5"], { text: "5" }],
  [["text="], { text: "" }],
  [["text=a=b"], { text: "a=b" }],
  [["count=5", "on=true"], { count: 5, on: true }],
  [["list=[1,2]"], { list: [1, 2] }],
  [["list=1"], { list: [1] }],
  [["list=1", "list=2"], { list: [1, 2] }],
  [["words=a", "words=b c"], { words: ["a", "b c"] }],
  [['object={"a":1}'], { object: { a: 1 } }],
  [["text=@note.txt"], { text: "from a file" }],
  [["text=@@handle"], { text: "@handle" }],
  [["--params", '{"count": 7, "text": "x"}', "text=y"], { count: 7, text: "y" }],
  [["--params", "@params.json"], { count: 9 }],
  [["--params", "-"], { on: false }],
  [["text=@-"], { text: '{"on": false}' }],
])("[C-typed] %j is read as the input schema wants it", async (args, expected) => {
  const files = { "note.txt": "from a file", "params.json": '{"count": 9}' };
  const { stdout, stderr } = await call(["typed", ...args], { files, stdin: '{"on": false}' });
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual(expected);
});

test("without a schema values are strings, and a key given twice is a list", async () => {
  const { stdout } = await call(["echo", "a=1", "b=x", "b=y"]);
  expect(JSON.parse(stdout)).toEqual({ a: "1", b: ["x", "y"] });
});

test.each([
  [["gret", "name=x"], "Tool not found: gret. Did you mean 'greet'?"],
  [["greet"], "name: is required"],
  [["greet", "name=x", "times=many"], "times: must be integer"],
  [["typed", "text=a", "text=b"], "'text' is given 2 times, but is not a list."],
  [["greet", "Ada"], "'Ada' is not a property."],
  [["greet", "=x"], "'=x' is not a property."],
  [["greet", "name=@nope.txt"], "/nope.txt"],
  [["greet", "--params", "{"], "--params is not well-formed JSON"],
  [["greet", "--params", "[1]"], "--params must be a JSON object."],
  [["greet", "name=x", "--timeout", "soon"], "--timeout cannot be 'soon'."],
  [
    ["greet", "--name", "Ada"],
    "'call' has no option '--name'.\nhint: Properties have no dashes: name=VALUE.",
  ],
  [[], "TOOL is missing"],
])("[C-usage] %j is called wrongly: exit 2 and the reason", async (args, message) => {
  const { code, stdout, stderr } = await call(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(message);
  expect(stderr).toContain("hint: ");
});

test.each<[string, object, string[], string]>([
  ["a property", { type: "text", text: "{{props.who}}" }, [], "give it: who=VALUE"],
  ["a variable", { type: "text", text: "{{env.WHO}}" }, [], "set it with --env NAME=VALUE"],
  ["a path", { type: "file", path: "../x" }, [], "allow its folder in directoryAllowList"],
  ["a program", { type: "cli", command: "no-such-program" }, [], "install the program"],
  ["time", { type: "cli", command: "sleep", args: ["9"], timeout_ms: 1 }, [], "raise timeout_ms"],
])("[C-next-step] a tool that fails for want of %s says what to do", async (_, execution, args, hint) => {
  const { code, stderr } = await call(["t", ...args], { tools: [{ name: "t", execution }] });
  expect(code).toBe(1);
  expect(stderr).toContain(`\nhint: ${hint}`);
});

test("[C-next-step] a tool whose server is dead names the server's entry", async () => {
  const cwd = folder({
    "mci.json": {
      ...file({ name: "t", execution: { type: "mcp", serverName: "dead", toolName: "x" } }),
      mcp_servers: { dead: { command: "no-such-program" } },
    },
  });
  const { code, stderr } = await mciHere(["call", "t"], { cwd });
  expect(code).toBe(1);
  expect(stderr).toContain("hint: check the entry of 'dead' under mcp_servers\n");
});

test("[C-next-step] a tool whose request is not authorized points to its auth", async () => {
  const { url } = await serve((_, response) => void response.writeHead(401).end("who?"));
  const { stderr } = await call(["t"], { tools: [{ name: "t", execution: { type: "http", url } }] });
  expect(stderr).toContain("hint: check the tool's auth, and the variables in it with 'mci envs'\n");
});

test("[C-next-step] a property that was given needs no such hint", async () => {
  const execution = { type: "text", text: "{{props.who.name}}" };
  const { stderr } = await call(["t", "who=Ada"], { tools: [{ name: "t", execution }] });
  expect(stderr).toContain("props.who.name");
  expect(stderr).not.toContain("hint:");
});

test("a tool that fails: exit 1, the reason on standard error", async () => {
  const { code, stdout, stderr } = await call(["bad"], {
    tools: [node("bad", "console.error('oh'); process.exit(3)")],
  });
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain("error: Command failed with exit code 3: oh");
  expect(stderr).toContain("\ncode: command_failed\n");
});

test("the whole result as JSON, of failures too", async () => {
  const good = await call(["greet", "name=Ada", "--format", "json"]);
  expect(JSON.parse(good.stdout)).toMatchObject({
    isError: false,
    content: [{ type: "text", text: "Hello Ada\n" }],
  });
  const bad = await call(["bad", "--format", "json"], { tools: [node("bad", "process.exit(3)")] });
  expect(bad.code).toBe(1);
  expect(JSON.parse(bad.stdout)).toMatchObject({ isError: true, metadata: { exit_code: 3 } });
});

test("--timeout ends the tool", async () => {
  const { code, stderr } = await call(["slow", "--timeout", "300"], {
    tools: [node("slow", "setTimeout(() => {}, 60000)")],
  });
  expect(code).toBe(1);
  expect(stderr).toContain("'slow' did not finish within 300 ms.");
});

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test("[C-output] an image is written where --output says; without it its type and size are printed", async () => {
  const cwd = folder({ "mci.json": file({ name: "pixel", execution: { type: "file", path: "pixel.png" } }) });
  const { writeFileSync } = await import("node:fs");
  writeFileSync(join(cwd, "pixel.png"), Buffer.from(PIXEL, "base64"));

  const warned = await mciHere(["call", "pixel"], { cwd });
  expect(warned).toMatchObject({ code: 0, stdout: "" });
  expect(warned.stderr).toContain("The tool returned image/png (70 bytes); save it with --output FILE");

  const kept = await mciHere(["call", "pixel", "--output", "out.png"], { cwd });
  expect(kept).toMatchObject({ code: 0, stdout: "", stderr: "Wrote out.png (70 bytes)\n" });
  expect(readFileSync(join(cwd, "out.png")).toString("base64")).toBe(PIXEL);
});

test("--output takes the text if there is nothing else, and nothing of a failure", async () => {
  const cwd = folder({ "mci.json": file(greet, node("bad", "process.exit(1)")) });
  await mciHere(["call", "greet", "name=Ada", "-o", "out.txt"], { cwd });
  expect(readFileSync(join(cwd, "out.txt"), "utf8")).toBe("Hello Ada\n");
  expect((await mciHere(["call", "bad", "-o", "bad.txt"], { cwd })).code).toBe(1);
  expect(existsSync(join(cwd, "bad.txt"))).toBe(false);
  const { code, stderr } = await mciHere(["call", "greet", "name=Ada", "-o", "no/such/folder"], { cwd });
  expect(code).toBe(1);
  expect(stderr).toContain("Check the path given with --output.");
});

test("what a tool prints cannot steer the terminal, and reaches a pipe unchanged", async () => {
  const cwd = folder({
    "mci.json": file({ name: "esc", execution: { type: "text", text: "a\x1b]0;title\x07b" } }),
  });
  expect((await mciHere(["call", "esc"], { cwd })).stdout).toBe("a\x1b]0;title\x07b\n");
  expect((await mciHere(["call", "esc"], { cwd, columns: 80 })).stdout).toBe("a\\x1b]0;title\\x07b\n");
});

test("[C-env] templates see env files, the environment and --env; --env wins", async () => {
  const tools = [{ name: "env", execution: { type: "text", text: "{{env.A}} {{env.B}} {{env.C}}" } }];
  const files = { ".env.mci": "A=file\nB=file\nC=file", ".env": "A=never" };
  const { stdout } = await call(["env", "--env", "C=option"], {
    tools,
    files,
    env: { B: "process", C: "process" },
  });
  expect(stdout).toBe("file process option\n");
});

test("a variable of --env that nothing reads is named, with what may be meant", async () => {
  const tools = [{ name: "env", execution: { type: "text", text: "{{env.TOKEN|'none'}}" } }];
  const { code, stdout, stderr } = await call(["env", "-e", "TOKNE=a", "-e", "TOKNE=b"], { tools });
  expect([code, stdout]).toEqual([0, "none\n"]);
  expect(stderr).toBe(
    "warning: --env TOKNE: nothing in the file reads this variable. Did you mean 'TOKEN'?\n",
  );
  expect((await call(["env", "-e", "TOKEN=a"], { tools })).stderr).toBe("");
  // A template that reads all variables does not say which.
  const all = [{ name: "env", execution: { type: "text", text: "{{env}}" } }];
  expect((await call(["env", "-e", "A=b"], { tools: all })).stderr).toBe("");
});

test("[C-note] an expression that finds nothing is said beside the result", async () => {
  const tools = [{ name: "t", execution: { type: "text", text: '{"a": 1}' }, result: { select: "b" } }];
  const { code, stdout, stderr } = await call(["t"], { tools });
  expect([code, stdout]).toEqual([0, "null\n"]);
  expect(stderr).toBe(
    "note: result.select 'b' found nothing: nothing in the response matches it, or the value is null.\n",
  );
});

test("[C-env] env files are looked for in libraryDir, which a variable may name", async () => {
  const document = {
    ...file({ name: "env", execution: { type: "text", text: "{{env.A}}" } }),
    libraryDir: "{{env.LIB}}",
  };
  const cwd = folder({ "mci.json": document, "lib/.env": "A=from lib", ".env": "LIB=lib" });
  expect((await mciHere(["call", "env"], { cwd })).stdout).toBe("from lib\n");
});

test("a missing variable is explained by name, without a word about the others' values", async () => {
  const tools = [{ name: "env", execution: { type: "text", text: "{{env.SECRET}} {{env.SECRTE}}" } }];
  const { code, stderr } = await call(["env"], { tools, env: { SECRET: "hunter2" } });
  expect(code).toBe(1);
  expect(stderr).toContain("Template variable not found: env.SECRTE");
  expect(stderr).toContain(
    "\ncode: template_missing\nhint: set it with --env NAME=VALUE, in .env.mci, or in the environment\n",
  );
  expect(stderr).not.toContain("hunter2");
});

test("a property that is missing has nothing to do with the environment", async () => {
  const tools = [{ name: "props", execution: { type: "text", text: "{{props.env}}" } }];
  const { stderr } = await call(["props"], { tools });
  expect(stderr).toContain("\ncode: template_missing\n");
  expect(stderr).not.toContain("--env");
});

test("MCP servers are left alone when the file itself has the tool", async () => {
  const mark = `require("fs").writeFileSync("started", "")`;
  const document = { ...file(greet), mcp_servers: { s: { command: process.execPath, args: ["-e", mark] } } };
  const cwd = folder({ "mci.json": document });
  expect(await mciHere(["call", "greet", "name=Ada"], { cwd })).toMatchObject({ code: 0, stderr: "" });
  expect(existsSync(join(cwd, "started"))).toBe(false);
});

test("a template mistake elsewhere in the file does not keep a tool from being called", async () => {
  const tools = [greet, { name: "broken", execution: { type: "text", text: "@if(x" } }];
  expect((await call(["greet", "name=Ada"], { tools })).code).toBe(0);
  const broken = await call(["broken"], { tools });
  expect(broken.code).toBe(1);
  expect(broken.stderr).toContain("@if");
});

test("an error shows the base address and what publicEnv names, and masks the rest [C-call]", async () => {
  const execution = { type: "http", url: "{{env.BASE}}/x/{{env.REGION}}/{{env.KEY}}" };
  const document = JSON.stringify({
    schemaVersion: "1.0",
    publicEnv: ["REGION"],
    tools: [{ name: "t", execution }],
  });
  const { stdout, stderr } = await mciHere(["call", "t"], {
    cwd: folder({ "mci.json": document }),
    env: { BASE: "http://127.0.0.1:1", REGION: "eu-west", KEY: "sk-12345" },
  });
  expect(stdout + stderr).toContain("http://127.0.0.1:1/x/eu-west/***");
  expect(stdout + stderr).not.toContain("sk-12345");
});

test("[CLI-unknown-keys] an unknown key of the file is a warning with its place, printed once", async () => {
  const files = { "mci.json": file({ ...greet, execution: { ...greet.execution, methd: "POST" } }) };
  for (const args of [["call", "greet", "name=Ada"], ["call", "gret"], ["list"], ["show", "greet"]]) {
    const { stderr } = await mciHere(args, { cwd: folder(files) });
    expect(stderr.split("'methd'"), args.join(" ")).toHaveLength(2);
    expect(stderr).toMatch(/mci\.json:\d+:\d+/);
  }
});

test("[CLI-unknown-property] a property that the tool does not have is an error, and nothing runs", async () => {
  for (const more of [[], ["--dry-run"]]) {
    const { code, stdout, stderr } = await call(["typed", "txt=a", ...more]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("Tool 'typed' has no property 'txt'. Did you mean 'text'?");
  }
});

test("[C-locations] an error names the tool and the file, not an index", async () => {
  const failing = (name: string) => ({ name, execution: { type: "text", text: "{{env.NO}}" } });
  const broken = { name: "broken", execution: { type: "htpp" } };
  const files = {
    "mci.json": { ...file(greet, failing("own")), toolsets: ["set"] },
    "mci/set.mci.json": file(failing("theirs")),
    "broken.mci.json": file(greet, broken),
  };
  const cwd = folder(files);
  const errorOf = async (...args: string[]) => (await mciHere(args, { cwd })).stderr;
  expect(await errorOf("call", "own", "-f", "mci.json")).toContain(
    "(tool 'own' in mci.json, execution.text)",
  );
  expect(await errorOf("call", "theirs", "-f", "mci.json")).toContain(
    "(tool 'theirs' in set.mci.json, execution.text)",
  );
  const invalid = await errorOf("list", "-f", "broken.mci.json");
  expect(invalid).toMatch(/broken\.mci\.json:\d+:\d+ \(tool 'broken', execution\.type\): error/);
  expect(invalid).not.toContain("tools[");
});
