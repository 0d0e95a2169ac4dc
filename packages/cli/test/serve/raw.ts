import { type IncomingHttpHeaders, type RequestOptions, request } from "node:http";
import { text } from "node:stream/consumers";

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const MCP = { "content-type": "application/json", accept: "application/json, text/event-stream" };

/** A request with whatever headers; `body` is sent as JSON unless it is text. */
export function send(
  url: string,
  body: unknown,
  { headers = {}, ...options }: RequestOptions = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const all = { ...(body === undefined ? {} : MCP), ...(headers as object) };
    const method = body === undefined ? "GET" : "POST";
    const outgoing = request(url, { agent: false, method, ...options, headers: all }, async (response) => {
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: await text(response) });
    });
    outgoing.on("error", reject);
    outgoing.end(typeof body === "string" || body === undefined ? body : JSON.stringify(body));
  });
}

export const rpc = (method: string, params: object = {}, id = 1) => ({ jsonrpc: "2.0", id, method, params });

export const notification = (method: string, params: object) => ({ jsonrpc: "2.0", method, params });

export const INITIALIZE = rpc("initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "raw", version: "1" },
});
