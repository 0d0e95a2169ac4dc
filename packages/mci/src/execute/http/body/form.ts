import { isObject } from "@mci-ts/primitives/is-object";
import { ToolError } from "../../../errors.ts";
import { OMITTED, type Part } from "../../../template-api.ts";
import { encodeParams } from "../url/params.ts";
import { encodePart } from "../url/query.ts";
import type { BodyType, EncodedBody } from "./body-type.ts";
import { compileContent, isEmpty } from "./content.ts";

/** An object of names and values, or a form written as one text. */
export const form: BodyType<"form"> = (body, compile, parent) => {
  const { content, omitEmpty } = body;
  const place = [...parent, "content"];
  const encoding = body.encoding ?? {};
  if (typeof content === "string") {
    const text = compile.text(content, place);
    if (!text.isNative) {
      return (scope) => {
        const parts = text.parts(scope);
        return parts === OMITTED ? undefined : encode(formText(parts));
      };
    }
  }
  const render = compileContent(content, compile, place);
  return (scope) => {
    const value = render(scope);
    if (value === OMITTED || (omitEmpty && isEmpty(value))) return undefined;
    if (typeof value === "string") return encode(value);
    if (isObject(value)) return encode(encodeParams(value, encoding));
    throw new ToolError("invalid_config", "The form body must be an object of names and values.");
  };
};

function encode(text: string): EncodedBody {
  return { bytes: Buffer.from(text), contentType: "application/x-www-form-urlencoded" };
}

/** In a form written as one text, a caller's value stays one value; a form that is all the caller's is theirs to write. */
function formText(parts: readonly Part[]): string {
  if (parts.length === 1) return parts[0]!.text;
  return parts.map(({ text, origin }) => (origin === "props" ? encodePart(text) : text)).join("");
}
