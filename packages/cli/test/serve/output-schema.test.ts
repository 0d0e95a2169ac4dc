import { describe, expect, test } from "vitest";
import { folder } from "../mci.ts";
import { file, text } from "./file.ts";
import { connect, ERAS } from "./support.ts";

const outputSchema = { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] };
const project = () =>
  folder({
    "mci.json": file(text("add", '{"sum": 3}', { outputSchema }), text("words", "three", { outputSchema })),
  });

describe.each(ERAS)("a client of protocol %s", (era) => {
  test("sees outputSchema, gets structured content, and gets an error for text that is not JSON [A-output-schema]", async () => {
    const { client } = await connect("stdio", era, { cwd: project() });
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.outputSchema)).toEqual([outputSchema, outputSchema]);
    // The client checks the structured content against the schema, and throws where there is none.
    const added = await client.callTool({ name: "add" });
    expect(added).toMatchObject({
      structuredContent: { sum: 3 },
      content: [{ type: "text", text: '{"sum": 3}' }],
    });
    const words = await client.callTool({ name: "words" });
    expect(words.isError).toBe(true);
    expect(words.content).toContainEqual({ type: "text", text: "three" });
  });
});
