/** Longer names are cut; numbers keep them apart. */
const MAX_LENGTH = 200;

/** Names of types, each given once. */
export class TypeNames {
  readonly #taken = new Set(["Tools"]);
  /** The number that a name gets next; to count from 2 each time takes quadratic time. */
  readonly #numbers = new Map<string, number>();

  /** A name in PascalCase made of the words of a text. */
  unique(text: string): string {
    const plain = text.normalize("NFKD").replaceAll(/\p{M}/gu, "");
    const words = plain.split(/[^a-zA-Z0-9]+/).filter((word) => word !== "");
    const joined = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join("");
    const base = (/^[a-zA-Z]/.test(joined) ? joined : `Tool${joined}`).slice(0, MAX_LENGTH);
    let name = base;
    let number = this.#numbers.get(base) ?? 2;
    for (; this.#taken.has(name); number++) name = `${base}${number}`;
    this.#numbers.set(base, number);
    this.#taken.add(name);
    return name;
  }
}

/** A property's name as TypeScript writes it. */
export function propertyName(name: string): string {
  return /^[a-zA-Z_$][a-zA-Z0-9_$]*$/.test(name) ? name : literal(name);
}

/** A value as a type of its own; JSON but for two line ends that older parsers do not accept. */
export function literal(value: unknown): string {
  return JSON.stringify(value).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}
