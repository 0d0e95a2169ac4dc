import type { Page } from "./markdown.ts";

/** A program of a page: a block with imports, and the blocks after it that have none. */
export interface Script {
  readonly file: string;
  readonly text: string;
  readonly line: number;
}

export function scriptsOf({ path, blocks }: Page): Script[] {
  const scripts: { file: string; text: string; line: number }[] = [];
  for (const { language, text, line, file, unchecked } of blocks) {
    if (language !== "ts" || unchecked !== undefined) continue;
    const last = scripts.at(-1);
    if (/^import /m.test(text)) scripts.push({ file: file ?? `line-${line}.ts`, text, line });
    else if (last !== undefined) last.text += text;
    else throw new Error(`${path}:${line}: a script must import what it uses.`);
  }
  return scripts;
}

/** What comments behind console.log promise, in order. */
export function expectedOutput(script: string): string[] {
  return [...script.matchAll(/^\s*console\.log\(.*\); \/\/ (.+)$/gm)].map(([, promised]) => promised!);
}
