import { ToolError } from "../../../errors.ts";
import type { StyleSettings } from "../../../schema/style.ts";
import {
  type Compile,
  type JsonPath,
  OMITTED,
  type Part,
  type Scope,
  type TemplateString,
} from "../../../template-api.ts";
import { compileContent } from "../body/content.ts";
import { piecesOf, readStyle } from "./styles.ts";

/** A URL whose `{name}`s are filled from `pathParams`. What stands between values is the author's, the values are not. */
export function withPathParams(
  url: TemplateString,
  params: Readonly<Record<string, unknown>>,
  styles: StyleSettings,
  compile: Compile,
  place: JsonPath,
): Pick<TemplateString, "parts" | "isConstant" | "source"> {
  const fields = new Map(
    Object.entries(params).map(([name, value]) => [
      name,
      {
        render: compileContent(value, compile, [...place, name]),
        style: readStyle(Object.hasOwn(styles, name) ? styles[name]! : "simple", "simple"),
      },
    ]),
  );
  const fill = (name: string, scope: Scope): Part[] => {
    const { render, style } = fields.get(name)!;
    const value = render(scope);
    const pieces = value === OMITTED ? [] : piecesOf(name, value, style);
    if (pieces.every(({ text, isDelimiter }) => isDelimiter || text === "")) {
      throw new ToolError("invalid_config", `The path parameter '${name}' must not be empty.`);
    }
    return pieces.map(({ text, isDelimiter }) => ({ text, origin: isDelimiter ? "author" : "props" }));
  };
  return {
    source: url.source,
    isConstant: false,
    parts(scope) {
      const parts = url.parts(scope);
      if (parts === OMITTED) return OMITTED;
      return parts.flatMap((part) => {
        if (part.origin !== "author") return [part];
        return part.text
          .split(/\{([^{}]+)\}/)
          .flatMap((piece, index): Part[] =>
            index % 2 === 1 && fields.has(piece)
              ? fill(piece, scope)
              : [{ text: index % 2 === 1 ? `{${piece}}` : piece, origin: "author" }],
          );
      });
    },
  };
}
