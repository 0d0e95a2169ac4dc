import fc from "fast-check";
import { test } from "vitest";
import properties from "./plan.fuzz.ts";

test.each(properties)("[S-plan-changed] $name", async ({ property }) => {
  await fc.assert(property, { numRuns: 30 });
});
