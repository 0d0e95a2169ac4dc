import fc from "fast-check";
import { test } from "vitest";
import properties from "./approval.fuzz.ts";

test.each(properties)("[A-approve] $name", async ({ property }) => {
  await fc.assert(property as fc.IAsyncProperty<unknown>, { numRuns: 200 });
});
