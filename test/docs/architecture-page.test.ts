import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./markdown.ts";

// A new contributor follows this page: what it names must be where it says.

// Without its diagrams: the backquotes of their fences belong to no pair.
const page = readFileSync(join(root, "docs/architecture.md"), "utf8").replaceAll(/^```.*?^```$/gms, "");

/** The rows of the first table after `heading`, as cells. */
function rowsAfter(heading: string): readonly (readonly string[])[] {
  const [, table = ""] = /\n(\|[\s\S]*?\|)\n(?!\|)/.exec(page.slice(page.indexOf(heading))) ?? [];
  return table
    .split("\n")
    .slice(2)
    .map((line) => line.split(/(?<!\\)\|/).slice(1, -1));
}

const codeIn = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);
const isPath = (code: string) => /\/|\.(?:tsx?|md|json)$/.test(code);

function declares(file: string, name: string): boolean {
  const text = readFileSync(join(root, file), "utf8");
  return new RegExp(`^(?:export )?(?:async )?(?:function|class|const|interface|type) ${name}\\b`, "m").test(
    text,
  );
}

const PACKAGES = ["mci", "council", "council-server", "council-postgres", "console"];

test.each(PACKAGES)("the folders of packages/%s are all described, and hold what the page says", (name) => {
  const src = `packages/${name}/src`;
  const rows = rowsAfter(`Folders of \`${src}\``);
  const described = rows.flatMap(([folders]) => codeIn(folders!));
  const folders = readdirSync(join(root, src), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  expect(described.sort()).toEqual(folders.map((folder) => `${folder.name}/`).sort());
  const wrong = rows.flatMap(([first, ...cells]) => {
    const own = codeIn(first!);
    const entries = [...cells.at(-1)!.matchAll(/`([\w./-]+)`: `(\w+)`/g)];
    if (entries.length === 0) return [`${own}: nothing to begin with`];
    return entries.flatMap(([, file, declared]) => {
      const path = `${src}/${own.length > 1 ? "" : own[0]}${file}`;
      return existsSync(join(root, path)) && declares(path, declared!)
        ? []
        : [`${path} does not declare ${declared}`];
    });
  });
  expect(wrong).toEqual([]);
});

test.each(["## Where is …", "## Where to add things"])(
  "%s: every file declares what the page says",
  (heading) => {
    const rows = rowsAfter(heading);
    expect(rows.length).toBeGreaterThan(9);
    const wrong = rows.flatMap(([, ...cells]) => {
      const codes = codeIn(cells.join(" "));
      const paths = codes.filter(isPath);
      const files = paths.filter((path) => /\.tsx?$/.test(path) && existsSync(join(root, path)));
      const names = codes.filter((code) => !isPath(code) && code !== "toTools");
      return [
        ...paths.filter((path) => !existsSync(join(root, path))),
        ...names.filter((name) => !files.some((file) => declares(file, name))),
      ];
    });
    expect(wrong).toEqual([]);
  },
);

test("every file that is named on the page exists", () => {
  const named = codeIn(page).filter((code) => /^[\w.-][\w./-]*\.(?:m?ts|tsx|css|json|yaml)$/.test(code));
  expect(named.length).toBeGreaterThan(100);
  const sources = globSync("packages/*/{src,serve}/**/*.*", { cwd: root });
  const isThere = (path: string) =>
    existsSync(join(root, path)) ||
    sources.some((source) => source.endsWith(`/${path}`)) ||
    globSync(`packages/*/${path}`, { cwd: root }).length > 0;
  expect(named.filter((path) => !isThere(path))).toEqual([]);
});
