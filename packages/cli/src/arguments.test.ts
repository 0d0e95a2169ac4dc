import { expect, test } from "vitest";
import { readArguments } from "./arguments.ts";
import type { CliError } from "./cli-error.ts";

const definition = {
  options: {
    file: { type: "string", short: "f", value: "FILE", help: "" },
    filter: { type: "string", value: "F", multiple: true, help: "" },
    format: { type: "string", value: "FORMAT", choices: ["table", "json"], help: "" },
    verbose: { type: "boolean", short: "v", help: "" },
  },
  operands: [
    { name: "TOOL", help: "the tool", required: true },
    { name: "KEY=VALUE", help: "", multiple: true },
  ],
} as const;

const read = (...argv: string[]) => readArguments("call", definition, argv);

test("values, lists, flags and operands are read in any order", () => {
  expect(
    read("t", "-f", "x", "a=1", "--filter=p", "--filter", "q", "-v", "--format", "json", "--", "--b=2"),
  ).toEqual({
    values: { file: "x", filter: ["p", "q"], format: "json", verbose: true },
    operands: ["t", "a=1", "--b=2"],
  });
});

test("what is not given is undefined, empty or false", () => {
  expect(read("t")?.values).toEqual({ file: undefined, filter: [], format: undefined, verbose: false });
});

test("a lone dash is a value, and so is anything after an equals sign", () => {
  expect(read("t", "--file", "-")?.values.file).toBe("-");
  expect(read("t", "--file=--x")?.values.file).toBe("--x");
});

test("--help and -h win over everything else", () => {
  expect(read("--help")).toBeUndefined();
  expect(read("-h")).toBeUndefined();
});

test.each([
  [["t", "--fiel", "x"], "'call' has no option '--fiel'."],
  [["t", "-x"], "'call' has no option '-x'."],
  [["t", "--__proto__"], "'call' has no option '--__proto__'."],
  [["t", "--file"], "--file needs a value."],
  [["t", "--file", "--verbose"], "--file needs a value."],
  [["t", "--verbose=yes"], "--verbose takes no value."],
  [["t", "--format", "jsn"], "--format cannot be 'jsn'."],
  [[], "TOOL is missing: the tool"],
])("%j is a usage error", (argv, message) => {
  expect(() => read(...argv)).toThrow(message);
  expect(() => read(...argv)).toThrow(expect.objectContaining({ exitCode: 2 }) as CliError);
});

test("operands beyond the last are refused", () => {
  expect(() => readArguments("schema", { options: {} }, ["x"])).toThrow("Unexpected argument 'x'.");
});
