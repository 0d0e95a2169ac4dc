import fc from "fast-check";
import { test } from "vitest";
import properties from "./delivery-slots.fuzz.ts";

test.each(properties)("[B-webhook-bound] $name", async ({ property }) => {
  await fc.assert(property as fc.IProperty<unknown>, { numRuns: 200 });
});
