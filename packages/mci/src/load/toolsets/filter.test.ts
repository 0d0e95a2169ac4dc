import { describe, expect, test } from "vitest";
import { filterWarnings, type SourceFilter } from "./filter.ts";

const execution = { type: "text", text: "" } as const;
const tools = [
  { name: "read_file", tags: ["read"], execution },
  { name: "delete_file", tags: ["destructive"], execution },
];

describe("[L-filter-warnings] what a filter names and the source does not have", () => {
  test.each<[NonNullable<SourceFilter["filter"]>, string, string[]]>([
    ["only", "read_file, delete_file", []],
    ["only", "reed_file", ["toolset 's' has no tool 'reed_file' — did you mean 'read_file'?"]],
    ["only", "nope", ["toolset 's' has no tool 'nope' — undefined"]],
    ["except", "delte_file", ["toolset 's' has no tool 'delte_file' — did you mean 'delete_file'?"]],
    ["except", "long_gone", []],
    ["tags", "raed", ["No tool of toolset 's' has the tag 'raed' — did you mean 'read'?"]],
    ["tags", "network", []],
    [
      "withoutTags",
      "destructve",
      ["No tool of toolset 's' has the tag 'destructve' — did you mean 'destructive'?"],
    ],
  ])("%s: %s", (filter, filterValue, expected) => {
    const found = filterWarnings(tools, { filter, filterValue }, "toolset 's'", []);
    expect(found.map(({ message, hint }) => `${message} — ${hint}`)).toEqual(expected);
    expect(found.every(({ severity }) => severity === "warning")).toBe(true);
  });

  test("without a filter, nothing", () => {
    expect(filterWarnings(tools, {}, "toolset 's'", [])).toEqual([]);
  });
});
