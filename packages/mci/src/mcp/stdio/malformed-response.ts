import { isObject } from "@mci-ts/primitives/is-object";
import {
  isJSONRPCErrorResponse,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
} from "@modelcontextprotocol/client";

/** JSON-RPC error code of a response that cannot be read; outside the range that servers use. */
const MALFORMED = -31_998;

/**
 * The message itself, or an error in its place if it is a malformed response: the SDK would ignore that, and the call
 * would wait for its deadline.
 */
export function errorIfMalformed(message: JSONRPCMessage): JSONRPCMessage {
  const { id, method, result }: Readonly<Record<string, unknown>> = message;
  if (method !== undefined || (typeof id !== "number" && typeof id !== "string")) return message;
  // The SDK's check is slow, and nearly every response is a plain result.
  if (isPlainResult(message, result) || isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message))
    return message;
  return { jsonrpc: "2.0", id, error: { code: MALFORMED, message: "the response is not JSON-RPC" } };
}

function isPlainResult(message: JSONRPCMessage, result: unknown): boolean {
  if (!isObject(result) || message.jsonrpc !== "2.0" || Object.keys(message).length !== 3) return false;
  return result["_meta"] === undefined || isObject(result["_meta"]);
}
