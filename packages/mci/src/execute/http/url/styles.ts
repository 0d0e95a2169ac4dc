import { stringifyExact } from "@mci-ts/primitives/exact-json";
import { isObject } from "@mci-ts/primitives/is-object";
import { ToolError } from "../../../errors.ts";
import type { StyleName, StyleSetting } from "../../../schema/style.ts";
import { encodePart } from "./query.ts";

/** How one parameter is written, its defaults filled in. */
export interface Style {
  readonly name: StyleName;
  readonly explode: boolean;
  readonly allowReserved: boolean;
}

export function readStyle(setting: StyleSetting, usual: StyleName): Style {
  const {
    style = usual,
    explode,
    allowReserved,
  } = typeof setting === "string" ? { style: setting } : setting;
  const isExploding = style === "form" || style === "deepObject" || style === "cookie";
  return { name: style, explode: explode ?? isExploding, allowReserved: allowReserved ?? false };
}

/** Text of a value, or what stands between values. Only the former may come from a caller, and is encoded. */
export interface Piece {
  readonly text: string;
  readonly isDelimiter: boolean;
}

/** A value in a path, a header or a cookie. Empty if there is nothing to write. */
export function piecesOf(name: string, value: unknown, style: Style): Piece[] {
  if (style.name === "json") return [text(stringifyExact(value))];
  const { prefix, separator, withName } = LAYOUTS[style.name]?.(style.explode) ?? SIMPLE;
  const items = itemsOf(name, value, style, withName);
  const pieces = items.flatMap((item, index) => [...(index === 0 ? [] : [delimiter(separator)]), ...item]);
  return pieces.length === 0 || prefix === "" ? pieces : [delimiter(prefix), ...pieces];
}

interface Layout {
  readonly prefix: string;
  readonly separator: string;
  /** `name=` before every item, or once before the list. */
  readonly withName?: "each" | "once";
}

const SIMPLE: Layout = { prefix: "", separator: "," };

const LAYOUTS: Partial<Record<StyleName, (explode: boolean) => Layout>> = {
  label: (explode) => ({ prefix: ".", separator: explode ? "." : "," }),
  matrix: (explode) => ({ prefix: ";", separator: explode ? ";" : ",", withName: explode ? "each" : "once" }),
};

function itemsOf(name: string, value: unknown, { explode }: Style, withName: Layout["withName"]): Piece[][] {
  const named = (piece: Piece): Piece[] => [text(name), delimiter("="), piece];
  if (isObject(value)) {
    const fields = Object.entries(value).filter(([, item]) => item !== null && item !== undefined);
    const items = explode
      ? fields.map(([key, item]) => [text(key), delimiter("="), text(plain(item))])
      : fields.flatMap(([key, item]) => [[text(key)], [text(plain(item))]]);
    return withName === "once" ? once(name, items) : items;
  }
  const list = (Array.isArray(value) ? value : [value]).filter((item) => item !== null && item !== undefined);
  if (withName === "each") return list.map((item) => named(text(plain(item))));
  const items = list.map((item) => [text(plain(item))]);
  return withName === "once" ? once(name, items) : items;
}

function once(name: string, [first, ...rest]: Piece[][]): Piece[][] {
  return first === undefined ? [] : [[text(name), delimiter("="), ...first], ...rest];
}

const text = (value: string): Piece => ({ text: value, isDelimiter: false });
const delimiter = (value: string): Piece => ({ text: value, isDelimiter: true });

/** A parameter of a query or form as encoded `name=value` pairs. */
export function pairsOf(name: string, value: unknown, style: Style): string[] {
  const encode = style.allowReserved ? encodeSparingly : encodePart;
  const pair = (key: string, item: unknown) => `${encodePart(key)}=${encode(plain(item))}`;
  if (value === null || value === undefined) return [];
  if (style.name === "json") return [`${encodePart(name)}=${encode(stringifyExact(value))}`];
  if (style.name === "deepObject") return bracketPairs(name, value, 0).map(([key, item]) => pair(key, item));
  if (!Array.isArray(value) && !isObject(value)) return [pair(name, value)];
  const present = (item: unknown) => item !== null && item !== undefined;
  if (style.explode) {
    if (Array.isArray(value)) return value.filter(present).map((item) => pair(name, item));
    const fields = Object.entries(value).filter(([, item]) => present(item));
    return fields.flatMap(([key, item]) =>
      Array.isArray(item) ? item.map((one) => pair(key, one)) : [pair(key, item)],
    );
  }
  const list = Array.isArray(value)
    ? value.filter(present)
    : Object.entries(value)
        .filter(([, item]) => present(item))
        .flat();
  if (list.length === 0) return [];
  return [
    `${encodePart(name)}=${list.map((item) => encode(plain(item))).join(SEPARATORS[style.name] ?? ",")}`,
  ];
}

const SEPARATORS: Partial<Record<StyleName, string>> = {
  spaceDelimited: "%20",
  pipeDelimited: "%7C",
  tabDelimited: "%09",
};

/** Nested deeper, a value is written as JSON. */
const MAX_DEPTH = 20;

/** `a[b]=c`; a list of texts is `a[]=1`, a list of objects `a[0][b]=c`, as most servers read them. */
function bracketPairs(name: string, value: unknown, depth: number): [string, unknown][] {
  if (value === null || value === undefined) return [];
  if (depth >= MAX_DEPTH) return [[name, value]];
  if (Array.isArray(value)) {
    const isFlat = value.every((item) => typeof item !== "object" || item === null);
    return value.flatMap((item, index) => bracketPairs(`${name}[${isFlat ? "" : index}]`, item, depth + 1));
  }
  if (!isObject(value)) return [[name, value]];
  return Object.entries(value).flatMap(([key, item]) => bracketPairs(`${name}[${key}]`, item, depth + 1));
}

function plain(value: unknown): string {
  return typeof value === "object" && value !== null ? stringifyExact(value) : String(value);
}

/** Reserved characters stay, except those that would end the value (& # +) or an item of a list (the comma). */
function encodeSparingly(value: string): string {
  return encodePart(value).replace(/%(?:3A|2F|3F|5B|5D|40|24|3D)/g, (code) => decodeURIComponent(code));
}

/** The keys of an exploded object become names of parameters. A caller must not reach the others by them. */
export function checkExplodedKeys(
  name: string,
  value: unknown,
  style: Style,
  taken: ReadonlySet<string>,
): void {
  const spreads = style.explode && style.name !== "deepObject" && style.name !== "json" && isObject(value);
  if (!spreads) return;
  const clash = Object.keys(value).find((key) => key !== name && taken.has(key));
  if (clash === undefined) return;
  throw new ToolError(
    "invalid_config",
    `'${name}' must not have the key '${clash}': the request has a parameter of that name. Give it there.`,
  );
}
