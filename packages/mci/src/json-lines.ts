const LINE_FEED = 0x0a;
/** Some runtimes on Windows start their output with it. */
const BYTE_ORDER_MARK = "\ufeff";

/** One line: its value, or why it has none. */
export type JsonLine =
  | { readonly value: unknown }
  | { readonly error: "not_json" }
  /** The line is longer than allowed; the rest of it is skipped. */
  | { readonly error: "too_long" };

/** Splits a stream of bytes into lines of JSON. Holds at most `maxBytes` of an unfinished line. */
export class JsonLineReader {
  readonly #maxBytes: number;
  /** The start of a line whose end has not arrived. */
  #parts: Uint8Array[] = [];
  #size = 0;
  /** The current line is too long: everything up to its end is ignored. */
  #isSkipping = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The lines that this chunk completes, blank ones left out. A line that is too long is reported once, at once. */
  *read(chunk: Uint8Array): Generator<JsonLine> {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      const part = chunk.subarray(start, end);
      start = end + 1;
      if (this.#isSkipping) this.#isSkipping = false;
      else if (this.#append(part)) {
        const line = this.#takeLine();
        if (line.trim() !== "") yield parse(line);
      } else {
        this.#isSkipping = false;
        yield { error: "too_long" };
      }
    }
    if (start < chunk.length && !this.#isSkipping && !this.#append(chunk.subarray(start)))
      yield { error: "too_long" };
  }

  clear(): void {
    this.#parts = [];
    this.#size = 0;
  }

  /** False if the line is too long now. */
  #append(part: Uint8Array): boolean {
    this.#size += part.length;
    if (this.#size > this.#maxBytes) {
      this.clear();
      this.#isSkipping = true;
      return false;
    }
    this.#parts.push(part);
    return true;
  }

  #takeLine(): string {
    const [first] = this.#parts;
    const bytes = this.#parts.length === 1 ? first! : Buffer.concat(this.#parts, this.#size);
    this.clear();
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  }
}

function parse(line: string): JsonLine {
  try {
    return { value: JSON.parse(line.startsWith(BYTE_ORDER_MARK) ? line.slice(1) : line) };
  } catch {
    return { error: "not_json" };
  }
}
