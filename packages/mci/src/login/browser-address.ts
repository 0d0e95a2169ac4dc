import { ToolError } from "../errors.ts";

/** Throws unless a browser may be sent there: it is a server that named the address. */
export function requireBrowserAddress(url: URL): void {
  const isLoopback = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  if (url.protocol === "https:" || (url.protocol === "http:" && isLoopback)) return;
  throw new ToolError(
    "auth_failed",
    `The login page must be at an https address, but is at ${url.origin === "null" ? url.protocol : url.origin}.`,
  );
}
