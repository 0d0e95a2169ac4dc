import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./markdown.ts";

// "Where to add things" is what a new contributor follows: its files must be there.

const page = readFileSync(join(root, "docs/architecture.md"), "utf8");
const [, section = ""] = /## Where to add things\n([\s\S]*?)\n## /.exec(page) ?? [];
const rows = section
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| New"))
  .map((line) => line.split("|").slice(1, -1));

test("the table has a row for each kind of thing", () => {
  const kinds = rows.map(([kind]) => kind!.trim());
  expect(kinds).toEqual(
    expect.arrayContaining([
      "auth type",
      "function in Jinja templates",
      "red-flag rule",
      "endpoint",
      "strategy",
    ]),
  );
});

test.each(rows.map(([kind, ...places]) => [kind!.trim(), places.join(" ")] as const))(
  "the places for a new %s exist",
  (_, places) => {
    const paths = [...places.matchAll(/`([\w./-]+(?:\/|\.tsx?|\.json))`/g)].map(([, path]) => path!);
    const isThere = (path: string) =>
      existsSync(join(root, path)) || globSync(`packages/*/src/**/${path}`, { cwd: root }).length > 0;
    expect(paths.filter((path) => !isThere(path))).toEqual([]);
  },
);
