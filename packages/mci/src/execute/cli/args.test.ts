import { describe, expect, test } from "vitest";
import { type CallOptions, compile, makeCall } from "../../../test/execute/call.ts";
import { ToolError } from "../../errors.ts";
import type { CliExecution } from "../../schema/execution.ts";
import { argumentText, compileArguments, renderArguments } from "./args.ts";

type Settings = Partial<CliExecution>;

function argv(settings: Settings, props: CallOptions["props"], options: CallOptions = {}): string[] {
  const plan = compileArguments({ type: "cli", command: "x", ...settings }, compile, []);
  return renderArguments(plan, makeCall("/", { ...options, props }).scope, (text) => text).map(argumentText);
}

function refusal(settings: Settings, props: CallOptions["props"]): string {
  try {
    return `allowed: ${JSON.stringify(argv(settings, props))}`;
  } catch (error) {
    if (error instanceof ToolError) return `${error.code}: ${error.message}`;
    throw error;
  }
}

describe("arguments", () => {
  test.each<[string, string[], Record<string, unknown>, string[]]>([
    ["a text is one item, spaces and all", ["a b", "{{props.x}} c"], { x: "$(rm) ;" }, ["a b", "$(rm) ; c"]],
    ["an empty text stays an item", ["{{props.x}}", ""], { x: "" }, ["", ""]],
    [
      "a native list becomes several items",
      ["{!!props.x!!}", "end"],
      { x: ["a b", 2, true] },
      ["a b", "2", "true", "end"],
    ],
    ["an empty list becomes none", ["{!!props.x!!}"], { x: [] }, []],
    ["null becomes none", ["{!!props.x!!}", "{!!props.y!!}"], { x: null, y: ["a", null] }, ["a"]],
    [
      "a native scalar is printed",
      ["{!!props.x!!}", "{!!props.y!!}"],
      { x: 1.5, y: false },
      ["1.5", "false"],
    ],
    [
      "objects are printed as JSON",
      ["{!!props.x!!}", "{{props.y}}"],
      { x: [{ a: [1] }], y: { b: "é" } },
      ['{"a":[1]}', '{"b":"é"}'],
    ],
  ])("%s [C-args]", (_, args, props, expected) => {
    expect(argv({ args }, props)).toEqual(expected);
  });

  test("an optional property that was not given takes its item with it", () => {
    const absent = { absent: ["x"] };
    expect(argv({ args: ["a", "{{props.x}}", "{!!props.x!!}", "b"] }, {}, absent)).toEqual(["a", "b"]);
  });
});

describe("flags", () => {
  test("come after the arguments, in the author's order [C-flags]", () => {
    const flags = {
      "-z": { from: "props.on", type: "boolean" as const },
      "--file": { from: "props.file", type: "value" as const },
      "-n": { from: "props.n", type: "value" as const },
    };
    const props = { n: 5, file: "my file", on: true };
    expect(argv({ args: ["a"], flags }, props)).toEqual(["a", "-z", "--file=my file", "-n", "5"]);
  });

  test.each<[unknown, boolean]>([
    ...[true, 1, "true", "yes", "x", ["a"], { a: 1 }].map((value): [unknown, boolean] => [value, true]),
    ...[false, 0, "", "false", "False", " no ", "OFF", "0", null, [], {}].map((value): [unknown, boolean] => [
      value,
      false,
    ]),
  ])("a boolean flag with %j is on: %s [C-boolean]", (value, on) => {
    const flags = { "-i": { from: "props.x", type: "boolean" as const } };
    expect(argv({ flags }, { x: value })).toEqual(on ? ["-i"] : []);
  });

  test.each<[string, string | undefined, unknown, string[]]>([
    ["--long", undefined, "v", ["--long=v"]],
    ["-s", undefined, "v", ["-s", "v"]],
    ["-long", undefined, "v", ["-long", "v"]],
    ["--long", " ", "v", ["--long", "v"]],
    ["-s", "=", "v", ["-s=v"]],
    ["-s", "", "v", ["-sv"]],
    ["if", "=", "v", ["if=v"]],
    ["/out", ":", "v", ["/out:v"]],
    ["--x", undefined, ["a", "b"], ["--x=a", "--x=b"]],
    ["-x", undefined, ["a", "b"], ["-x", "a", "-x", "b"]],
    ["--x", undefined, [], []],
    ["--x", undefined, ["a", null], ["--x=a"]],
    ["--x", undefined, false, ["--x=false"]],
    ["--x", undefined, 0, ["--x=0"]],
    ["--x", undefined, "", ["--x="]],
    ["--x", undefined, { a: 1 }, ['--x={"a":1}']],
    ["--x", undefined, null, []],
    ["--x", undefined, undefined, []],
    ["--x", undefined, "-v", ["--x=-v"]],
    ["-x", "", "-v", ["-x-v"]],
  ])("a value flag %s with separator %j and %j gives %j [C-flags]", (name, separator, value, expected) => {
    const flags = { [name]: { from: "props.x", type: "value" as const, separator } };
    expect(argv({ flags }, value === undefined ? {} : { x: value })).toEqual(expected);
  });
});

