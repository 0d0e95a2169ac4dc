import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { COUNCIL_PROMISES } from "./council-promises.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const cited = new Set(
  ["packages/council/src", "packages/council/test", "packages/server/src", "packages/server/test"].flatMap(
    (folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".test.ts"))
        .flatMap((file) => idsIn(readFileSync(join(root, folder, file), "utf8"))),
  ),
);
const listed = new Set(Object.values(COUNCIL_PROMISES).flatMap((promises) => Object.values(promises).flat()));

describe.each(Object.entries(COUNCIL_PROMISES))("%s", (_section, promises) => {
  test.each(Object.entries(promises))("%s", (_promise, ids) => {
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.filter((id) => !cited.has(id))).toEqual([]);
  });
});

test("every id in a title belongs to a promise", () => {
  expect([...cited].filter((id) => !listed.has(id))).toEqual([]);
});

/** Ids in the titles of tests. */
function idsIn(code: string): string[] {
  return [...code.matchAll(/\[([A-Z]+-[a-z0-9-]+)\]/g)].map(([, id]) => id!);
}
