import { globSync, readFileSync } from "node:fs";
import { sep } from "node:path";
import { fileURLToPath } from "node:url";

/** A page, by its path from the root of the repository. */
export interface Page {
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly Block[];
}

/** A fenced block. Comments right before it say more about it. */
export interface Block {
  readonly language: string;
  readonly text: string;
  /** Of the opening fence, 1-based. */
  readonly line: number;
  /** `<!-- file: name -->`: it is this file of the page's example. */
  readonly file?: string;
  /** `<!-- output -->`: the script before it prints this. */
  readonly isOutput: boolean;
  /** `<!-- check: none, reason -->`: it is not what it looks like. */
  readonly unchecked?: string;
}

export const root = fileURLToPath(new URL("../../", import.meta.url));

/** Every page for users: the guide, and what stands beside packages and examples. */
export function readPages(): Page[] {
  return globSync(["*.md", "docs/**/*.md", "packages/*/*.md", "examples/**/README.md"], { cwd: root })
    .map((path) => path.split(sep).join("/"))
    .sort()
    .map(readPage);
}

export function readPage(path: string): Page {
  const text = readFileSync(root + path, "utf8").replaceAll("\r\n", "\n");
  return { path, text, blocks: blocksOf(text) };
}

export function blocksOf(markdown: string): Block[] {
  const lines = markdown.split("\n");
  const blocks: Block[] = [];
  for (let start = 0; start < lines.length; start++) {
    const fence = /^(`{3,})(\w*)/.exec(lines[start]!);
    if (fence === null) continue;
    const length = lines.slice(start + 1).indexOf(fence[1]!);
    if (length < 0) throw new Error(`The block of line ${start + 1} has no end.`);
    const text = lines.slice(start + 1, start + 1 + length).join("\n");
    blocks.push({ language: fence[2]!, text: `${text}\n`, line: start + 1, ...marksBefore(lines, start) });
    start += length + 1;
  }
  return blocks;
}

function marksBefore(
  lines: readonly string[],
  fence: number,
): Pick<Block, "file" | "isOutput" | "unchecked"> {
  const marks: Record<string, string> = {};
  for (let at = fence - 1; at >= 0; at--) {
    const mark = /^<!-- (file|check|output)(?:: (.+))? -->$/.exec(lines[at]!);
    if (mark === null && lines[at] !== "") break;
    if (mark !== null) marks[mark[1]!] = mark[2] ?? "";
  }
  const unchecked = /^none, (.+)$/.exec(marks["check"] ?? "")?.[1];
  return {
    isOutput: "output" in marks,
    ...(marks["file"] && { file: marks["file"] }),
    ...(unchecked && { unchecked }),
  };
}
