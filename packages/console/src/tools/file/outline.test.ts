import { expect, test } from "vitest";
import { outlineOf } from "./outline.ts";

const JSON_TEXT = `{
  "schemaVersion": "1.0",
  "tools": [
    { "name": "greet", "execution": { "type": "text", "text": "Hi" } },
    { "execution": {}, "name": "say \\"it\\"" },
    { "description": "it has no name" }
  ],
  "toolsets": [{ "name": "weather" }],
  "mcp_servers": { "files": { "command": "x" } }
}`;

const YAML_TEXT = `# A comment
schemaVersion: '1.0'
mcp_servers:
  files:
    command: x
tools:
  - name: greet
    execution: { type: text, text: Hi }
  # Another
  - description: later
    name: 'it''s'
toolsets: [{ name: weather }]
`;

const shown = (text: string, language: "json" | "yaml") =>
  outlineOf(text, language).map(({ kind, name, at }) => [kind, name, text.slice(0, at).split("\n").length]);

test("tools, toolsets and servers are found at their lines, in JSON and YAML [UI-definition]", () => {
  expect(shown(JSON_TEXT, "json")).toEqual([
    ["tool", "greet", 4],
    ["tool", 'say "it"', 5],
    ["toolset", "weather", 8],
    ["server", "files", 9],
  ]);
  expect(shown(YAML_TEXT, "yaml")).toEqual([
    ["server", "files", 4],
    ["tool", "greet", 7],
    ["tool", "it's", 11],
    ["toolset", "weather", 12],
  ]);
});

test("a text that is being typed has those that can be read, and no text breaks it [UI-definition]", () => {
  expect(shown(`${JSON_TEXT.slice(0, 120)}`, "json")).toContainEqual(["tool", "greet", 4]);
  for (const text of [
    "",
    "{",
    "[]",
    "null",
    '{"tools": {}}',
    '{"tools": [1, "x", []]}',
    "tools:\n -",
    "- a: b",
    "a: *b",
  ])
    for (const language of ["json", "yaml"] as const) expect(outlineOf(text, language)).toEqual([]);
});
