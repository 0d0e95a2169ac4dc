import { parseExact } from "@mci-ts/primitives/exact-json";
import { parseJson } from "@mci-ts/primitives/parse-json";
import type { RequestId } from "@modelcontextprotocol/server";

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_OBJECT, OPEN_ARRAY, CLOSE_OBJECT, CLOSE_ARRAY] = [0x7b, 0x5b, 0x7d, 0x5d];
/** Longer keys and ids are not read. */
const MAX_TOKEN = 256;

/**
 * Finds the id of a JSON-RPC message that is too large to hold: reads its bytes as they pass and remembers only the
 * value of the top-level key "id". Knows just enough JSON for that.
 */
export class OversizedMessage {
  #depth = 0;
  #isString = false;
  #isEscaped = false;
  /** The key or value at the top level that is being read; undefined once it is too long. */
  #token: number[] | undefined = [];
  #key: string | undefined;
  #id: RequestId | bigint | undefined;

  read(chunk: Uint8Array): void {
    let quote = -1;
    let backslash = -1;
    for (let at = 0; at < chunk.length; at++) {
      // What makes a message so large is mostly a long string, and of one that is not kept only the end counts.
      if (this.#isString && !this.#isEscaped && !this.#isKept()) {
        if (quote < at) quote = indexFrom(chunk, QUOTE, at);
        if (backslash < at) backslash = indexFrom(chunk, BACKSLASH, at);
        at = Math.min(quote, backslash);
        if (at === chunk.length) return;
      }
      this.#next(chunk[at]!);
    }
  }

  get id(): RequestId | bigint | undefined {
    return this.#id;
  }

  #next(byte: number): void {
    if (this.#isString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) this.#isString = false;
    } else if (byte === QUOTE) this.#isString = true;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      this.#depth++;
      // The value of a top-level key is not an id, or the message itself begins.
      this.#token = this.#depth === 1 ? [] : undefined;
      return;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      if (this.#depth === 1) this.#endValue();
      this.#depth--;
      return;
    } else if (this.#depth === 1 && (byte === COLON || byte === COMMA)) {
      if (byte === COLON) this.#endKey();
      else this.#endValue();
      return;
    }
    if (this.#isKept() && this.#token!.push(byte) > MAX_TOKEN) this.#token = undefined;
  }

  #isKept(): boolean {
    return this.#depth === 1 && this.#token !== undefined;
  }

  #endKey(): void {
    const key = this.#parsed();
    this.#key = typeof key === "string" ? key : undefined;
    this.#token = [];
  }

  #endValue(): void {
    const value = this.#key === "id" ? this.#parsed() : undefined;
    const isId = typeof value === "string" || typeof value === "bigint" || Number.isInteger(value);
    if (isId) this.#id = value as RequestId | bigint;
    this.#key = undefined;
    this.#token = [];
  }

  #parsed(): unknown {
    return this.#token && parseJson(Buffer.from(this.#token).toString(), parseExact);
  }
}

function indexFrom(chunk: Uint8Array, byte: number, start: number): number {
  const index = chunk.indexOf(byte, start);
  return index < 0 ? chunk.length : index;
}
