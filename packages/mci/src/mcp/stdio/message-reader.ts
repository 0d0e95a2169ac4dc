import type { JSONRPCMessage } from "@modelcontextprotocol/client";

const LINE_END = 0x0a;
/** Some runtimes on Windows begin their output with it. */
const BYTE_ORDER_MARK = "\ufeff";

/**
 * Messages out of a stream of bytes, one per line. The SDK's own checks each against the protocol here, and then again
 * where it finds out what the message is; once is enough, and its check is a good part of the time of a call.
 */
export class MessageReader {
  readonly #maxBytes: number;
  /** The beginning of a line whose end has not come yet. */
  #parts: Buffer[] = [];
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The messages that this chunk completes. Throws when a line grows too long; nothing more can be read then. */
  *read(chunk: Buffer): Generator<JSONRPCMessage> {
    let start = 0;
    for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, start)) {
      const line = this.#line(chunk.subarray(start, end));
      start = end + 1;
      yield* messages(line);
    }
    if (start < chunk.length) this.#append(chunk.subarray(start));
  }

  clear(): void {
    this.#parts = [];
    this.#size = 0;
  }

  #line(end: Buffer): string {
    if (this.#size === 0 && end.length <= this.#maxBytes) return end.toString();
    this.#append(end);
    const line = Buffer.concat(this.#parts).toString();
    this.clear();
    return line;
  }

  #append(part: Buffer): void {
    this.#size += part.length;
    if (this.#size > this.#maxBytes) throw new Error(`a message of more than ${this.#maxBytes} bytes`);
    this.#parts.push(part);
  }
}

/**
 * Servers also print what is no message, such as a greeting: that is passed over. A list of messages was allowed for a
 * while (2025-03-26).
 */
function messages(line: string): readonly JSONRPCMessage[] {
  try {
    const value: unknown = JSON.parse(line.startsWith(BYTE_ORDER_MARK) ? line.slice(1) : line);
    return Array.isArray(value) ? value.filter(isMessage) : isMessage(value) ? [value] : [];
  } catch {
    return [];
  }
}

function isMessage(value: unknown): value is JSONRPCMessage {
  return typeof value === "object" && value !== null;
}
