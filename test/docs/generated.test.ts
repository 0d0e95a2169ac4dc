import { expect, test } from "vitest";
import { outdatedFiles } from "../../scripts/generate.ts";

test("[R-strategies] [M-recipes] what is generated from the source is up to date: npm run generate", () => {
  expect(outdatedFiles()).toEqual([]);
});
