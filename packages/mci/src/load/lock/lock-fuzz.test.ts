import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson } from "./canonical-json.ts";
import properties from "./lock.fuzz.ts";

// A sample of what `npm run fuzz` tries for as long as it is told to.
test.each(properties)("[LOCK-fields] $name", ({ property }) => {
  fc.assert(property as fc.IProperty<unknown>, { numRuns: 20 });
});

test("[LOCK-fields] values that differ below thousands of levels differ", () => {
  const nested = (value: string) => {
    let schema: object = { const: value };
    for (let level = 0; level < 50_000; level++) schema = { items: schema };
    return canonicalJson(schema);
  };
  expect(nested("a")).not.toBe(nested("b"));
  expect(nested("a")).toBe(nested("a"));
});
