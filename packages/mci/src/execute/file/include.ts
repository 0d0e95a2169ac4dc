import { isUtf8 } from "node:buffer";
import { dirname } from "node:path";
import { ToolError } from "../../errors.ts";
import type { Template } from "../../template-api.ts";
import { type ReadRules, readAllowed } from "./read.ts";

interface Linked {
  readonly template: Template;
  readonly includes: readonly Included[];
}

interface Included {
  readonly path: string;
  readonly from: string;
  readonly file: string;
  readonly text: string;
}

/** Joins templates with the files they include, and keeps the joined ones as long as no included file changes. */
export class Linker {
  readonly #linked = new WeakMap<Template, Linked>();

  /** `file` is where the template stands; its includes are relative to that. */
  async link(template: Template, file: string, rules: ReadRules): Promise<Template> {
    if (template.includes.length === 0) return template;
    const cached = this.#linked.get(template);
    if (cached !== undefined && (await isCurrent(cached, rules))) return cached.template;
    const includes: Included[] = [];
    const linked = await template.link(async (path, from) => {
      const included = { path, from, ...(await readInclude(path, from, rules)) };
      includes.push(included);
      return included;
    }, file);
    this.#linked.set(template, { template: linked, includes });
    return linked;
  }
}

/** Read again rather than trusted by date: an edit within the clock's tick would go unseen, and so would new path rules. */
async function isCurrent({ includes }: Linked, rules: ReadRules): Promise<boolean> {
  for (const { path, from, file, text } of includes) {
    const now = await readInclude(path, from, rules);
    if (now.file !== file || now.text !== text) return false;
  }
  return true;
}

async function readInclude(
  path: string,
  from: string,
  rules: ReadRules,
): Promise<{ file: string; text: string }> {
  const { file, bytes } = await readAllowed(path, rules, dirname(from));
  const text = decodeText(bytes);
  if (text === undefined) throw new ToolError("file_not_text", `Included file is not UTF-8 text: ${path}`);
  return { file, text };
}

const BYTE_ORDER_MARK = 0xfeff;

/** Strict UTF-8 without its byte order mark; undefined if it is anything else. */
export function decodeText(bytes: Buffer): string | undefined {
  if (!isUtf8(bytes)) return undefined;
  const text = bytes.toString("utf8");
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}
