import fc from "fast-check";
import { test } from "vitest";
import properties from "./unstorable-text.fuzz.ts";

test.each(properties)("[S-storable] $name", async ({ property }) => {
  await fc.assert(property as fc.IProperty<unknown>, { numRuns: 300 });
});
