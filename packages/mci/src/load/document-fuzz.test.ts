import fc from "fast-check";
import { test } from "vitest";
import properties from "./document.fuzz.ts";

test.each(properties)("[F-fuzz] $name", async ({ property }) => {
  await fc.assert(property as fc.IAsyncProperty<unknown>, { numRuns: 150 });
});
