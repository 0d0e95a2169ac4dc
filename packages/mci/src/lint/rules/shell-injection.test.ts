import { describe, expect, test } from "vitest";
import type { CliExecution } from "../../schema/execution.ts";
import { shellInjection } from "./shell-injection.ts";

const placesIn = (execution: Omit<CliExecution, "type">) =>
  shellInjection({ type: "cli", ...execution }, ["execution"]).map(({ place }) => place.slice(1));

describe("a value of the caller in code is found [I-code]", () => {
  test.each<[string, string[], number]>([
    ["sh", ["-c", "echo {{props.x}}"], 1],
    ["/bin/bash", ["-lc", "echo {{input.x}}"], 1],
    ["C:\\Windows\\cmd.exe", ["/d", "/C", "echo {{props.x}}"], 2],
    ["pwsh", ["-Command", "{!!props.x!!}"], 1],
    ["node", ["--no-warnings", "-e", "{{props.x}}"], 2],
    ["node", ["-p", "1 + {{ env.A | props.x }}"], 1],
    ["python3.12", ["-c", "print('{{props.x}}')"], 1],
    ["perl", ["-ne", "print if /{{props.x}}/"], 1],
    ["deno", ["eval", "{{props.x}}"], 1],
  ])("%s %j", (command, args, index) => {
    expect(placesIn({ command, args })).toEqual([["args", index]]);
  });

  test("also as the value of a flag", () => {
    const flags = { "-c": { from: "props.script", type: "value" } } as const;
    expect(placesIn({ command: "sh", flags })).toEqual([["flags", "-c"]]);
  });
});

describe("a value that is not code is not", () => {
  test.each<[string, string[]]>([
    ["sh", ["-c", 'grep -e "$1" notes.txt', "sh", "{{props.x}}"]],
    ["sh", ["-c", "echo {{env.GREETING}}"]],
    ["sh", ["{{props.script}}"]],
    ["node", ["-e", "console.log(process.argv[1])", "--", "{{props.x}}"]],
    ["grep", ["-c", "{{props.x}}"]],
    ["git", ["log", "-e", "{{props.x}}"]],
  ])("%s %j", (command, args) => {
    expect(placesIn({ command, args })).toEqual([]);
  });
});
