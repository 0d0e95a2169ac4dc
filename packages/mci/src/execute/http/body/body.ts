import { ToolError } from "../../../errors.ts";
import type { HttpExecution } from "../../../schema/execution.ts";
import {
  type Compile,
  type JsonPath,
  OMITTED,
  type Omitted,
  type Part,
  type Scope,
} from "../../../template-api.ts";
import { encodePairs, encodePart } from "../query.ts";

type Body = NonNullable<HttpExecution["body"]>;

export const CONTENT_TYPES: Readonly<Record<Body["type"], string>> = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  raw: "text/plain",
};

/** undefined: no body, because the property it consists of was not given. */
export function compileBody(
  body: Body,
  compile: Compile,
  place: JsonPath,
): (scope: Scope) => string | undefined {
  return WRITERS[body.type](body.content, compile, [...place, "content"]);
}

type Writer = (content: unknown, compile: Compile, place: JsonPath) => (scope: Scope) => string | undefined;

const WRITERS: Record<Body["type"], Writer> = {
  // A string that is not one `{!! !!}` is sent as a JSON string.
  json: (content, compile, place) => {
    const render = compileContent(content, compile, place);
    return (scope) => {
      const value = render(scope);
      return value === OMITTED ? undefined : JSON.stringify(value);
    };
  },

  form: (content, compile, place) => {
    if (typeof content === "string") {
      const text = compile.text(content, place);
      if (!text.isNative) {
        return (scope) => {
          const parts = text.parts(scope);
          return parts === OMITTED ? undefined : formText(parts);
        };
      }
    }
    const render = compileContent(content, compile, place);
    return (scope) => {
      const value = render(scope);
      if (value === OMITTED) return undefined;
      if (typeof value === "string") return value;
      if (typeof value === "object" && value !== null && !Array.isArray(value)) {
        return encodePairs(value as Record<string, unknown>);
      }
      throw new ToolError("invalid_config", "The form body must be an object of names and values.");
    };
  },

  raw: (content, compile, place) => {
    const text = compile.text(String(content), place);
    return (scope) => {
      const value = text.render(scope);
      return value === OMITTED ? undefined : value;
    };
  },
};

function compileContent(
  content: unknown,
  compile: Compile,
  place: JsonPath,
): (scope: Scope) => unknown | Omitted {
  if (typeof content !== "string") {
    const value = compile.value(content, place);
    return (scope) => value.render(scope);
  }
  const text = compile.text(content, place);
  return (scope) => {
    const rendered = text.value(scope);
    return rendered === OMITTED ? OMITTED : rendered.value;
  };
}

/** In a form written as one text, a caller's value stays one value; a form that is all the caller's is theirs to write. */
function formText(parts: readonly Part[]): string {
  if (parts.length === 1) return parts[0]!.text;
  return parts.map(({ text, origin }) => (origin === "props" ? encodePart(text) : text)).join("");
}
