import { parseMessage } from "./exact-json.ts";

const LINE_FEED = 0x0a;
/** Some runtimes on Windows start their output with it. */
const BYTE_ORDER_MARK = "\ufeff";

/** One line: its value, or why it has none. */
export type JsonLine =
  | { readonly value: unknown }
  | { readonly error: "not_json" }
  /** The line is longer than allowed; the rest of it is skipped. */
  | { readonly error: "too_long" }
  /** The end of a line that was reported as too long. */
  | { readonly error: "too_long_end" };

/** Splits a stream of bytes into lines of JSON. Holds at most `maxBytes` of an unfinished line. */
export class JsonLineReader {
  readonly #maxBytes: number;
  readonly #onSkipped: ((part: Uint8Array) => void) | undefined;
  readonly #parse: (text: string) => unknown;
  /** The start of a line whose end has not arrived. */
  #parts: Uint8Array[] = [];
  #size = 0;
  /** The current line is too long: everything up to its end is ignored. */
  #isSkipping = false;

  /** `onSkipped` gets every part of a line that is too long, from its beginning. `parse` throws for what is not JSON. */
  constructor(maxBytes: number, onSkipped?: (part: Uint8Array) => void, parse = parseMessage) {
    this.#maxBytes = maxBytes;
    this.#onSkipped = onSkipped;
    this.#parse = parse;
  }

  /** The lines that this chunk completes, blank ones left out. A line that is too long is reported at once, and at its end. */
  *read(chunk: Uint8Array): Generator<JsonLine> {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      if (this.#append(chunk.subarray(start, end))) yield { error: "too_long" };
      start = end + 1;
      const line = this.#endLine();
      if (line !== undefined) yield line;
    }
    if (start < chunk.length && this.#append(chunk.subarray(start))) yield { error: "too_long" };
  }

  clear(): void {
    this.#parts = [];
    this.#size = 0;
  }

  /** True if this part makes the line too long. */
  #append(part: Uint8Array): boolean {
    if (this.#isSkipping) {
      this.#onSkipped?.(part);
      return false;
    }
    this.#parts.push(part);
    this.#size += part.length;
    if (this.#size <= this.#maxBytes) return false;
    for (const skipped of this.#parts) this.#onSkipped?.(skipped);
    this.clear();
    this.#isSkipping = true;
    return true;
  }

  #endLine(): JsonLine | undefined {
    if (this.#isSkipping) {
      this.#isSkipping = false;
      return { error: "too_long_end" };
    }
    const line = this.#joinParts();
    return line.trim() === "" ? undefined : parseLine(line, this.#parse);
  }

  #joinParts(): string {
    const [first] = this.#parts;
    const bytes = this.#parts.length === 1 ? first! : Buffer.concat(this.#parts, this.#size);
    this.clear();
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  }
}

function parseLine(line: string, parse: (text: string) => unknown): JsonLine {
  try {
    return { value: parse(line.startsWith(BYTE_ORDER_MARK) ? line.slice(1) : line) };
  } catch {
    return { error: "not_json" };
  }
}
