import type { Block, Page } from "./markdown.ts";

/** A program of a page: a block with imports, and the blocks after it that have none. */
export interface Script {
  readonly file: string;
  readonly text: string;
  readonly line: number;
  /** Lines it must print, in this order: what stands in comments behind console.log, and in output blocks. */
  readonly promised: readonly string[];
}

export function scriptsOf({ path, blocks }: Page): Script[] {
  const scripts: Script[] = [];
  for (const block of blocks) {
    const { text, line, file } = block;
    if (isScript(block) && /^import /m.test(text)) {
      scripts.push({ file: file ?? `line-${line}.ts`, text, line, promised: promisedIn(block) });
    } else if (isScript(block) || block.isOutput) {
      const last = scripts.pop();
      if (last === undefined) throw new Error(`${path}:${line}: there is no script with imports before it.`);
      const added = block.isOutput ? "" : text;
      scripts.push({
        ...last,
        text: last.text + added,
        promised: [...last.promised, ...promisedIn(block)],
      });
    }
  }
  return scripts;
}

function isScript({ language, unchecked }: Block): boolean {
  return language === "ts" && unchecked === undefined;
}

function promisedIn({ isOutput, text }: Block): string[] {
  if (isOutput) return text.trimEnd().split("\n");
  return [...text.matchAll(/^\s*console\.log\(.*\); \/\/ (.+)$/gm)].map(([, promised]) => promised!);
}
