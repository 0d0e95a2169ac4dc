import { HttpError } from "./errors.ts";
import type { AppContext } from "./route.ts";

/** Bytes of request bodies held at the same time, over all requests. */
const MAX_HELD = 256 * 1024 * 1024;

/** Far beyond what anybody writes, well within what recursion can bear. */
const MAX_DEPTH = 100;

/** Reads JSON bodies: each up to a limit, all together up to another. */
export class BodyReader {
  readonly #limit: number;
  #held = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  async json(c: AppContext): Promise<unknown> {
    const type = c.req.header("content-type") ?? "";
    // Also keeps out forms, the one kind of request any web page may send.
    if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type)) {
      throw new HttpError(
        "unsupported_media_type",
        "Send the request body as Content-Type: application/json",
      );
    }
    const value = parseJson(await this.#text(c));
    if (isDeeperThan(value, MAX_DEPTH)) throw invalid(`The body is nested deeper than ${MAX_DEPTH} levels`);
    return value;
  }

  async #text(c: AppContext): Promise<string> {
    const { incoming } = c.env;
    if (Number(incoming.headers["content-length"] ?? 0) > this.#limit) throw this.#tooLarge();
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      for await (const chunk of incoming as AsyncIterable<Buffer>) {
        size += chunk.length;
        this.#held += chunk.length;
        if (size > this.#limit) throw this.#tooLarge();
        if (this.#held > MAX_HELD) {
          throw new HttpError("overloaded", "Too many large requests at once", {
            headers: { "retry-after": "1" },
          });
        }
        chunks.push(chunk);
      }
      return Buffer.concat(chunks).toString("utf8");
    } catch (error) {
      throw error instanceof HttpError ? error : invalid("The request ended before its body did");
    } finally {
      this.#held -= size;
    }
  }

  #tooLarge(): HttpError {
    return new HttpError("body_too_large", `The body is larger than ${this.#limit} bytes (MCI_BODY_LIMIT)`, {
      // The rest of the body is not read, so the connection cannot be used again.
      headers: { connection: "close" },
    });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(`The body is not JSON: ${(error as Error).message}`, error);
  }
}

function invalid(message: string, cause?: unknown): HttpError {
  return new HttpError("invalid_request", message, { details: [{ path: "", message }], cause });
}

/** Level by level, without recursion: depth is the very thing in doubt. */
function isDeeperThan(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
  }
  return false;
}
