import fc from "fast-check";
import { test } from "vitest";
import properties from "./fixed-input.fuzz.ts";

// A sample of what `npm run fuzz` tries for as long as it is told to.
test.each(properties)("[OV-shape] $name", async ({ property }) => {
  await fc.assert(property as fc.IAsyncProperty<unknown>, { numRuns: 30 });
});
