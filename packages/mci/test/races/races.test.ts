import * as fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import properties, { seen, swapper } from "./races.fuzz.ts";

afterAll(async () => (await swapper()).stop());

// A sample of what `npm run fuzz` tries for as long as it is told to.
test.skipIf(process.platform === "win32").each(properties)(
  "[S-path-race] $name",
  async ({ name, property }) => {
    await fc.assert(property as fc.IAsyncProperty<unknown>, {
      numRuns: name.includes("command") ? 60 : 1500,
    });
  },
);

test("[S-path-race] the link was swapped in the midst of the attempts", () => {
  expect(seen.inside).toBeGreaterThan(0);
  expect(seen.refused).toBeGreaterThan(0);
});
