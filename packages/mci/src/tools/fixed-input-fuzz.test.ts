import fc from "fast-check";
import { expect, test } from "vitest";
import properties from "./fixed-input.fuzz.ts";
import { fixedInput } from "./fixed-input.ts";
import { inputReader } from "./input.ts";

// A sample of what `npm run fuzz` tries for as long as it is told to.
test.each(properties)("[OV-shape] $name", async ({ property }) => {
  await fc.assert(property as fc.IAsyncProperty<unknown>, { numRuns: 30 });
});

test("[OV-shape] problems show no name inside of what the file sets", async () => {
  const inputSchema = { properties: { owner: { additionalProperties: { type: "string" } } } };
  const hidden = new Set(["owner"]);
  const reader = await inputReader({ name: "t", inputSchema }, { schema: {}, hidden });
  const read = fixedInput(reader, { fixed: { owner: { "acme-secret": 1 } }, hidden, defaults: {} });
  expect(() => read({})).toThrow(
    expect.objectContaining({
      code: "schema_invalid",
      problems: [{ message: "has a part that does not fit", path: "/owner", severity: "error" }],
    }),
  );
});
