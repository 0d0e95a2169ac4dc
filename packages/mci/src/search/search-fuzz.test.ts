import fc from "fast-check";
import { test } from "vitest";
import properties from "./search.fuzz.ts";

test.each(properties)("[S-search-hostile] $name", async ({ property }) => {
  await fc.assert(property, { numRuns: 20 });
});
