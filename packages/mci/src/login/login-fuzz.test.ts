import fc from "fast-check";
import { test } from "vitest";
import properties from "./login.fuzz.ts";

test.each(properties)("[LOGIN-hostile] $name", async ({ property }) => {
  await fc.assert(property as fc.IRawProperty<unknown>, { numRuns: 300 });
});
