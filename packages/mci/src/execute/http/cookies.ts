import { ToolError } from "../../errors.ts";
import type { StyleSettings } from "../../schema/style.ts";
import { type Compile, type JsonPath, OMITTED, type Scope } from "../../template-api.ts";
import { type HeaderList, withHeader, withoutHeaders } from "./headers.ts";
import { encodePart } from "./url/query.ts";
import { piecesOf, readStyle } from "./url/styles.ts";

/** The cookies of a call, ready for the header. A caller's value is percent-encoded, so that it stays one value. */
export function compileCookies(
  cookies: Readonly<Record<string, string>>,
  styles: StyleSettings,
  compile: Compile,
  place: JsonPath,
): (scope: Scope) => string[] {
  const fields = Object.entries(cookies).map(([name, source]) => ({
    name: cookieName(name),
    text: compile.text(source, [...place, name]),
    style: Object.hasOwn(styles, name) ? readStyle(styles[name]!, "form") : undefined,
  }));
  return (scope) =>
    fields.flatMap(({ name, text, style }) => {
      if (style === undefined) {
        const parts = text.parts(scope);
        if (parts === OMITTED) return [];
        const value = parts
          .map((part) => (part.origin === "props" ? encodePart(part.text) : part.text))
          .join("");
        return [cookiePair(name, value)];
      }
      const result = text.value(scope);
      if (result === OMITTED || result.value === null) return [];
      const { value } = result;
      // Exploded, each item is a cookie of its own.
      if (style.explode && Array.isArray(value))
        return value.map((item) => cookiePair(name, written(name, item)));
      if (style.explode && typeof value === "object" && style.name !== "json")
        return Object.entries(value as object).map(([key, item]) =>
          cookiePair(cookieName(key), written(key, item)),
        );
      return [cookiePair(name, written(name, value))];

      function written(key: string, item: unknown): string {
        const pieces = piecesOf(key, item, { ...style!, explode: false });
        return pieces.map((piece) => (piece.isDelimiter ? piece.text : encodePart(piece.text))).join("");
      }
    });
}

/** Adds cookies to those the author wrote as a header; one of the same name is replaced. */
export function withCookies(headers: HeaderList, cookies: readonly string[]): HeaderList {
  if (cookies.length === 0) return headers;
  const names = new Set(cookies.map(nameOf));
  const before: string[] = [];
  withoutHeaders(headers, (name, value) => {
    if (name === "cookie")
      before.push(...value.split(/;\s*/).filter((pair) => pair !== "" && !names.has(nameOf(pair))));
    return false;
  });
  return withHeader(headers, "Cookie", [...before, ...cookies].join("; "));
}

export function cookiePair(name: string, value: string): string {
  if (!/[;\s]/.test(value)) return `${name}=${value}`;
  throw new ToolError(
    "header_refused",
    `The value of the cookie '${name}' holds a semicolon or white space.`,
  );
}

function nameOf(pair: string): string {
  return pair.split("=", 1)[0]!.trim();
}

export function cookieName(name: string): string {
  if (/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return name;
  throw new ToolError("header_refused", `${JSON.stringify(name)} is not a possible name of a cookie.`);
}
