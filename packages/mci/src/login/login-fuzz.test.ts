import fc from "fast-check";
import { test } from "vitest";
import tokens from "../../test/login/tokens.fuzz.ts";
import properties from "./login.fuzz.ts";

test.each(properties)("[LOGIN-hostile] $name", async ({ property }) => {
  await fc.assert(property as fc.IRawProperty<unknown>, { numRuns: 300 });
});

test.each(tokens)("[LOGIN-secrets] $name", async ({ property, cases }) => {
  // One input makes hundreds of texts, or a client and a server.
  await fc.assert(property as fc.IRawProperty<unknown>, { numRuns: cases === undefined ? 150 : 10 });
});
