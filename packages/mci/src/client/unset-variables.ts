import { ToolError } from "../errors.ts";

/** What stands in a preview for a variable without a value. */
export const placeholderOf = (name: string) => `<${name} not set>`;

/** The variables that a template did not find; empty for any other error. */
export function unsetVariables(error: unknown): string[] {
  if (!(error instanceof ToolError) || error.code !== "template_missing") return [];
  const [, paths = ""] = /Template variable not found: ([^\n]*)/.exec(error.message) ?? [];
  return [...paths.matchAll(/\benv\.([A-Za-z_]\w*)/g)].map(([, name]) => name!);
}

/** An address shows placeholders as they are, not encoded. */
export function withPlainPlaceholders<T extends object>(preview: T, names: Iterable<string>): T {
  if (!("url" in preview) || typeof preview.url !== "string") return preview;
  let { url } = preview;
  for (const name of names) {
    const placeholder = placeholderOf(name);
    url = url
      .replaceAll(encodeURI(placeholder), placeholder)
      .replaceAll(encodeURIComponent(placeholder), placeholder);
  }
  return { ...preview, url };
}
