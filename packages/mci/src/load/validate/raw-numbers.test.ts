import { expect, test } from "vitest";
import { parseSource } from "../parse/parse.ts";
import { validateDocument } from "./document.ts";

const load = async (text: string) => {
  const parsed = await parseSource({ file: "x.yaml", path: "/x.yaml", format: "yaml", text });
  return (await validateDocument(parsed)).document;
};

test("[F-yaml-numbers] a number where text is wanted keeps the spelling of the file", async () => {
  const document = await load(`
schemaVersion: 1.0
metadata: { version: 1.10, name: 0x1F }
tools:
  - name: t
    execution:
      type: cli
      command: x
      args: [1.0, 007, 1e3, -0, 12345678901234567890, 5, 3.25]
      env: { A: 1.50 }
      timeout_ms: 1e3
`);
  expect(document.metadata).toEqual({ version: "1.10", name: "0x1F" });
  expect(document.tools?.[0]?.execution).toEqual({
    type: "cli",
    command: "x",
    args: ["1.0", "007", "1e3", "-0", "12345678901234567890", "5", "3.25"],
    env: { A: "1.50" },
    timeout_ms: 1000,
  });
});

test("a number where anything goes stays a number", async () => {
  const document = await load(`
schemaVersion: 1.0
tools:
  - name: t
    inputSchema: { properties: { a: { default: 1.0 } } }
    execution: { type: http, url: u, params: { a: 1.50 }, body: { json: [1.0, "1"] } }
`);
  expect(document.tools?.[0]).toMatchObject({
    inputSchema: { properties: { a: { default: 1 } } },
    execution: { params: { a: 1.5 }, body: { content: [1, "1"] } },
  });
});
