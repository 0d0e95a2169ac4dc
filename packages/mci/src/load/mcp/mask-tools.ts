import { isObject } from "@mci-ts/primitives/is-object";
import { Secrets } from "../../secrets.ts";

export interface MaskedTools<T> {
  readonly tools: readonly T[];
  /** Names of tools that could not be masked, which have the values in their structure; masked themselves. */
  readonly leftOut: readonly string[];
}

/**
 * What a server lists, its tools above all, without the values that it was sent, which it may repeat anywhere. Texts for people are masked. A default or
 * an example is removed as a whole, because a masked one would be another value. Names and values that calls depend on cannot
 * be masked: a tool that has a secret there is left out.
 */
export function maskListed<T extends { readonly name: string }>(
  tools: readonly T[],
  secrets: Secrets,
): MaskedTools<T> {
  if (secrets.values.length === 0) return { tools, leftOut: [] };
  const masker = new ToolMasker(secrets);
  const kept: T[] = [];
  const leftOut: string[] = [];
  for (const tool of tools) {
    try {
      kept.push(masker.clean(tool, "", 0) as T);
    } catch (error) {
      if (!(error instanceof SecretInStructure)) throw error;
      leftOut.push(secrets.mask(tool.name));
    }
  }
  return { tools: kept, leftOut };
}

class SecretInStructure extends Error {}

/** Keywords whose values calls depend on; those of all others are for people. */
const STRUCTURE: ReadonlySet<string> = new Set([
  ...["name", "toolName", "serverName", "enum", "const", "pattern", "required", "type", "format", "tags"],
  ...["uri", "uriTemplate", "resourceUri"],
  ...["$ref", "$dynamicRef", "$id", "$anchor", "$dynamicAnchor", "$schema", "dependentRequired"],
]);
const REMOVED: ReadonlySet<string> = new Set(["default", "example"]);
/** Deeper schemas cannot be used, and would overflow the stack. */
const MAX_DEPTH = 500;

class ToolMasker {
  readonly #secrets: Secrets;
  readonly #inNames = new Secrets();

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
    for (const value of secrets.values) if (isUnmistakable(value)) this.#inNames.add(value, "credential");
  }

  /** A copy of what stands under a keyword. */
  clean(value: unknown, keyword: string, depth: number): unknown {
    if (depth > MAX_DEPTH) throw new SecretInStructure();
    if (typeof value === "string") return this.#text(value, keyword);
    if (Array.isArray(value)) {
      const items = keyword === "examples" ? value.filter((item) => this.#isClean(item, depth)) : value;
      return items.map((item) => this.clean(item, keyword, depth + 1));
    }
    // A number cannot be masked: it says how many, or which, and a text would not.
    if (typeof value !== "object" && this.#inNames.mask(value) !== value) throw new SecretInStructure();
    if (!isObject(value)) return value;
    const entries = Object.entries(value).filter(
      ([key, item]) => !REMOVED.has(key) || this.#isClean(item, depth + 1),
    );
    return Object.fromEntries(
      entries.map(([key, item]) => [
        this.#text(key, "name"),
        this.clean(item, inside(keyword, key), depth + 1),
      ]),
    );
  }

  #text(text: string, keyword: string): string {
    if (!STRUCTURE.has(keyword)) return this.#secrets.mask(text);
    // With an end of its own: a name may end as a secret begins.
    const ended = `${text}\n;`;
    if (this.#inNames.mask(ended) !== ended) throw new SecretInStructure();
    return text;
  }

  #isClean(value: unknown, depth: number): boolean {
    if (depth > MAX_DEPTH) return false;
    if (typeof value !== "object" || value === null) return this.#secrets.mask(value) === value;
    return Object.entries(value).every(
      ([key, item]) => this.#secrets.mask(key) === key && this.#isClean(item, depth + 1),
    );
  }
}

/** Objects and lists below a keyword that calls depend on belong to it as a whole. */
function inside(keyword: string, key: string): string {
  return keyword === "enum" || keyword === "const" || keyword === "dependentRequired" ? keyword : key;
}

/** Words and short values are in names by coincidence: a region, a port, the name of a database. */
function isUnmistakable(value: unknown): boolean {
  return typeof value === "string" && value.length >= 6 && !/^[a-z]{1,20}$/i.test(value);
}
