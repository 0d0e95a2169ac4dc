/**
 * Reads the text of an env file. The dialect is the one of python-dotenv, which MCI projects already use: `export` is
 * dropped, `#` starts a comment (after a space where the value is unquoted), quoted values may span lines, escapes such
 * as `\n` count only in double quotes, and `${NAME}` or `${NAME:-default}` is replaced in every kind of value, with the
 * file's own earlier values first and then those of `lookup`. A line that makes no sense is skipped; a later one wins.
 * `report` is told of both, with the line from 1 and never with a value.
 */
export function parseDotenv(
  text: string,
  lookup: (name: string) => string | undefined = () => undefined,
  report: (line: number, problem: string) => void = () => {},
): Record<string, string> {
  const values = new Map<string, string>();
  const lines = new Map<string, number>();
  const reader = new Reader(text.replace(/^\uFEFF/, ""));
  while (reader.more()) {
    const line = reader.line();
    const isComment = reader.isComment();
    const entry = reader.entry();
    if (entry === undefined) {
      if (!isComment) report(line, "it is not NAME=value, or a quote is not closed, and is ignored");
      continue;
    }
    const { name, value } = entry;
    const before = lines.get(name);
    if (before !== undefined) report(line, `${name} is also on line ${before}; the last one counts`);
    lines.set(name, line);
    values.set(
      name,
      expand(value, (other) => values.get(other) ?? lookup(other)),
    );
  }
  return Object.fromEntries(values);
}

const SPACE = /[^\S\r\n]*/y;
const BLANK = /\s*/y;
const EXPORT = /export[^\S\r\n]+/y;
const NAME = /'([^'\r\n]+)'|([^=#\s]+)/y;
const EQUALS = /=/y;
const SINGLE = /[^\S\r\n]*'((?:\\'|[^'])*)'/y;
const DOUBLE = /[^\S\r\n]*"((?:\\"|[^"])*)"/y;
const QUOTE = /[^\S\r\n]*(?=['"])/y;
const REST = /[^\r\n]*/y;
/** What may follow an entry: spaces and a comment. */
const END = /[^\S\r\n]*(?:#[^\r\n]*)?(?:\r\n|\r|\n|$)/y;

const ESCAPES: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

class Reader {
  readonly #text: string;
  #at = 0;
  #line = 1;
  #counted = 0;

  constructor(text: string) {
    this.#text = text;
  }

  more(): boolean {
    this.#consume(BLANK);
    return this.#at < this.#text.length;
  }

  isComment(): boolean {
    return this.#text[this.#at] === "#";
  }

  /** The line of the current place, from 1. Only what is new since the last question is counted. */
  line(): number {
    for (; this.#counted < this.#at; this.#counted++) {
      const char = this.#text[this.#counted];
      if (char === "\n" || (char === "\r" && this.#text[this.#counted + 1] !== "\n")) this.#line += 1;
    }
    return this.#line;
  }

  /** One entry; undefined for a comment, a name without a value, or a line that makes no sense. */
  entry(): { name: string; value: string } | undefined {
    const entry = this.#assignment();
    if (this.#consume(END)) return entry;
    this.#consume(REST);
    return undefined;
  }

  #assignment(): { name: string; value: string } | undefined {
    if (this.#text[this.#at] === "#") return undefined;
    this.#consume(EXPORT);
    const found = this.#consume(NAME);
    const name = found?.[1] ?? found?.[2];
    this.#consume(SPACE);
    if (name === undefined || !this.#consume(EQUALS)) return undefined;
    return { name, value: this.#value() };
  }

  #value(): string {
    const single = this.#consume(SINGLE)?.[1];
    if (single !== undefined) return single.replace(/\\([\\'])/g, "$1");
    const double = this.#consume(DOUBLE)?.[1];
    if (double !== undefined)
      return double.replace(/\\([\\'"abfnrtv])/g, (_, char: string) => ESCAPES[char] ?? char);
    // An opening quote without its closing one stays, so that the line is skipped instead of half read.
    if (this.#consume(QUOTE)) return "";
    return (this.#consume(REST)?.[0] ?? "").replace(/(?<!\s)\s+#.*/, "").trim();
  }

  #consume(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found) this.#at = pattern.lastIndex;
    return found;
  }
}

function expand(value: string, lookup: (name: string) => string | undefined): string {
  // A reference that is never closed is matched up to the end and left as it is: no place is searched twice.
  return value.replace(/\$\{([^}]*)(?:\}|$)/g, (whole, inner: string) => {
    const [, name, fallback = ""] = /^([^:]*)(?::-(.*))?$/s.exec(inner) ?? [];
    return name === undefined || !whole.endsWith("}") ? whole : (lookup(name) ?? fallback);
  });
}
