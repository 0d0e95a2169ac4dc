import * as z from "zod/mini";
import { about, lazily, map, optional, optionalFlag } from "./fields.ts";

/** How lists and objects are written, in the words of OpenAPI; `json`: as JSON text. */
export const STYLES = {
  path: ["simple", "label", "matrix", "json"],
  query: ["form", "spaceDelimited", "pipeDelimited", "tabDelimited", "deepObject", "json"],
  header: ["simple", "json"],
  cookie: ["form", "cookie", "json"],
} as const;

export type StyleName = (typeof STYLES)[keyof typeof STYLES][number];

const style = <const Names extends readonly StyleName[]>(names: Names) => {
  const error = `one of ${names.join(", ")}, or an object {style, explode}`;
  return z.union(
    [
      z.enum(names),
      z.object({
        style: optional(z.enum(names, { error: `one of ${names.join(", ")}` })),
        explode: optionalFlag(
          "Write each item by itself. Default true for form, deepObject and cookie, else false.",
        ),
        allowReserved: optionalFlag("Leave : / ? [ ] @ ! $ ' ( ) * = as they are. Default false."),
      }),
    ],
    { error },
  );
};

const styles = (place: keyof typeof STYLES, description: string) =>
  optional(map(style(STYLES[place]), description));

export const paramStyles = lazily(() =>
  z
    .object({
      path: styles("path", "Of pathParams, by name."),
      query: styles("query", "Of params, by name."),
      header: styles("header", "Of headers, by name."),
      cookie: styles("cookie", "Of cookies, by name."),
    })
    .register(about, {
      id: "paramStyles",
      description:
        "How parameters that are lists or objects are written: a style of OpenAPI, or {style, explode}.",
      examples: [{ query: { filter: "deepObject", ids: { style: "form", explode: false } } }],
    }),
);

/** The styles of form fields, by name; `*` is for all others. */
export const formEncoding = () =>
  map(style(STYLES.query), "How fields that are lists or objects are written, by name; * for all others.");

/** A style as written: its name, or with its options. */
export type StyleSetting =
  | StyleName
  | {
      readonly style?: StyleName | undefined;
      readonly explode?: boolean | undefined;
      readonly allowReserved?: boolean | undefined;
    };
export type StyleSettings = Readonly<Record<string, StyleSetting>>;
