import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { describeHalf, HALVES } from "./support/halves.ts";

describeHalf("first-half");

test("each file of tests in this folder belongs to one half, or it would never run", () => {
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".test.ts"));
  const listed = [...Object.keys(HALVES), ...Object.values(HALVES).flatMap((half) => Object.keys(half))];
  expect(files.toSorted()).toEqual(listed.map((name) => `${name}.test.ts`).toSorted());
});
