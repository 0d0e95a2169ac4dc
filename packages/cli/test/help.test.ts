import { expect, test } from "vitest";
import { readArguments } from "../src/arguments.ts";
import { mciHere } from "./in-process.ts";
import { folder } from "./mci.ts";

const COMMANDS = ["init", "list", "validate", "call", "envs", "add", "run", "schema", "completion", "help"];

test.each([[[]], [["help"]], [["--help"]], [["-h"]]])("%j shows every command", async (args) => {
  const { code, stdout } = await mciHere(args, { cwd: folder() });
  expect(code).toBe(0);
  for (const name of COMMANDS) expect(stdout).toMatch(new RegExp(`^ {2}${name} +\\S`, "m"));
  expect(stdout).toContain("(also: install)");
  expect(stdout).toContain("(also: serve)");
});

test.each(COMMANDS)(
  "the help of %s has usage, options and examples, however it is asked for",
  async (name) => {
    const cwd = folder();
    const { stdout } = await mciHere(["help", name], { cwd });
    expect(stdout).toContain(`Usage:\n  mci ${name} `);
    expect(stdout).toContain("-h, --help");
    expect(stdout).toMatch(/Examples:\n {2}# .+\n {2}\S/);
    expect((await mciHere([name, "--help"], { cwd })).stdout).toBe(stdout);
    expect((await mciHere([name, "-h"], { cwd })).stdout).toBe(stdout);
  },
);

test("aliases have the help of the command", async () => {
  const cwd = folder();
  expect((await mciHere(["help", "serve"], { cwd })).stdout).toBe(
    (await mciHere(["help", "run"], { cwd })).stdout,
  );
});

test("-f is the file wherever there is one, and nothing else", async () => {
  for (const name of COMMANDS) {
    const { default: command } = await import(`../src/commands/${name}.ts`);
    const short = Object.entries<{ short?: string }>(command.options).find(
      ([, option]) => option.short === "f",
    )?.[0];
    expect(short).toBe("file" in command.options ? "file" : undefined);
  }
});

test("examples use only options that exist", async () => {
  for (const name of COMMANDS) {
    const { default: command } = await import(`../src/commands/${name}.ts`);
    for (const example of command.examples) {
      const words =
        example.command
          .match(/mci (.*?)(?:\)|$| [|>])/)?.[1]
          .replace(/'[^']*'/g, "quoted")
          .split(" ") ?? [];
      expect(words[0]).toBe(name);
      expect(() => readArguments(name, command, words.slice(1))).not.toThrow();
    }
  }
});

test.each([
  [["lst"], "mci has no command 'lst'. Did you mean 'list'?"],
  [["help", "lst"], "mci has no command 'lst'. Did you mean 'list'?"],
  [["--file", "x", "list"], "Options come after the command.\nhint: Write mci list --file x\n"],
  [["list", "--fromat", "json"], "'list' has no option '--fromat'. Did you mean '--format'?"],
  [["list", "--format", "tabel"], "--format cannot be 'tabel'. Did you mean 'table'?"],
  [["list", "extra"], "Unexpected argument 'extra'."],
  [["toString"], "mci has no command 'toString'."],
])("%j: exit 2, %s", async (args, message) => {
  const { code, stdout, stderr } = await mciHere(args, { cwd: folder() });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(`error: ${message}`);
  expect(stderr).toContain("hint: ");
});

test("schema prints the JSON Schema that the library publishes", async () => {
  const { stdout } = await mciHere(["schema"], { cwd: folder() });
  expect(JSON.parse(stdout)).toMatchObject({ $schema: "https://json-schema.org/draft/2020-12/schema" });
});
