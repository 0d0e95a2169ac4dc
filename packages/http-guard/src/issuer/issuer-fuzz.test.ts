import fc from "fast-check";
import { test } from "vitest";
import properties from "./issuer.fuzz.ts";

test.each(properties)("[G-issuer] $name", async ({ property }) => {
  await fc.assert(property as fc.IRawProperty<unknown>, { numRuns: 300 });
});
