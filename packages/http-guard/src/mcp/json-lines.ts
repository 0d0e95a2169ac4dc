import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/server";
import { OversizedMessage } from "./oversized-message.ts";

/** Bytes of one message. */
const MAX_BYTES = 10 * 1024 * 1024;

/** A message over the limit, which is refused. */
export class MessageTooLarge extends Error {
  override readonly name = "MessageTooLarge";
  /** Of the request; undefined if it has none. */
  readonly id: RequestId | undefined;

  constructor(id: RequestId | undefined) {
    super(`The client sent a message of more than ${MAX_BYTES} bytes`);
    this.id = id;
  }
}

/** Splits a stream of bytes into JSON-RPC messages, one per line. */
export class JsonLines {
  /** The beginning of a line whose end has not come yet. */
  #parts: Buffer[] = [];
  #size = 0;
  /** Reads on in a line that is over the limit, without keeping it. */
  #oversized: OversizedMessage | undefined;

  /** The lines that end in this chunk: messages, and errors for those that are none. */
  *read(chunk: Buffer): Generator<JSONRPCMessage | Error> {
    let start = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
      this.#append(chunk.subarray(start, end));
      start = end + 1;
      const message = this.#endLine();
      if (message !== undefined) yield message;
    }
    this.#append(chunk.subarray(start));
  }

  #append(bytes: Buffer): void {
    if (this.#oversized === undefined) {
      this.#parts.push(bytes);
      this.#size += bytes.length;
      if (this.#size <= MAX_BYTES) return;
      this.#oversized = new OversizedMessage();
      for (const part of this.#parts) this.#oversized.read(part);
      this.#parts = [];
    } else this.#oversized.read(bytes);
  }

  #endLine(): JSONRPCMessage | Error | undefined {
    const [oversized, parts] = [this.#oversized, this.#parts];
    this.#oversized = undefined;
    this.#parts = [];
    this.#size = 0;
    if (oversized !== undefined) return new MessageTooLarge(oversized.id);
    const line = (parts.length === 1 ? parts[0]! : Buffer.concat(parts)).toString();
    // An empty line means nothing.
    return line.trim() === "" ? undefined : parse(line);
  }
}

const LF = 10;

/** Checks the envelope only; the handler of the method checks the rest. */
function parse(line: string): JSONRPCMessage | Error {
  try {
    const value = JSON.parse(line);
    return isMessage(value) ? value : new Error("The client sent something that is not a JSON-RPC message");
  } catch {
    return new Error("The client sent a line that is not JSON");
  }
}

function isMessage(value: unknown): value is JSONRPCMessage {
  if (typeof value !== "object" || value === null) return false;
  const { jsonrpc, id, method, params, result, error } = value as Record<string, unknown>;
  if (jsonrpc !== "2.0") return false;
  if (id !== undefined && typeof id !== "string" && !Number.isInteger(id)) return false;
  if (method === undefined) return id !== undefined && (isObject(result) || isObject(error));
  return typeof method === "string" && (params === undefined || isObject(params));
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
