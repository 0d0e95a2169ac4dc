import { expect, test } from "vitest";
import { commandLineWarnings } from "./rules/command-line.ts";
import { toolNameWarnings } from "./rules/tool-name.ts";

test.each(["get weather", "grüße", "a.b", "x".repeat(65), ""])(
  "[I-tool-names] the tool name %j is a warning",
  (name) => {
    expect(toolNameWarnings(name, ["tools", 0])).toMatchObject([
      { place: ["tools", 0, "name"], severity: "warning" },
    ]);
  },
);

test.each([
  ["a.b", "MCP clients see it as it is"],
  ["x".repeat(65), "MCP clients see it as it is"],
  ["a b", "MCP clients do not accept"],
  ["x".repeat(129), "MCP clients do not accept"],
])("[I-tool-names] the warning about %j tells what MCP clients see", (name, expected) => {
  const [warning] = toolNameWarnings(name, ["tools", 0]);
  expect(warning?.message).toContain(expected);
});

test("[I-tool-names] names that every model accepts are fine", () => {
  expect(["get_weather", "a-1", "x".repeat(64)].flatMap((name) => toolNameWarnings(name, []))).toEqual([]);
});

test.each([
  ["git log --oneline", 'there is no shell: write "command": "git", "args": ["log","--oneline"]'],
  ["ls | wc -l", 'there is no shell: write "command": "sh", "args": ["-c","ls | wc -l"]'],
])("[I-command-line] a command line %j is a warning with a form that works", (command, hint) => {
  expect(commandLineWarnings(command, [])).toMatchObject([{ place: ["command"], severity: "warning", hint }]);
});

test("[I-command-line] programs, paths with blanks and templates are fine", () => {
  const fine = ["git", "/opt/my tools/run", "C:\\Program Files\\x.exe", "{{env.TOOL}} x"];
  expect(fine.flatMap((command) => commandLineWarnings(command, []))).toEqual([]);
});
