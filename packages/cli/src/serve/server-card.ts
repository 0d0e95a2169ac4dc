import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { aiCatalog, CARD_TYPE, CATALOG_TYPE, type Identity, serverCard } from "../publish/card.ts";
import { CATALOG_PATH, MCP_PATH } from "./endpoint.ts";

export interface CardSource {
  readonly identity: Identity;
  /** Where clients reach the server, if it is not where this request arrived. */
  readonly publicUrl: string | undefined;
  readonly needsToken: boolean;
}

/**
 * Serves the server card and the catalogue that names it (SEP-2127). Both are public by design, and hold what the file's
 * metadata says. False: there is no card, as the file has no name in reverse DNS, or the path is another.
 */
export function sendCard(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  source: CardSource,
): boolean {
  const url = source.publicUrl ?? `http://${request.headers.host ?? "localhost"}${MCP_PATH}`;
  const card = serverCard(source.identity, { url, needsToken: source.needsToken });
  if (card === undefined) return false;
  const isCatalog = path === CATALOG_PATH;
  const document = isCatalog ? aiCatalog(card.name, `${url}/server-card`) : card;
  const body = JSON.stringify(document);
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  const headers = {
    ...CORS,
    "content-type": isCatalog ? CATALOG_TYPE : CARD_TYPE,
    "cache-control": "public, max-age=3600",
    etag,
    // What it says depends on where it was asked for.
    ...(source.publicUrl === undefined ? { vary: "Host" } : {}),
  };
  if (request.method === "OPTIONS") response.writeHead(204, CORS).end();
  else if (request.method !== "GET" && request.method !== "HEAD")
    response.writeHead(405, { allow: "GET, HEAD, OPTIONS" }).end();
  else if (request.headers["if-none-match"] === etag) response.writeHead(304, headers).end();
  else response.writeHead(200, headers).end(request.method === "HEAD" ? undefined : body);
  return true;
}

const CORS = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET",
  "access-control-allow-headers": "Content-Type, If-None-Match",
  "access-control-expose-headers": "ETag",
};
