import {
  isJSONRPCErrorResponse,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
} from "@modelcontextprotocol/client";
import { isObject } from "../../is-object.ts";

/** JSON-RPC error code of an answer that nobody can read; outside the range that servers use. */
const MALFORMED = -31_998;

/**
 * The message itself, unless it means to be an answer and is none: the SDK would pass it over, and the call would wait
 * for its deadline. Then an error in its place.
 */
export function errorIfMalformed(message: JSONRPCMessage): JSONRPCMessage {
  const { id, method, result }: Readonly<Record<string, unknown>> = message;
  if (method !== undefined || (typeof id !== "number" && typeof id !== "string")) return message;
  // Looked at closely only if it is not what nearly every answer is: the SDK's check takes long.
  if (isPlainResult(message, result) || isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message))
    return message;
  return { jsonrpc: "2.0", id, error: { code: MALFORMED, message: "the answer is not JSON-RPC" } };
}

function isPlainResult(message: JSONRPCMessage, result: unknown): boolean {
  if (!isObject(result) || message.jsonrpc !== "2.0" || Object.keys(message).length !== 3) return false;
  return result["_meta"] === undefined || isObject(result["_meta"]);
}
