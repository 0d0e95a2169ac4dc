/**
 * A text that fits a plain pattern: letters, classes, groups, alternatives and counts; each part as often as it must be, the last that
 * may repeat as often as `least` characters ask for. What it does not know (conditions, references) is left out.
 */
export function textOfPattern(pattern: string, least = 0): string {
  const text = new PatternReader(pattern).read();
  return text.length >= least ? text : text + (text.at(-1) ?? "a").repeat(least - text.length);
}

/** Repetitions of one part, and characters in all. */
const MAX_REPEATS = 200;
const MAX_CHARS = 2000;

const CLASSES: Readonly<Record<string, string>> = {
  d: "0",
  w: "a",
  s: " ",
  D: "a",
  W: "-",
  S: "a",
  n: "\n",
  t: "\t",
};

class PatternReader {
  readonly #pattern: string;
  #at = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  read(): string {
    let text = this.#alternatives();
    // A bracket that closes nothing.
    while (this.#at < this.#pattern.length && text.length < MAX_CHARS) {
      this.#at++;
      text += this.#alternatives();
    }
    return text;
  }

  /** The first of them; the others are skipped. */
  #alternatives(): string {
    const first = this.#sequence();
    while (this.#pattern[this.#at] === "|") {
      this.#at++;
      this.#sequence();
    }
    return first;
  }

  #sequence(): string {
    let text = "";
    while (this.#at < this.#pattern.length && !"|)".includes(this.#pattern[this.#at]!)) {
      const part = this.#part();
      const times = Math.min(this.#count(), MAX_REPEATS);
      text = (text + part.repeat(times)).slice(0, MAX_CHARS);
    }
    return text;
  }

  #part(): string {
    const char = this.#pattern[this.#at++]!;
    if (char === "^" || char === "$") return "";
    if (char === ".") return "a";
    if (char === "[") return this.#class();
    if (char === "\\") return this.#escaped();
    if (char !== "(") return char;
    const isCondition = /^\?<?[=!]/.test(this.#pattern.slice(this.#at, this.#at + 3));
    this.#at +=
      /^\?(?::|<?[=!]|<[^>]*>)?/.exec(this.#pattern.slice(this.#at, this.#at + 100))?.[0].length ?? 0;
    const text = this.#alternatives();
    this.#at++;
    return isCondition ? "" : text;
  }

  #escaped(): string {
    const char = this.#pattern[this.#at++] ?? "";
    return char === "b" || char === "B" ? "" : (CLASSES[char] ?? char);
  }

  /** A character of the class; of a class that names what it excludes, the first usual one that it does not name. */
  #class(): string {
    const excludes = this.#pattern[this.#at] === "^";
    if (excludes) this.#at++;
    const named: string[] = [];
    while (this.#at < this.#pattern.length && (this.#pattern[this.#at] !== "]" || named.length === 0)) {
      const char = this.#pattern[this.#at++]!;
      named.push(char === "\\" ? this.#escaped() : char);
    }
    this.#at++;
    if (!excludes) return named[0] ?? "";
    return [..."a0-_ A"].find((char) => !named.includes(char)) ?? "~";
  }

  /** How often the part before must stand. */
  #count(): number {
    const rest = this.#pattern.slice(this.#at, this.#at + 20);
    const [quantifier, exact] = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/.exec(rest) ?? [];
    if (quantifier === undefined) return 1;
    this.#at += quantifier.length;
    if (exact !== undefined) return Number(exact);
    return quantifier.startsWith("+") ? 1 : 0;
  }
}
