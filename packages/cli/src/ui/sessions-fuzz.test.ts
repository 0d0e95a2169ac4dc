import fc from "fast-check";
import { test } from "vitest";
import properties from "./sessions.fuzz.ts";

// A sample of what `npm run fuzz` tries for as long as it is told to.
test.each(properties)("[UI-token] $name", async ({ property }) => {
  await fc.assert(property, { numRuns: 200 });
});
