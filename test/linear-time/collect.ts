import { readdirSync, readFileSync } from "node:fs";
import { sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseAst } from "rolldown/parseAst";

/** A regular expression as it stands in the sources. */
export interface Found {
  readonly file: string;
  readonly line: number;
  readonly source: string;
  readonly flags: string;
}

/** A regular expression that is put together when the program runs: its text is not in the source. */
export interface Built {
  readonly file: string;
  readonly code: string;
}

const IMPORT_OR_COMMENT = /^.*\bfrom "[^"]*";$|^import\b.*$|^\s*(?:\/\/|\/?\*).*$/gm;

const packages = fileURLToPath(new URL("../../packages/", import.meta.url));

/** Every regular expression of the published sources. */
export function collectRegexes(): { found: Found[]; built: Built[] } {
  const found: Found[] = [];
  const built: Built[] = [];
  for (const file of sourceFiles()) {
    const code = readFileSync(packages + file, "utf8");
    // To parse a file takes longest. The paths of imports and the texts of comments look like patterns.
    if (!/\/[^/*\s].*\/|RegExp/.test(code.replace(IMPORT_OR_COMMENT, ""))) continue;
    visit(parseAst(code, { lang: file.endsWith("x") ? "tsx" : "ts" }), (node) => {
      if (node.type === "Literal" && node.regex) {
        const { pattern: source, flags } = node.regex;
        found.push({ file, line: code.slice(0, node.start).split("\n").length, source, flags });
      }
      if (/^(New|Call)Expression$/.test(node.type) && node.callee?.name === "RegExp")
        built.push({ file, code: code.slice(node.start, node.end).replace(/\s+/g, " ") });
    });
  }
  return { found, built };
}

/** What files pass to `RegExp` while they are loaded. */
export async function recordBuilt(
  files: readonly string[],
): Promise<{ file: string; source: string; flags: string }[]> {
  const Native = globalThis.RegExp;
  const recorded: { file: string; source: string; flags: string }[] = [];
  try {
    for (const file of files) {
      globalThis.RegExp = new Proxy(Native, {
        construct(target, args: [string, string?]) {
          const regex = new target(...args);
          recorded.push({ file, source: regex.source, flags: regex.flags });
          return regex;
        },
      });
      await import(`${packages}${file}?recorded`);
    }
  } finally {
    globalThis.RegExp = Native;
  }
  return recorded;
}

function sourceFiles(): string[] {
  return readdirSync(packages)
    .flatMap((name) => ["src", "serve"].map((folder) => `${name}/${folder}`))
    .flatMap((folder) => filesBelow(folder).map((file) => `${folder}/${file.split(sep).join("/")}`))
    .filter((file) => /\.tsx?$/.test(file) && !/\.(test|fuzz|d)\.ts$/.test(file));
}

function filesBelow(folder: string): string[] {
  try {
    return readdirSync(packages + folder, { recursive: true, encoding: "utf8" });
  } catch {
    return [];
  }
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly regex?: { readonly pattern: string; readonly flags: string };
  readonly callee?: { readonly name?: string };
}

function visit(node: unknown, see: (node: Node) => void): void {
  if (node === null || typeof node !== "object") return;
  if ("type" in node) see(node as Node);
  for (const child of Array.isArray(node) ? node : Object.values(node)) visit(child, see);
}
