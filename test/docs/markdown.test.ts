import { describe, expect, test } from "vitest";
import { asDocument } from "./fragment.ts";
import { blocksOf } from "./markdown.ts";
import { scriptsOf } from "./scripts.ts";

const page = `
<!-- file: a.json -->
\`\`\`json
{}
\`\`\`

\`\`\`ts
import x from "x";
console.log(x); // one
\`\`\`

\`\`\`ts
console.log(x + 1); // two
\`\`\`

<!-- output -->
\`\`\`
three
\`\`\`

<!-- check: none, a fragment -->
\`\`\`ts
y;
\`\`\`
`;
const blocks = blocksOf(page);

test("blocks know what the comments before them say", () => {
  expect(
    blocks.map(({ language, file, isOutput, unchecked }) => [language, file, isOutput, unchecked]),
  ).toEqual([
    ["json", "a.json", false, undefined],
    ["ts", undefined, false, undefined],
    ["ts", undefined, false, undefined],
    ["", undefined, true, undefined],
    ["ts", undefined, false, "a fragment"],
  ]);
});

test("a script is a block with imports and those that continue it, with all that it says it prints", () => {
  expect(scriptsOf({ path: "", text: page, blocks })).toEqual([
    {
      file: "line-7.ts",
      line: 7,
      text: 'import x from "x";\nconsole.log(x); // one\nconsole.log(x + 1); // two\n',
      expectedLines: ["one", "two", "three"],
    },
  ]);
});

describe("a piece of an MCI file", () => {
  test.each<[string, unknown]>([
    ["a document", { schemaVersion: "1.0" }],
    ["a tool", { name: "a", execution: {} }],
    ["a part of a tool", { inputSchema: {} }],
    ["an execution", { type: "cli", command: "x" }],
    ["a setting of one", { auth: {} }],
    ["servers", { mcp_servers: {} }],
    ["several tools", [{ name: "a", execution: {} }]],
  ])("is recognised: %s", (_, piece) => {
    expect(asDocument(piece)).toMatchObject({ schemaVersion: "1.0" });
  });

  test("is not seen in other data", () => {
    expect([{}, [], "x", { isError: false, content: [] }, { prompt: "x" }].map(asDocument)).toEqual(
      Array(5).fill(undefined),
    );
  });
});
