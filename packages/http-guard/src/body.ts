import type { IncomingMessage } from "node:http";
import { GuardError } from "./error.ts";
import { JsonStructure } from "./json-structure.ts";

export interface BodyReaderOptions {
  /** Bytes of one body. */
  readonly limit: number;
  /** The setting that changes the limit, for the error. Default: none is named. */
  readonly setting?: string;
  /** Values of one body. Default 20000. */
  readonly maxValues?: number;
  /** Throws for what is not JSON. Default: JSON.parse. */
  readonly parse?: (text: string) => unknown;
}

/** Bytes of bodies in memory at the same time, over all requests. */
const MAX_HELD_BYTES = 256 * 1024 * 1024;

/** Reads JSON bodies: each up to limits of bytes, values and depth, all together up to another limit of bytes. */
export class BodyReader {
  readonly #options: BodyReaderOptions;
  #held = 0;

  constructor(options: BodyReaderOptions) {
    this.#options = options;
  }

  async json(request: IncomingMessage): Promise<unknown> {
    // Also keeps out forms, the one kind of request any web page may send.
    if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(request.headers["content-type"] ?? "")) {
      throw new GuardError(
        "unsupported_media_type",
        "Send the request body as Content-Type: application/json",
      );
    }
    return parseJson(await this.#text(request), this.#options.parse ?? JSON.parse);
  }

  async #text(request: IncomingMessage): Promise<string> {
    const { limit } = this.#options;
    if (Number(request.headers["content-length"] ?? 0) > limit) throw this.#tooLarge();
    const chunks: Buffer[] = [];
    const { maxValues } = this.#options;
    const structure = new JsonStructure(maxValues === undefined ? {} : { maxValues });
    let size = 0;
    try {
      // Not destroyed on the way out: the error response must still reach the client.
      for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        size += chunk.length;
        this.#held += chunk.length;
        if (size > limit) throw this.#tooLarge();
        if (this.#held > MAX_HELD_BYTES) {
          const headers = { "retry-after": "1", connection: "close" };
          throw new GuardError("overloaded", "Too many large requests at once", { headers });
        }
        structure.add(chunk);
        chunks.push(chunk);
      }
      return Buffer.concat(chunks).toString("utf8");
    } catch (cause) {
      if (cause instanceof GuardError) throw cause;
      throw new GuardError("invalid_request", "The request ended before its body did", { cause });
    } finally {
      this.#held -= size;
    }
  }

  #tooLarge(): GuardError {
    const { limit, setting } = this.#options;
    const name = setting === undefined ? "" : ` (${setting})`;
    return new GuardError("body_too_large", `The body is larger than ${limit} bytes${name}`, {
      // The rest of the body is not read, so the connection cannot be used again.
      headers: { connection: "close" },
    });
  }
}

function parseJson(text: string, parse: (text: string) => unknown): unknown {
  try {
    return parse(text);
  } catch (cause) {
    throw new GuardError("invalid_request", `The body is not JSON: ${(cause as Error).message}`, { cause });
  }
}
