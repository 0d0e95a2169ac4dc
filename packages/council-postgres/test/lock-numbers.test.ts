import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("no two advisory locks have one number: placement must not wait for retention", () => {
  const src = new URL("../src/", import.meta.url);
  const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );
  const numbers = files.flatMap((name) =>
    [...readFileSync(new URL(name, src), "utf8").matchAll(/_LOCK = ([\d_]+)/g)].map(([, number]) => number!),
  );
  expect(numbers.length).toBeGreaterThan(3);
  expect(numbers).toEqual([...new Set(numbers)]);
});
