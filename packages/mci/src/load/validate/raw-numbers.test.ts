import { expect, test } from "vitest";
import { parseSource } from "../parse/parse.ts";
import { validateDocument } from "./document.ts";

const validate = async (text: string, format: "yaml" | "json" = "yaml") => {
  const file = `x.${format}`;
  return validateDocument(await parseSource({ file, path: `/${file}`, format, text }));
};
const load = async (text: string) => (await validate(text)).document;

test("[F-lenient] a number where text is wanted keeps the spelling of the file", async () => {
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

const BIG = "12345678901234567890";
const withBigIntegers = `{"schemaVersion": 1.0, "tools": [{"name": "t",
  "inputSchema": {"properties": {"id": {"type": "integer", "default": ${BIG}, "maximum": ${BIG}}}},
  "execution": {"type": "http", "url": "https://x.example", "headers": {"A": ${BIG}, "B": 1.10},
    "query": {"a": ${BIG}, "list": [${BIG}], "deep": {"b": ${BIG}}, "small": 1.50, "power": 18014398509481984},
    "body": {"BODY": {"f": ${BIG}}}}}]}`;

test.each(["json", "yaml"] as const)(
  "[I-integers] in %s, digits beyond 2^53 stay in what is sent, and are a warning elsewhere",
  async (format) => {
    const { document, problems } = await validate(withBigIntegers.replace("BODY", "form"), format);
    expect(document.tools![0]!.execution).toMatchObject({
      headers: { A: BIG, B: "1.10" },
      params: { a: BIG, list: [BIG], deep: { b: `{!!${BIG}!!}` }, small: 1.5, power: 2 ** 54 },
      body: { content: { f: BIG } },
    });
    expect(problems.map(({ path, severity, line }) => [path, severity, line])).toEqual([
      ["tools[0].inputSchema.properties.id.maximum", "warning", 2],
    ]);
    expect(problems[0]).toMatchObject({
      message: `The integer ${BIG} is above 2^53, and becomes 12345678901234567000`,
      hint: "make the property a string, and put the number in quotes",
    });
  },
);

test("[I-integers] in a JSON body they are native values", async () => {
  const { document } = await validate(withBigIntegers.replace("BODY", "json"), "json");
  expect(document.tools![0]!.execution).toMatchObject({ body: { content: { f: `{!!${BIG}!!}` } } });
});
