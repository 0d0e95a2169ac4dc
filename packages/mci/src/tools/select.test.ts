import { expect, test } from "vitest";
import { select, type ToolFilter } from "./select.ts";

const tools = [
  { name: "a", tags: ["api", "read"] },
  { name: "b", tags: ["db"], toolsetSource: "storage" },
  { name: "c", toolsetSource: "github" },
  { name: "d", tags: ["API"] },
];

const cases: [string, ToolFilter, string[]][] = [
  ["no condition keeps all", {}, ["a", "b", "c", "d"]],
  ["only keeps the named, in file order", { only: ["c", "a"] }, ["a", "c"]],
  ["only ignores unknown names", { only: ["zzz", "b"] }, ["b"]],
  ["an empty only keeps none", { only: [] }, []],
  ["without leaves out the named", { without: ["a", "zzz"] }, ["b", "c", "d"]],
  ["an empty without keeps all", { without: [] }, ["a", "b", "c", "d"]],
  ["tags needs one match and heeds case", { tags: ["api", "db"] }, ["a", "b"]],
  ["an empty tags keeps none", { tags: [] }, []],
  ["withoutTags keeps untagged tools", { withoutTags: ["api"] }, ["b", "c", "d"]],
  ["an empty withoutTags keeps all", { withoutTags: [] }, ["a", "b", "c", "d"]],
  ["toolsets never keeps the file's own tools", { toolsets: ["github", "storage"] }, ["b", "c"]],
  ["an empty toolsets keeps none", { toolsets: [] }, []],
  ["conditions combine", { only: ["a", "b", "c"], without: ["a"], withoutTags: ["db"] }, ["c"]],
];

test.each(cases)("%s", (_title, filter, expected) => {
  expect(select(tools, filter).map((tool) => tool.name)).toEqual(expected);
});

test.each([
  [{ except: ["a"] }, "A filter has no condition 'except'. Did you mean 'without'?"],
  [{ withoutTag: ["a"] }, "A filter has no condition 'withoutTag'. Did you mean 'withoutTags'?"],
  [{ only: "a" }, "The condition 'only' of a filter must be a list of strings."],
  [null, 'A filter must be an object such as { tags: ["read"] }.'],
  ["a", 'A filter must be an object such as { tags: ["read"] }.'],
])("a filter that says something else than it seems to is refused: %j", (filter, message) => {
  expect(() => select(tools, filter as never)).toThrow(message);
});
