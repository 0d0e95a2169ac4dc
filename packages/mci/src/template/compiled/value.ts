import {
  type JsonPath,
  OMITTED,
  type Omitted,
  type Scope,
  type TemplateString,
  type TemplateValue,
} from "../../template-api.ts";

type Render = (scope: Scope) => unknown | Omitted;

/**
 * A JSON value whose strings are texts. `text` compiles one of them, or gives undefined where it has no placeholder.
 * `tooDeep` gives the replacement of a value nested more than `maxDepth` levels deep.
 */
export function compileValue(
  source: unknown,
  place: JsonPath,
  options: {
    readonly maxDepth: number;
    readonly text: (source: string, place: JsonPath) => TemplateString | undefined;
    readonly tooDeep: (place: JsonPath) => Render;
  },
): TemplateValue {
  /** undefined: the value stays as it is, and rendering hands out the same object every time. */
  const compile = (value: unknown, place: JsonPath, depth: number): Render | undefined => {
    if (typeof value === "string") return compileString(options.text(value, place));
    if (typeof value !== "object" || value === null) return undefined;
    if (depth > options.maxDepth) return options.tooDeep(place);
    const entries = Object.entries(value).map(([key, item]): CompiledEntry => {
      const step = Array.isArray(value) ? Number(key) : key;
      return { key, item, render: compile(item, [...place, step], depth + 1) };
    });
    if (entries.every(({ render }) => render === undefined)) return undefined;
    return Array.isArray(value)
      ? (scope) => renderItems(entries, scope)
      : (scope) => renderFields(entries, scope);
  };
  const render = compile(source, place, 1);
  return { render: render ?? (() => source) };
}

interface CompiledEntry {
  readonly key: string;
  readonly item: unknown;
  readonly render: Render | undefined;
}

function compileString(text: TemplateString | undefined): Render | undefined {
  if (text === undefined) return undefined;
  if (!text.isNative) return (scope) => text.render(scope);
  return (scope) => {
    const result = text.value(scope);
    return result === OMITTED ? OMITTED : result.value;
  };
}

function renderItems(entries: readonly CompiledEntry[], scope: Scope): unknown[] {
  const items: unknown[] = [];
  for (const { item, render } of entries) {
    const value = render ? render(scope) : item;
    if (value !== OMITTED) items.push(value);
  }
  return items;
}

function renderFields(entries: readonly CompiledEntry[], scope: Scope): Record<string, unknown> {
  const fields: [string, unknown][] = [];
  for (const { key, item, render } of entries) {
    const value = render ? render(scope) : item;
    if (value !== OMITTED) fields.push([key, value]);
  }
  // Unlike an assignment this makes even `__proto__` an ordinary key.
  return Object.fromEntries(fields);
}
