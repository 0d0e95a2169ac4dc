import fc from "fast-check";
import { test } from "vitest";
import properties from "./batch-writer.fuzz.ts";

test.each(properties)("[S-divide] $name", async ({ property }) => {
  await fc.assert(property as fc.IAsyncProperty<unknown>, { numRuns: 100 });
});
