import { decodeUri } from "@mci-ts/primitives/decode-uri";
import { isObject } from "@mci-ts/primitives/is-object";
import { referenced } from "../schema/json-schema/reference.ts";

type Schema = Readonly<Record<string, unknown>>;

/** Schemas that are looked at to hide properties. What lies beyond is not shown at all. */
const MAX_SCHEMAS = 2000;
const MAX_DEPTH = 100;

/**
 * A schema as callers see it who cannot give a value to some properties of the whole: these are in none of the schemas that
 * apply to it, whether they stand in `allOf`, in an alternative, in a condition or behind a reference. For showing only: calls
 * are checked by the whole schema.
 */
export function hideProperties(schema: Schema, names: ReadonlySet<string>): Schema {
  const { $defs, definitions, ...visible } = new Hider(schema, names).hide(schema, [], 0);
  return { ...visible, ...usedDefinitions(visible, { $defs, definitions }) };
}

class Hider {
  readonly #root: Schema;
  readonly #names: ReadonlySet<string>;
  #schemas = 0;

  constructor(root: Schema, names: ReadonlySet<string>) {
    this.#root = root;
    this.#names = names;
  }

  hide(schema: Schema, trail: readonly string[], depth: number): Schema {
    this.#schemas += 1;
    if (this.#schemas > MAX_SCHEMAS || depth > MAX_DEPTH) return {};
    const { $ref, $dynamicRef: _, ...own } = schema;
    const visible = Object.fromEntries(
      Object.entries(own).flatMap(([keyword, value]) => {
        const kept = this.#value(keyword, value, trail, depth + 1);
        return kept === undefined ? [] : [[keyword, kept]];
      }),
    );
    const target =
      typeof $ref === "string" && !trail.includes($ref) ? referenced(this.#root, $ref) : undefined;
    if (!isObject(target)) return visible;
    const inlined = this.hide(target, [...trail, $ref as string], depth + 1);
    if (Object.keys(visible).length === 0) return inlined;
    return { ...visible, allOf: [...(Array.isArray(visible["allOf"]) ? visible["allOf"] : []), inlined] };
  }

  #value(keyword: string, value: unknown, trail: readonly string[], depth: number): unknown {
    const hide = (part: unknown) => (isObject(part) ? this.hide(part, trail, depth) : part);
    if (IN_PLACE.has(keyword)) return Array.isArray(value) ? value.map(hide) : hide(value);
    if (keyword === "patternProperties") return this.#patterns(value);
    if (keyword === "required") return this.#withoutHidden(value);
    if (keyword === "examples") return Array.isArray(value) ? value.map((item) => this.#keys(item)) : value;
    if (BY_NAME.has(keyword)) {
      const kept = this.#keys(value);
      if (keyword === "properties" || !isObject(kept)) return kept;
      return Object.fromEntries(
        Object.entries(kept).map(([name, part]) => [
          name,
          Array.isArray(part) ? this.#withoutHidden(part) : hide(part),
        ]),
      );
    }
    return value;
  }

  /** A list of names without the hidden ones; undefined if none is left. */
  #withoutHidden(value: unknown): unknown {
    if (!Array.isArray(value)) return value;
    const kept = value.filter((name) => !this.#names.has(name));
    return kept.length === 0 ? undefined : kept;
  }

  /** Patterns that do not name a hidden property; whether one matches it is not tried, a pattern may take forever. */
  #patterns(value: unknown): unknown {
    if (!isObject(value)) return value;
    const shows = (pattern: string) => [...this.#names].some((name) => pattern.includes(name));
    return Object.fromEntries(Object.entries(value).filter(([pattern]) => !shows(pattern)));
  }

  #keys(value: unknown): unknown {
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).filter(([name]) => !this.#names.has(name)));
  }
}

/** Keywords whose schemas apply to the same value. */
const IN_PLACE: ReadonlySet<string> = new Set(["allOf", "anyOf", "oneOf", "not", "if", "then", "else"]);
/** Keywords that hold something for properties, by their names. */
const BY_NAME: ReadonlySet<string> = new Set([
  ...["properties", "dependentSchemas", "dependentRequired", "dependencies", "default"],
]);

/** Definitions that something else refers to. The others would still show what was hidden. */
function usedDefinitions(visible: Schema, all: Readonly<Record<string, unknown>>): Schema {
  const used = referencesIn(visible, { ...visible, ...all });
  // `#/$defs/name`, and what lies inside of it.
  const names = new Set(used.map((reference) => decodeUri(reference).split("/").slice(1, 3).join("/")));
  const isUsed = (keyword: string, name: string, definition: unknown) =>
    names.has(`${keyword}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`) ||
    (isObject(definition) && used.includes(`#${definition["$anchor"]}`));
  return Object.fromEntries(
    Object.entries(all).flatMap(([keyword, definitions]) => {
      const kept = Object.entries(isObject(definitions) ? definitions : {}).filter(([name, definition]) =>
        isUsed(keyword, name, definition),
      );
      return kept.length === 0 ? [] : [[keyword, Object.fromEntries(kept)]];
    }),
  );
}

/** Every reference in a value, and in what they lead to. */
function referencesIn(value: Schema, root: Schema): string[] {
  const found = new Set<string>();
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next !== "object" || next === null) continue;
    for (const item of Object.values(next)) pending.push(item);
    const { $ref } = next as Schema;
    if (typeof $ref !== "string" || found.has($ref)) continue;
    found.add($ref);
    pending.push(referenced(root, $ref));
  }
  return [...found];
}
