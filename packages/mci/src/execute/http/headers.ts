import { ToolError } from "../../errors.ts";
import type { StyleSetting, StyleSettings } from "../../schema/style.ts";
import { type Compile, type JsonPath, OMITTED, type Scope, type TemplateString } from "../../template-api.ts";
import { piecesOf, readStyle } from "./url/styles.ts";

/** Names and values alternate, as undici takes them. */
export type HeaderList = readonly string[];

/** The connection sets these itself; in a file they are ignored, not an error. */
const FRAMING = new Set([
  "connection",
  "content-length",
  "expect",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
]);

const DEFAULTS: Readonly<Record<string, string>> = {
  accept: "*/*",
  "accept-encoding": "gzip, deflate, br, zstd",
  "user-agent": "mci-ts",
};

/** The author's headers win over the defaults, in any case of letters. */
export function compileHeaders(
  headers: Readonly<Record<string, string>>,
  compile: Compile,
  place: JsonPath,
  styles: StyleSettings = {},
): (scope: Scope) => HeaderList {
  const fields = new Map(
    Object.entries(headers)
      .filter(([name]) => !FRAMING.has(name.toLowerCase()))
      .map(([name, source]) => [name.toLowerCase(), { name, text: compile.text(source, [...place, name]) }]),
  );
  const unset = Object.entries(DEFAULTS)
    .filter(([name]) => !fields.has(name))
    .flat();
  let constant: HeaderList | undefined;
  const isConstant = [...fields.values()].every(({ text }) => text.isConstant);

  return (scope) => {
    if (constant !== undefined) return constant;
    const list = [...unset];
    for (const [key, { name, text }] of fields) {
      const style = Object.hasOwn(styles, name) ? styles[name] : undefined;
      const value = style === undefined ? text.render(scope) : styledValue(name, text, style, scope);
      if (value !== OMITTED) list.push(checkName(name), checkValue(name, value));
      else if (Object.hasOwn(DEFAULTS, key)) list.push(name, DEFAULTS[key]!);
    }
    if (isConstant) constant = list;
    return list;
  };
}

/** A list or object as one text. A comma inside a value would begin the next one. */
function styledValue(
  name: string,
  text: TemplateString,
  setting: StyleSetting,
  scope: Scope,
): string | typeof OMITTED {
  const result = text.value(scope);
  if (result === OMITTED || result.value === null) return OMITTED;
  const style = readStyle(setting, "simple");
  const isOne = typeof result.value !== "object" || style.name === "json";
  return piecesOf(name, result.value, style)
    .map((piece) => (piece.isDelimiter || isOne ? piece.text : piece.text.replaceAll(",", "%2C")))
    .join("");
}

/** A copy in which this header has this value, whatever was there under the same name. */
export function withHeader(list: HeaderList, name: string, value: string): HeaderList {
  return [
    ...withoutHeaders(list, (key) => key === name.toLowerCase()),
    checkName(name),
    checkValue(name, value),
  ];
}

export function withoutHeaders(
  list: HeaderList,
  drop: (lowerCaseName: string, value: string) => boolean,
): string[] {
  const kept: string[] = [];
  for (let i = 0; i < list.length; i += 2)
    if (!drop(list[i]!.toLowerCase(), list[i + 1]!)) kept.push(list[i]!, list[i + 1]!);
  return kept;
}

export function hasHeader(list: HeaderList, lowerCaseName: string): boolean {
  for (let i = 0; i < list.length; i += 2) if (list[i]!.toLowerCase() === lowerCaseName) return true;
  return false;
}

function checkName(name: string): string {
  if (/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return name;
  throw new ToolError("header_refused", `${JSON.stringify(name)} is not a possible name of a header.`);
}

/** Anything beyond ASCII is sent as UTF-8 bytes, which is what servers of today read. */
function checkValue(name: string, value: string): string {
  const trimmed = trimBlanks(value);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\x00-\x08\x0a-\x1f\x7f]/.test(trimmed)) {
    throw new ToolError(
      "header_refused",
      `The value of the header '${name}' holds a line break or another control character. Remove it; a stray line break at the end of a secret is a common cause.`,
    );
  }
  return /^[\t\x20-\x7e]*$/.test(trimmed) ? trimmed : Buffer.from(trimmed, "utf8").toString("latin1");
}

/** Not a regular expression: one that ends in `$` takes quadratic time over inner blanks. */
function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && (text[start] === " " || text[start] === "\t")) start++;
  while (end > start && (text[end - 1] === " " || text[end - 1] === "\t")) end--;
  return text.slice(start, end);
}
