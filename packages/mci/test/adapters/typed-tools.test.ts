import type { InferToolInput, InferToolOutput, ToolSet } from "ai";
import { MCIClient } from "mci-ts";
import { toTools } from "mci-ts/ai-sdk";
import { expect, test } from "vitest";

// As `mci types` writes it.
interface Tools {
  weather: { input: { city: string; days?: number }; output: { degrees: number } };
  "note.read": { input: { id: number }; output: unknown };
}

const schema = (properties: object) => ({ type: "object", properties });
const DOCUMENT = {
  schemaVersion: "1.0",
  tools: [
    {
      name: "weather",
      inputSchema: schema({ city: { type: "string" }, days: { type: "integer" } }),
      outputSchema: schema({ degrees: { type: "number" } }),
      execution: { type: "text", text: '{"degrees": 21}' },
    },
    { name: "note.read", execution: { type: "text", text: "note" } },
  ],
};

test("toTools of the AI SDK keeps the types of a typed client [A-typed-tools]", async () => {
  await using client = await MCIClient.fromObject<Tools>(DOCUMENT);
  const tools = toTools(client);
  const input: InferToolInput<typeof tools.weather> = { city: "Rome", days: 2 };
  // @ts-expect-error: the compiler knows the type of the property.
  const wrong: InferToolInput<typeof tools.weather> = { city: 3 };
  // @ts-expect-error: models see this tool under another name.
  expect(tools["note.read"]).toBeUndefined();
  // @ts-expect-error: there is no such tool.
  expect(tools.other).toBeUndefined();
  const options = { toolCallId: "1", messages: [], context: {} };
  const output = (await tools.weather.execute!(input, options)) as InferToolOutput<typeof tools.weather>;
  const degrees: number | undefined = output.structuredContent?.degrees;
  expect(degrees).toBe(21);
  // Static for the SDK, as the types say: a call of a dynamic tool has none.
  expect(tools.weather.type).toBeUndefined();
  expect(wrong).toBeDefined();
  const anySet: ToolSet = tools;
  expect(Object.keys(anySet)).toEqual(["weather", "note_read"]);
});

test("toTools of a client without types is a plain ToolSet [A-typed-tools]", async () => {
  await using client = await MCIClient.fromObject(DOCUMENT);
  const tools: ToolSet = toTools(client);
  expect(Object.keys(tools)).toEqual(["weather", "note_read"]);
});
