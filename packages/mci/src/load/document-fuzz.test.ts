import fc from "fast-check";
import { test } from "vitest";
import properties from "./document.fuzz.ts";

// A sample of what `npm run fuzz` tries for as long as it is told to.
test.each(properties)("[F-fuzz] $name", async ({ property }) => {
  await fc.assert(property as fc.IAsyncProperty<unknown>, { numRuns: 3 });
});
