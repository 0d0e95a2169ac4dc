import fc from "fast-check";
import { test } from "vitest";
import properties from "./input.fuzz.ts";

test.each(properties)("[P-hostile-schema] $name", async ({ property }) => {
  await fc.assert(property, { numRuns: 10 });
});
