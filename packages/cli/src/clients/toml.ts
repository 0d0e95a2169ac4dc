import { isDeepStrictEqual } from "node:util";
import { isObject } from "@mci-ts/primitives/is-object";
import { parse, stringify, TomlError } from "smol-toml";
import { CliError } from "../cli-error.ts";

type Json = Readonly<Record<string, unknown>>;

export function parseToml(text: string, name: string): Record<string, unknown> {
  try {
    return parse(text.replace(/^\uFEFF/, ""));
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause;
    const [what = ""] = cause.message.replace(/^Invalid TOML document: /, "").split("\n");
    throw new CliError(`${name} is not valid TOML: ${what} at line ${cause.line}, column ${cause.column}.`, {
      hint: "Correct it there, or save it again where it came from.",
    });
  }
}

/**
 * The text with the table `[list.name]`: at the end, or in the place of the one that is there. Comments and everything
 * else stay. Undefined where that is not possible with this text: the table is written in another form.
 */
export function setTomlTable(
  source: string,
  list: string,
  name: string,
  entry: Json,
): { readonly text: string; readonly lostComments: boolean } | undefined {
  const before = parseToml(source, "The configuration");
  const servers = before[list] ?? {};
  if (!isObject(servers)) return undefined;
  const expected = { ...before, [list]: { ...servers, [name]: entry } };
  const eol = source.includes("\r\n") ? "\r\n" : "\n";
  const whole = stringify({ [list]: { [name]: entry } }).trim();
  // A header without anything in it is not needed.
  const table = (whole.startsWith(`[${list}]\n`) ? whole.slice(list.length + 3) : whole)
    .trimStart()
    .replaceAll("\n", eol);
  const old = Object.hasOwn(servers, name) ? findTable(source, list, name) : "";
  if (old === undefined) return undefined;
  const text =
    old === "" ? `${withEnd(source, eol)}${table}${eol}` : source.replace(old, () => `${table}${eol}`);
  const isRight = isDeepStrictEqual(plain(parseToml(text, "The configuration")), plain(expected));
  return isRight ? { text, lostComments: hasComment(old) } : undefined;
}

/** What the table of this name says. */
export function tomlEntry(source: string, list: string, name: string, file: string): unknown {
  const servers = parseToml(source, file)[list];
  return isObject(servers) && Object.hasOwn(servers, name) ? servers[name] : undefined;
}

/** A `#` outside of quotes. */
function hasComment(text: string): boolean {
  let quote = "";
  for (let index = 0; index < text.length; index++) {
    const character = text[index]!;
    if (quote === "" && character === "#") return true;
    if (quote === "" && (character === '"' || character === "'")) quote = character;
    else if (character === "\\" && quote === '"') index++;
    else if (character === quote || character === "\n") quote = "";
  }
  return false;
}

function withEnd(source: string, eol: string): string {
  if (source.trim() === "") return source;
  return source.endsWith("\n") ? `${source}${eol}` : `${source}${eol}${eol}`;
}

/** The lines of the table and its sub-tables; undefined: it is not written as a table of its own. */
function findTable(source: string, list: string, name: string): string | undefined {
  const lines = source.split(/(?<=\n)/);
  const isOwn = (line: string) => {
    const [, header] = /^[ \t]*\[([^[\]]+)\][ \t]*(?:#.*)?\r?\n?$/.exec(line) ?? [];
    if (header === undefined) return undefined;
    const keys = header.split(".").map((key) => key.trim().replace(/^(["'])(.*)\1$/, "$2"));
    return keys[0] === list && keys[1] === name;
  };
  const start = lines.findIndex((line) => isOwn(line) === true);
  if (start < 0) return undefined;
  let end = start + 1;
  while (end < lines.length && isOwn(lines[end]!) !== false && !/^[ \t]*\[\[/.test(lines[end]!)) end++;
  // Blank lines and comments before the next table are its own.
  while (end > start + 1 && /^[ \t]*(?:#.*)?\r?\n?$/.test(lines[end - 1]!)) end--;
  return lines.slice(start, end).join("");
}

/** Dates and numbers compare by their text. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, item) => (typeof item === "bigint" ? `${item}n` : item)));
}
