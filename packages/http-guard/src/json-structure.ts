import { GuardError } from "./error.ts";

interface StructureLimits {
  /** Far more than real requests need, and far less than recursive code can bear. */
  readonly maxDepth: number;
  /** Texts may be long, but what a server does for every value adds up: half a million empty lists fit into one megabyte. */
  readonly maxValues: number;
}
const LIMITS: StructureLimits = { maxDepth: 100, maxValues: 20_000 };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN = new Set([0x5b, 0x7b]);
const CLOSE = new Set([0x5d, 0x7d]);

/**
 * Counts the values and levels of JSON as its bytes arrive, before it is parsed: parsing is synchronous, and takes long for
 * values without end. What is not JSON is left to the parser.
 */
export class JsonStructure {
  readonly #limits: StructureLimits;
  #depth = 0;
  #values = 1;
  #isText = false;
  #isEscaped = false;

  constructor(limits: Partial<StructureLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
  }

  /** Throws `GuardError` as soon as a limit is exceeded. */
  add(chunk: Uint8Array): void {
    for (const byte of chunk) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === QUOTE) this.#isText = !this.#isText;
      else if (this.#isText) this.#isEscaped = byte === BACKSLASH;
      else if (byte === COMMA) this.#values += 1;
      else if (OPEN.has(byte)) this.#open();
      else if (CLOSE.has(byte)) this.#depth -= 1;
    }
    const { maxValues } = this.#limits;
    if (this.#values > maxValues) throw refused(`The body has more than ${maxValues} values`);
  }

  #open(): void {
    this.#values += 1;
    const { maxDepth } = this.#limits;
    if (++this.#depth > maxDepth) throw refused(`The body is nested deeper than ${maxDepth} levels`);
  }
}

const refused = (message: string) =>
  // The rest of the body is not read, so the connection cannot be used again.
  new GuardError("invalid_request", message, { headers: { connection: "close" } });
