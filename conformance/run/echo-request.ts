import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";

export interface EchoRequest {
  readonly method: string;
  /** As on the wire, without the query. */
  readonly path: string;
  /** The path, decoded, between its slashes. */
  readonly steps: readonly string[];
  readonly query: readonly Pair[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type Pair = readonly [name: string, value: string];

export async function readRequest(message: IncomingMessage): Promise<EchoRequest> {
  const [path = "", ...query] = (message.url ?? "").split("?");
  // Header bytes beyond ASCII are UTF-8; Node reads them as Latin-1.
  const headers = Object.entries(message.headers).map(([name, value]) => [
    name,
    Buffer.from(String(value), "latin1").toString("utf8"),
  ]);
  return {
    method: message.method ?? "",
    path,
    steps: path.slice(1).split("/").map(decode),
    query: pairs(query.join("?")),
    headers: Object.fromEntries(headers),
    body: await text(message),
  };
}

/** Names and values of a query or a form. */
export function pairs(encoded: string): Pair[] {
  return [...new URLSearchParams(encoded)];
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
