import { type Compile, type JsonPath, OMITTED, type Omitted, type Scope } from "../../../template-api.ts";

/** A value with templates in it; a string that is one `{!! !!}` gives the value itself. */
export function compileContent(
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

/** Nothing in it: an object or list without content. */
export function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
