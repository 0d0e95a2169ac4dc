import type { Problem } from "../errors.ts";
import type { Location } from "./result.ts";

/** Syntax of other template languages, which is printed as it is here. */
const FOREIGN_SYNTAX: readonly {
  readonly pattern: RegExp;
  readonly message: string;
  readonly hint: string;
}[] = [
  {
    pattern: /\{%-?\s*(?:if|for|set|macro)\b/,
    message: "This looks like Jinja, and is printed as it is",
    hint: 'set templateEngine to "jinja2", or write @if(…) and @foreach(…)',
  },
  {
    pattern: /(?<![{@])\$?\{\s*(?:props|env|input|properties)\.[\w.]+\s*\}(?!\})/,
    message: "This looks like a placeholder, and is printed as it is",
    hint: "a placeholder has two braces: {{props.name}}",
  },
];

/** The first of each kind in a text of the built-in language. Backticks are a sign of JavaScript, where `${}` is meant. */
export function foreignSyntax(source: string, locationOf: (offset: number) => Location): Problem[] {
  if (source.includes("@verbatim") || source.includes("`")) return [];
  return FOREIGN_SYNTAX.flatMap(({ pattern, message, hint }): Problem[] => {
    const at = source.search(pattern);
    return at < 0 ? [] : [{ message, hint, severity: "warning", ...locationOf(at) }];
  });
}
