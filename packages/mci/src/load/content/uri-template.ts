import { strictDecodeUri } from "@mci-ts/primitives/decode-uri";
/** The part of RFC 6570 that names resources: `{name}` is one segment, `{+name}` may hold slashes. */
export interface UriTemplate {
  readonly names: readonly string[];
  /** The values in an address, decoded; undefined if it is another address. */
  match(uri: string): Readonly<Record<string, string>> | undefined;
}

/** Characters of an address that is compared. */
const MAX_URI = 8192;
const EXPRESSION = /\{(\+?)([A-Za-z_][A-Za-z0-9_.]*)\}/g;

/** Undefined for a template with other expressions, or with one name twice. */
export function parseUriTemplate(template: string): UriTemplate | undefined {
  const names = [...template.matchAll(EXPRESSION)].map(([, , name]) => name!);
  const isPlain = !/[{}]/.test(template.replaceAll(EXPRESSION, ""));
  if (!isPlain || names.length === 0 || new Set(names).size < names.length) return undefined;
  const literals = template.split(/\{\+?[A-Za-z_][A-Za-z0-9_.]*\}/);
  const isPath = [...template.matchAll(EXPRESSION)].map(([, plus]) => plus === "+");
  return { names, match: (uri) => matchParts(uri, literals, names, isPath) };
}

/** Without a regular expression: templates of servers could make one that never ends. */
function matchParts(
  uri: string,
  literals: readonly string[],
  names: readonly string[],
  isPath: readonly boolean[],
): Record<string, string> | undefined {
  if (uri.length > MAX_URI || !uri.startsWith(literals[0]!)) return undefined;
  const values: Record<string, string> = {};
  let position = literals[0]!.length;
  for (const [index, name] of names.entries()) {
    const literal = literals[index + 1]!;
    const isLast = index === names.length - 1;
    const end = isLast ? uri.length - literal.length : uri.indexOf(literal, position + 1);
    if (end <= position || (isLast && !uri.endsWith(literal)) || (!isLast && literal === ""))
      return undefined;
    const value = strictDecodeUri(uri.slice(position, end));
    if (value === undefined || (!isPath[index] && /[/?#]/.test(uri.slice(position, end)))) return undefined;
    values[name] = value;
    position = end + literal.length;
  }
  return values;
}

/**
 * Whether an address may belong to a template of a server, which may use all of RFC 6570: the text before its first expression
 * decides. The server itself has the last word.
 */
export function mayMatch(template: string, uri: string): boolean {
  const [prefix = ""] = template.split("{", 1);
  return prefix.includes(":") && uri.length <= MAX_URI && uri.startsWith(prefix);
}
