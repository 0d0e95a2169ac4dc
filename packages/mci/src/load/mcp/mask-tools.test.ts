import fc from "fast-check";
import { expect, test } from "vitest";
import type { Tool } from "../../schema/tool.ts";
import { Secrets } from "../../secrets.ts";
import properties from "./mask-tools.fuzz.ts";
import { maskListed } from "./mask-tools.ts";

test.each(properties)("[M-cache-secret] $name", ({ property }) => {
  fc.assert(property as fc.IProperty<unknown>, { numRuns: 300 });
});

test.each(["github", "3000", "eu"])(
  "a value that names may have by coincidence costs no tool: %s",
  (value) => {
    const secrets = new Secrets();
    secrets.add(value, "credential");
    secrets.add("github_pat_11AB22", "credential");
    const tool = {
      name: "search_github",
      description: "",
      inputSchema: { properties: { eu: { enum: ["3000"] } } },
    } as unknown as Tool;
    expect(maskListed([tool], secrets)).toEqual({ tools: [tool], leftOut: [] });
  },
);
