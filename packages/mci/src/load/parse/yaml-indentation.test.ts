import { describe, expect, test } from "vitest";
import { MCIClientError } from "../../errors.ts";
import { parseSource } from "./parse.ts";

/** `line:column message — hint` of every mistake. */
async function mistakes(...lines: string[]): Promise<string[]> {
  const source = { file: "x.yaml", path: "/x.yaml", format: "yaml", text: lines.join("\n") } as const;
  const error = await parseSource(source).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof MCIClientError)) throw error ?? new Error("There is no mistake.");
  return error.problems.map(
    ({ line, column, message, hint }) =>
      `${line}:${column} ${message.replace("Invalid YAML: ", "")}${hint === undefined ? "" : ` — ${hint}`}`,
  );
}

describe("[L-yaml-layout] a line in the wrong column is reported once, where it is, and how to move it", () => {
  test.each<[string, string[], string]>([
    [
      "a key further right",
      ["tools:", "  - name: a", "     tags: [x]", "    execution: {}"],
      "3:6 this line is indented further than 'name', which has its value already — begin it in the same column as 'name'",
    ],
    [
      "a key further right, after a blank line",
      ["a:", "  type: text", "", "   text: hi"],
      "4:4 this line is indented further than 'type', which has its value already — begin it in the same column as 'type'",
    ],
    [
      "a key between dash and keys",
      ["tools:", "  - name: a", "   tags: [x]", "    execution: {}"],
      "3:4 this line does not line up with the list item above — begin all keys of an item in one column, right of its dash",
    ],
    [
      "a key further left",
      ["a:", "    type: text", "   text: hi"],
      "3:4 this line does not line up with the keys above — begin the keys of one map in the same column",
    ],
    [
      "a key of the file further right",
      ['schemaVersion: "1.0"', " tools:", "  - name: a"],
      "2:2 this line does not line up with the keys above — begin the keys of one map in the same column",
    ],
    [
      "only the first key of the file further right",
      [' schemaVersion: "1.0"', "tools:", "  - name: a", "    execution: {type: text, text: hi}"],
      "2:1 this line does not belong to what is above it — begin the keys of one map in the same column",
    ],
    [
      "a dash further right",
      ["tools:", "  - name: a", "    tags: [x]", "   - name: b", "    tags: [x]"],
      "4:4 this list item does not line up with its list — begin every '-' of a list in the same column",
    ],
    [
      "a dash further left",
      ["tools:", "  - name: a", " - name: b", "   tags: [x]"],
      "3:2 this list item does not line up with its list — begin every '-' of a list in the same column",
    ],
    [
      "a dash in the first column",
      ["tools:", "  - name: a", "- name: b", "  tags: [x]"],
      "3:1 this list item does not line up with its list — begin every '-' of a list in the same column",
    ],
    [
      "text under a | that is not indented",
      ["a:", "  text: |", "  hi there", "  you"],
      "3:3 the text under | is not indented — indent it further than the key above",
    ],
    [
      "text under a > that begins further right than it goes on",
      ["a:", "  text: >-  # why", "      hi there", "    you"],
      "4:5 the text under > is indented less here than where it begins — indent its lines alike",
    ],
    ["a tab", ["a:", "\tb: 1"], "2:1 a tab is used as indentation — indent with spaces"],
  ])("%s", async (_, lines, expected) => {
    expect(await mistakes(...lines)).toEqual([expected]);
  });
});

describe("[L-yaml-layout] a line without its colon, or without a space", () => {
  const colon = "put a colon after the key, or indent the line further if it goes on from above";
  test.each<[string[], string]>([
    [["tools:", "  - name a", "    tags: [x]"], `2:3 this line is not 'key: value' — ${colon}`],
    [["a: 1", "tools", "  - name: a", "    tags: [x]"], `2:1 this line is not 'key: value' — ${colon}`],
    [["a: 1", "words"], `2:1 this line is not 'key: value' — ${colon}`],
    [["tools:", "  - name:a", "    tags: [x]"], "2:3 a colon needs a space after it — write 'name: …'"],
    [
      ["tools:", "  -name: a", "   tags: [x]"],
      "2:3 a dash needs a space after it — write '- …' for an item of a list",
    ],
  ])("%j", async (lines, expected) => {
    expect(await mistakes(...lines)).toEqual([expected]);
  });
});

test("[L-all] mistakes far from each other are all reported", async () => {
  const found = await mistakes("a:", "    b: 1", "   c: 2", "d: 3", "e: 4", "f: @x", "words");
  expect(found.map((line) => line.split(" ")[0])).toEqual(["3:4", "6:4", "7:1"]);
});

test("[L-hostile] a large file full of mistakes takes no longer than a moment", async () => {
  const lines = Array.from({ length: 10_000 }, (_, index) => `${" ".repeat(index % 7)}key${index}: 1`);
  expect((await mistakes(...lines)).length).toBeGreaterThan(100);
});
