import fc from "fast-check";
import { expect, test } from "vitest";
import properties from "./read-reply.fuzz.ts";

test.each(properties)("[V-dialect] $name", async ({ property }) => {
  const { failed, counterexample } = await fc.check(property as fc.IRawProperty<unknown>, { numRuns: 300 });
  expect({ failed, counterexample }).toEqual({ failed: false, counterexample: null });
});
