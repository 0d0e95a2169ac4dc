import fc from "fast-check";
import { expect, test } from "vitest";
import properties from "./ballot.fuzz.ts";

test.each(properties)("[AC-ballot] $name", async ({ property }) => {
  const { failed, counterexample } = await fc.check(property as fc.IRawProperty<unknown>, { numRuns: 12 });
  expect({ failed, counterexample }).toEqual({ failed: false, counterexample: null });
});
