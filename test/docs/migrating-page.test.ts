import { MCIClient } from "mci-ts";
import { expect, test } from "vitest";
import { readPage } from "./markdown.ts";

const differences = [
  readPage("docs/migrating-from-mci-py.md").text.split(/^## The file$/m)[1]!,
  readPage("docs/migrating-from-mci-py-calls.md").text,
].join("\n");
const rows = differences.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| |"));

test("every difference has an anchor of its own, and says what to do", () => {
  const parsed = rows.map((row) => /^\| <a id="([a-z0-9-]+)"><\/a>(.+)$/.exec(row));
  expect(rows.filter((_, index) => parsed[index] === null)).toEqual([]);
  const ids = parsed.map((match) => match![1]!);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  // Cells are separated by bars that are not escaped.
  expect(rows.filter((row) => row.split(/(?<!\\)\|/).length !== 6)).toEqual([]);
});

test("what the page says about the bytes on the wire holds", async () => {
  const http = (name: string, more: object) => ({
    name,
    execution: { type: "http", method: "POST", url: "http://127.0.0.1:9/x", ...more },
  });
  const fields = { a: "{{props.text}}", list: "{!!props.list!!}" };
  const client = await MCIClient.fromObject({
    schemaVersion: "1.0",
    tools: [
      http("query", { params: { a: "{{props.text}}" } }),
      http("json", { body: { json: fields } }),
      http("form", { body: { form: { a: "{{props.text}}" } } }),
      { name: "text", execution: { type: "text", text: "{{props.list}} {{props.flag}} {{props.none}}" } },
    ],
  });
  const props = { text: "a é", list: [1, "b"], flag: true, none: null };
  expect(await client.preview("query", props)).toMatchObject({ url: "http://127.0.0.1:9/x?a=a%20%C3%A9" });
  expect(await client.preview("json", props)).toMatchObject({ body: '{"a":"a é","list":[1,"b"]}' });
  expect(await client.preview("form", props)).toMatchObject({ body: "a=a%20%C3%A9" });
  expect((await client.execute("text", props)).text).toBe('[1,"b"] true null');
  await client.close();
});
