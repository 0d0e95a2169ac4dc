import { existsSync, statSync } from "node:fs";
import { posix } from "node:path";
import { expect, test } from "vitest";
import { readPage, readPages, root } from "./markdown.ts";

test.each(readPages())("the links of $path lead somewhere", ({ path, text }) => {
  expect(localLinks(text).filter((link) => !leads(link, path))).toEqual([]);
});

test("every page can be reached from docs/README.md", () => {
  const paths = readPages().map(({ path }) => path);
  const reached = new Set(["docs/README.md"]);
  for (const from of reached) {
    for (const link of localLinks(readPage(from).text)) {
      const target = posix.join(posix.dirname(from), link.split("#")[0]!).replace(/\/$/, "");
      if (target.endsWith(".md")) reached.add(target);
      // A folder shows its pages.
      else if (statSync(root + target, { throwIfNoEntry: false })?.isDirectory())
        for (const path of paths) if (posix.dirname(path) === target) reached.add(path);
    }
  }
  expect(paths.filter((path) => path !== "README.md" && !reached.has(path))).toEqual([]);
});

/** Links to other pages and to headings, not to addresses. */
function localLinks(text: string): string[] {
  return [...withoutCode(text).matchAll(/\[[^\]]*\]\(([^)\s]+)\)/g)]
    .map(([, link]) => link!)
    .filter((link) => !/^[a-z]+:/.test(link));
}

function leads(link: string, from: string): boolean {
  const [file, anchor] = link.split("#") as [string, string?];
  const target = file === "" ? from : posix.join(posix.dirname(from), file);
  if (!existsSync(root + target)) return false;
  return anchor === undefined || anchorsOf(readPage(target).text).has(anchor);
}

/** Headings as GitHub names them, and anchors that are written out. */
function anchorsOf(text: string): Set<string> {
  const headings = [...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
  const written = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id!);
  return new Set([...headings, ...written]);
}

function withoutCode(text: string): string {
  return text.replace(/^```.*?^```$/gms, "");
}
