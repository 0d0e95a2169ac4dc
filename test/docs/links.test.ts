import { existsSync } from "node:fs";
import { posix } from "node:path";
import { expect, test } from "vitest";
import { readPage, readPages, root } from "./markdown.ts";

test.each(readPages())("the links of $path lead somewhere", ({ path, text }) => {
  const links = [...withoutCode(text).matchAll(/\[[^\]]*\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
  expect(links.filter((link) => !/^[a-z]+:/.test(link) && !leads(link, path))).toEqual([]);
});

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
