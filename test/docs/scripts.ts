import type { Block, Page } from "./markdown.ts";

/** A program of a page: a block with imports, and the blocks after it that have none. */
export interface Script {
  readonly file: string;
  readonly text: string;
  readonly line: number;
  /** Lines it must print, in this order: what stands in comments behind console.log, and in output blocks. */
  readonly expectedLines: readonly string[];
}

export function scriptsOf({ blocks }: Page): Script[] {
  const scripts: Script[] = [];
  for (const block of blocks.filter((block) => isScript(block) || block.isOutput)) {
    const { text, line, file } = block;
    const expectedLines = expectedIn(block);
    const last = /^import /m.test(text) ? undefined : scripts.pop();
    if (last === undefined) scripts.push({ file: file ?? `line-${line}.ts`, text, line, expectedLines });
    else
      scripts.push({
        ...last,
        text: last.text + (block.isOutput ? "" : text),
        expectedLines: [...last.expectedLines, ...expectedLines],
      });
  }
  return scripts;
}

function isScript({ language, unchecked }: Block): boolean {
  return language === "ts" && unchecked === undefined;
}

function expectedIn({ isOutput, text }: Block): string[] {
  if (isOutput) return text.trimEnd().split("\n");
  return [...text.matchAll(/^\s*console\.log\(.*\); \/\/ (.+)$/gm)].map(
    ([, expectedLines]) => expectedLines!,
  );
}
