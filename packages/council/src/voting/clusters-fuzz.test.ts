import fc from "fast-check";
import { expect, test } from "vitest";
import properties from "./clusters.fuzz.ts";

test.each(properties)("[B-fuzz] $name", async ({ property }) => {
  const { failed, counterexample } = await fc.check(property as fc.IRawProperty<unknown>, { numRuns: 100 });
  expect({ failed, counterexample }).toEqual({ failed: false, counterexample: null });
});
