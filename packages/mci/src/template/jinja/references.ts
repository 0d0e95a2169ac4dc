import { PROPS_ROOTS } from "../parse/ast.ts";
import type { Reference } from "../references.ts";

/**
 * What a Jinja template reads of `env` and the properties, by its spelling: `env.NAME` and `env["NAME"]` inside
 * `{{ }}` and `{% %}`. Rendering always goes on without it, since an undefined variable prints nothing.
 */
export function jinjaReferences(source: string): Reference[] {
  const found: Reference[] = [];
  for (const { text, offset } of blocksOf(source)) {
    for (const { 1: root = "", 2: dotted, 3: quoted = "", index } of text.matchAll(REFERENCE)) {
      found.push({
        root: PROPS_ROOTS.has(root) ? "props" : (root as "env" | "caller"),
        path: [dotted ?? quoted],
        hasFallback: true,
        offset: offset + index,
      });
    }
  }
  return found;
}

const REFERENCE = /(?<![\w.'"])(env|caller|props|input|properties)(?:\.(\w+)|\[\s*["']([^"'\]]+)["']\s*\])/g;

function* blocksOf(source: string): Generator<{ text: string; offset: number }> {
  for (let at = source.indexOf("{"); at >= 0; at = source.indexOf("{", at + 1)) {
    const kind = source[at + 1];
    if (kind !== "{" && kind !== "%") continue;
    const end = source.indexOf(kind === "{" ? "}}" : "%}", at + 2);
    if (end < 0) return;
    yield { text: source.slice(at, end), offset: at };
    at = end;
  }
}
