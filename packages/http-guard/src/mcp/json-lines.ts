import { parseRequest, roundedNumber } from "@mci-ts/primitives/exact-json";
import { isObject } from "@mci-ts/primitives/is-object";
import { type JsonLine, JsonLineReader } from "@mci-ts/primitives/json-lines";
import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/server";
import { OversizedMessage } from "./oversized-message.ts";

/** Bytes of one message. */
const MAX_BYTES = 10 * 1024 * 1024;

/** A message that is refused: over the limit, or no JSON-RPC request though it names a method. Its client waits for a response. */
export class RefusedMessage extends Error {
  override readonly name = "RefusedMessage";
  /** The id of the request, exactly; undefined if it has none. */
  readonly id: RequestId | bigint | undefined;

  constructor(what: string, id: RequestId | bigint | undefined) {
    super(`The client sent ${what}`);
    this.id = id;
  }
}

/** Splits a stream of bytes into JSON-RPC messages, one per line. */
export class JsonLines {
  /** Finds the id in a line that is over the limit, without keeping the line: the client is waiting for a response. */
  #oversized: OversizedMessage | undefined;
  readonly #lines = new JsonLineReader(
    MAX_BYTES,
    (bytes) => {
      this.#oversized ??= new OversizedMessage();
      this.#oversized.read(bytes);
    },
    parseRequest,
  );

  /** The lines that end in this chunk: messages, and errors for those that are not. */
  *read(chunk: Buffer): Generator<JSONRPCMessage | Error> {
    for (const line of this.#lines.read(chunk)) {
      const message = this.#toMessage(line);
      if (message !== undefined) yield message;
    }
  }

  /** Checks the envelope only; the handler of the method checks the rest. */
  #toMessage(line: JsonLine): JSONRPCMessage | Error | undefined {
    if ("value" in line) return isMessage(line.value) ? line.value : notAMessage(line.value);
    if (line.error === "not_json") return new Error("The client sent a line that is not JSON");
    // The id may still come: the message is refused at the end of its line.
    if (line.error === "too_long") return undefined;
    const id = this.#oversized?.id;
    this.#oversized = undefined;
    return new RefusedMessage(`a message of more than ${MAX_BYTES} bytes`, id);
  }
}

function isMessage(value: unknown): value is JSONRPCMessage {
  if (!isObject(value)) return false;
  const { jsonrpc, id, method, params, result, error } = value;
  if (jsonrpc !== "2.0") return false;
  if (id !== undefined && !isId(id)) return false;
  if (method === undefined) return id !== undefined && (isObject(result) || isObject(error));
  return (
    typeof method === "string" &&
    roundedNumber(value) === undefined &&
    (params === undefined || isObject(params)) &&
    extraMember(value) === undefined
  );
}

function isId(id: unknown): id is RequestId {
  return typeof id === "string" || Number.isInteger(id);
}

/** What can be repeated. */
function isExact(id: unknown): id is RequestId | bigint {
  return isId(id) || typeof id === "bigint";
}

function notAMessage(value: unknown): Error {
  if (!isObject(value) || !("method" in value))
    return new RefusedMessage("something that is not a JSON-RPC message", undefined);
  const { jsonrpc, id, method, params } = value;
  const extra = extraMember(value);
  const rounded = roundedNumber(value);
  const reason =
    jsonrpc !== "2.0"
      ? '"jsonrpc" must be "2.0"'
      : typeof method !== "string"
        ? '"method" must be a string'
        : params !== undefined && !isObject(params)
          ? '"params" must be an object'
          : extra === undefined
            ? (rounded ?? '"id" must be a string or a whole number')
            : `${JSON.stringify(extra.slice(0, 100))} is not one of its members`;
  return new RefusedMessage(`a request that is not one of JSON-RPC: ${reason}`, isExact(id) ? id : undefined);
}

function extraMember(value: object): string | undefined {
  return Object.keys(value).find((key) => !["jsonrpc", "id", "method", "params"].includes(key));
}
