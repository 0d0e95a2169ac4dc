import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { PROMISES } from "./promises.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const cited = new Set(
  ["packages/mci/src", "packages/mci/test", "packages/cli/src", "packages/cli/test"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".test.ts"))
      .flatMap((file) => idsIn(readFileSync(join(root, folder, file), "utf8"))),
  ),
);

describe.each(Object.entries(PROMISES))("%s", (_section, promises) => {
  test.each(Object.entries(promises))("%s", (_promise, ids) => {
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.filter((id) => !cited.has(id))).toEqual([]);
  });
});

/** Ids in the titles of tests; several may share one pair of brackets. */
function idsIn(code: string): string[] {
  return [...code.matchAll(/\[((?:[A-Z]+-[a-z0-9-]+(?:,\s*)?)+)\]/g)].flatMap(([, ids]) =>
    ids!.split(/,\s*/),
  );
}
