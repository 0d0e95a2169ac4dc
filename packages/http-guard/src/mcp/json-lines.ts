import type { JSONRPCMessage } from "@modelcontextprotocol/server";

/** Bytes of one message. */
const MAX_BYTES = 10 * 1024 * 1024;

/** Splits a stream of bytes into JSON-RPC messages, one per line. */
export class JsonLines {
  /** The beginning of a line whose end has not come yet. */
  #parts: Buffer[] = [];
  #size = 0;

  /** The lines that end in this chunk: messages, and errors for those that are none. Throws if a line has no end. */
  *read(chunk: Buffer): Generator<JSONRPCMessage | Error> {
    let start = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
      const line = this.#line(chunk.subarray(start, end));
      start = end + 1;
      // An empty line means nothing.
      if (line.trim() !== "") yield parse(line);
    }
    this.#parts.push(chunk.subarray(start));
    this.#size += chunk.length - start;
    if (this.#size > MAX_BYTES) throw new Error(`a message of more than ${MAX_BYTES} bytes`);
  }

  #line(end: Buffer): string {
    if (this.#size === 0) return end.toString();
    const line = Buffer.concat([...this.#parts, end]).toString();
    this.#parts = [];
    this.#size = 0;
    return line;
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
