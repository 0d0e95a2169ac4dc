import type { Compile, JsonPath, TemplateEngine } from "../template-api.ts";

/** One templated setting of a document, as the loader parses it. */
export interface WrittenSetting {
  readonly source: string;
  readonly place: JsonPath;
  /** "text": placeholders only; "template": the whole built-in language; "path": a bare path; or Jinja. */
  readonly language: "text" | "template" | "path" | "jinja2";
}

/**
 * Parses like `compile` and records its input. Everything the loader treats as a template is found this way,
 * and nothing else: there is no second list of templated fields to maintain.
 */
export function recordSettings(
  compile: Compile,
  defaultEngine: TemplateEngine | undefined,
  record: (setting: WrittenSetting) => void,
): Compile {
  return {
    declaring: (schema) => recordSettings(compile.declaring(schema), defaultEngine, record),
    forTool: (label) => recordSettings(compile.forTool(label), defaultEngine, record),
    readingOnly: (names) => recordSettings(compile.readingOnly(names), defaultEngine, record),
    mayRead: (variable, place) => compile.mayRead(variable, place),
    text(source, place) {
      record({ source, place, language: "text" });
      return compile.text(source, place);
    },
    value(source, place) {
      for (const setting of stringsIn(source, place)) record(setting);
      return compile.value(source, place);
    },
    path(source, place) {
      record({ source, place, language: "path" });
      return compile.path(source, place);
    },
    template(source, place, options) {
      const engine = options?.engine ?? defaultEngine ?? "builtin";
      record({ source, place, language: engine === "jinja2" ? "jinja2" : "template" });
      return compile.template(source, place, options);
    },
  };
}

/** Every string of a value, at any depth, as the setting it is. */
export function* stringsIn(value: unknown, place: JsonPath): Generator<WrittenSetting> {
  if (typeof value === "string") yield { source: value, place, language: "text" };
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* stringsIn(item, [...place, index]);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) yield* stringsIn(item, [...place, key]);
  }
}
