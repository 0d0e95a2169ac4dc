import { assert } from "fast-check";
import { describe, test } from "vitest";
import messages from "../../primitives/src/json-lines.fuzz.ts";
import args from "../src/execute/cli/args.fuzz.ts";
import urls from "../src/execute/http/url/url.fuzz.ts";
import secrets from "../src/secrets.fuzz.ts";
import templates from "../src/template/template.fuzz.ts";

/** `npm run fuzz` runs the same properties for longer. */
describe("properties hold for many random inputs", () => {
  test.each([...args, ...urls, ...messages, ...secrets, ...templates])("$name", ({ property }) => {
    assert(property as Parameters<typeof assert>[0], { numRuns: 75 });
  });
});
