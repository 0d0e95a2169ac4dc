import { ToolError } from "../errors.ts";

/** What stands in a preview for a variable without a value. */
const placeholderOf = (name: string) => `<${name} not set>`;

/** The variables that a template did not find; empty for any other error. */
export function unsetVariables(error: unknown): string[] {
  if (!(error instanceof ToolError) || error.code !== "template_missing") return [];
  const [, paths = ""] = /Template variable not found: ([^\n]*)/.exec(error.message) ?? [];
  return [...paths.matchAll(/\benv\.([A-Za-z_]\w*)/g)].map(([, name]) => name!);
}

/**
 * The value that a preview is made with. An address or a host cannot hold the placeholder itself, so one that cannot exist stands there
 * until the preview is shown.
 */
export function standIn(name: string, url: unknown): string {
  const host = `${name
    .toLowerCase()
    .replaceAll("_", "-")
    .replace(/^-+|-+$/g, "")}.not-set.invalid`;
  const [, scheme, first] = /^\s*(https?:\/\/[^/?#{}]*)?\{\{\s*env\.(\w+)/i.exec(String(url)) ?? [];
  if (first !== name) return placeholderOf(name);
  return scheme === undefined ? `https://${host}` : host;
}

/** An address shows placeholders as they are, neither encoded nor as what stood in for them. */
export function withPlainPlaceholders<T extends object>(preview: T, unset: ReadonlyMap<string, string>): T {
  const plain = (text: string) => {
    let readable = text;
    for (const [name, value] of unset) {
      const placeholder = placeholderOf(name);
      for (const form of [value, encodeURI(placeholder), encodeURIComponent(placeholder)])
        readable = readable.replaceAll(form, placeholder);
    }
    return readable;
  };
  return Object.fromEntries(
    Object.entries(preview).map(([key, value]) => [
      key,
      typeof value === "string" && (key === "url" || key === "body") ? plain(value) : value,
    ]),
  ) as T;
}