describe("a value that would become an option", () => {
  test.each<[string, Settings, Record<string, unknown>]>([
    ["as an argument", { args: ["{{props.x}}"] }, { x: "-rf" }],
    ["at the start of one", { args: ["{{props.x}}.txt"] }, { x: "--output=/etc/x" }],
    ["after an empty value", { args: ["{{props.e}}{{props.x}}"] }, { e: "", x: "-v" }],
    ["as a native text", { args: ["{!!props.x!!}"] }, { x: "-v" }],
    ["in a list", { args: ["{!!props.x!!}"] }, { x: ["a", "-v"] }],
    ["as a negative number", { args: ["{{props.x}}"] }, { x: -5 }],
    ["as a single dash", { args: ["{{props.x}}"] }, { x: "-" }],
    [
      "that only looks like the end of options",
      { args: ["{{props.x}}", "{{props.y}}"] },
      { x: "--", y: "-v" },
    ],
    ["as a flag's item", { flags: { "-n": { from: "props.x", type: "value" } } }, { x: "-v" }],
    ["in a flag's list", { flags: { "-n": { from: "props.x", type: "value" } } }, { x: ["1", "-v"] }],
  ])("is refused %s [C-option]", (_, settings, props) => {
    expect(refusal(settings, props)).toMatch(/^option_refused: .*allowDashValues/);
    expect(refusal({ ...settings, allowDashValues: true }, props)).toMatch(/^allowed/);
  });

  test("is named with what to do about it", () => {
    expect(refusal({ args: ["a", "{{props.x}}"] }, { x: "-rf" })).toBe(
      "option_refused: The value of argument 2 starts with '-' and would become an option: \"-rf\". " +
        'If that is meant, put "--" before it in args, or set allowDashValues to true.',
    );
    expect(refusal({ flags: { "-n": { from: "props.x", type: "value" } } }, { x: -5 })).toBe(
      "option_refused: The value of flag -n starts with '-' and would become an option: \"-5\". " +
        'If that is meant, join them with the flag\'s separator (such as "="), or set allowDashValues to true.',
    );
  });

  test("is an ordinary argument after the author's own -- [C-option]", () => {
    expect(argv({ args: ["a", "--", "{{props.x}}"] }, { x: "-rf" })).toEqual(["a", "--", "-rf"]);
    expect(refusal({ args: ["{{props.x}}", "--"] }, { x: "-rf" })).toMatch(/^option_refused/);
  });

  test("is fine where the author wrote the dash, or where it comes from env", () => {
    expect(argv({ args: ["-{{props.x}}", "--x={{props.y}}"] }, { x: "v", y: "-z" })).toEqual([
      "-v",
      "--x=-z",
    ]);
    expect(argv({ args: ["{{env.X}}"] }, {}, { env: { X: "-v" } })).toEqual(["-v"]);
  });
});

test("an argument that no command line can hold is refused before anything runs", () => {
  expect(refusal({ args: ["{{props.x}}"] }, { x: "a\0b" })).toBe(
    'invalid_config: An argument holds a NUL character: "a\\u0000b"',
  );
  expect(refusal({ args: ["{{props.x}}"] }, { x: "a".repeat(200_000) })).toBe(
    "invalid_config: An argument of 200000 characters is too long for a command line; the limit is 131071.",
  );
});
