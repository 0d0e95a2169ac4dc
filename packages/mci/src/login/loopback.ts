import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { raceAbort } from "../abort.ts";

/** Where a browser comes back to after a login: a server on this machine for one request. */
export interface Loopback {
  /** For the option `redirectUrl`. */
  readonly redirectUrl: string;
  /** The address that the browser comes back to from `url`, recognised by its state. Rejects with the signal's reason. */
  wait(url: URL, signal: AbortSignal): Promise<string>;
  close(): void;
}

/** `port`: a registered address is used again. Default: any free one. */
export async function openLoopback(port = 0): Promise<Loopback> {
  const arrived = Promise.withResolvers<string>();
  let state: string | null = null;
  // Idle connections are closed soon, so that they do not take the browser's place.
  const server = createServer({ connectionsCheckingInterval: 1000 }, (request, response) => {
    const url = URL.parse(request.url ?? "", "http://127.0.0.1");
    // Browsers ask for an icon, too, and other pages may try their luck: only the login knows the state.
    const isLogin =
      url?.pathname === CALLBACK &&
      state !== null &&
      url.searchParams.get("state") === state &&
      (url.searchParams.has("code") || url.searchParams.has("error"));
    response.writeHead(isLogin ? 200 : 404, HEADERS).end(isLogin ? DONE : "");
    if (isLogin) arrived.resolve(url.href);
  });
  server.headersTimeout = 10_000;
  server.maxConnections = 20;
  const listen = (on: number) => once(server.listen(on, "127.0.0.1"), "listening");
  await listen(port).catch(() => listen(0));
  const { port: actual } = server.address() as AddressInfo;
  return {
    redirectUrl: `http://127.0.0.1:${actual}${CALLBACK}`,
    async wait(url, signal) {
      state = url.searchParams.get("state");
      return raceAbort(arrived.promise, signal);
    },
    close() {
      server.close();
      server.closeAllConnections();
      arrived.promise.catch(() => {});
    },
  };
}

const CALLBACK = "/callback";
/** The page shows nothing of its address, and sends it nowhere. */
const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
  connection: "close",
};
const DONE = `<!doctype html><meta charset="utf-8"><title>Back to the terminal</title>
<body style="font: 1.1rem system-ui; margin: 20vh auto; max-width: 30rem; text-align: center">
<h1>Back to the terminal</h1><p>You can close this page: the terminal says whether the login succeeded.</p>`;
