import { assert } from "fast-check";
import { test } from "vitest";
import bodies from "./json-structure.fuzz.ts";
import slowClients from "./slow-clients.fuzz.ts";

test.each([...bodies, ...slowClients])("[G-slow] [G-body] $name", ({ property }) => {
  assert(property as Parameters<typeof assert>[0], { numRuns: 500 });
});
