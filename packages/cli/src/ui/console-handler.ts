import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ConsoleFiles } from "@mci-ts/console";
import { type ConsoleParts, handleToolsRequest, type ToolsSource } from "@mci-ts/console/tools";
import { BodyReader, createHostGuard, GuardError } from "@mci-ts/http-guard";
import { Sessions } from "./sessions.ts";

/** Bytes of a request: a file that is saved, or the input of a tool. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;

export interface ConsoleHandlerOptions {
  readonly source: ToolsSource;
  /** Whether calls of MCP clients are in the call log, too. */
  readonly live: boolean;
  /** Called when the address was used, with the path of the next one. */
  readonly onOpened: (path: string) => void;
}

/** The console's page and API, for a server on this machine. */
export interface ConsoleHandler {
  /** Path and token of the address that opens the console. */
  readonly path: string;
  /** Another such path, which works for some time. `onGone` is called when it was used or has expired. */
  issuePath(lifeMs: number, onGone: () => void): { readonly path: string; revoke(): void };
  /** Answers the request if it is for the console; false if it is not. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
}

export function createConsoleHandler({ source, live, onOpened }: ConsoleHandlerOptions): ConsoleHandler {
  const guard = createHostGuard({ boundTo: "127.0.0.1" });
  const bodies = new BodyReader({ limit: MAX_BODY_BYTES });
  const sessions = new Sessions();
  const parts: ConsoleParts = { council: false, tools: true, plans: source.plans !== undefined, live };
  const files = new ConsoleFiles([
    new URL("./console/", import.meta.url),
    new URL("../../../console/dist/", import.meta.url),
  ]);
  const addressPath = (token: string) => `/#token=${token}`;
  const openPath = () => addressPath(sessions.oneTimeToken);

  async function respond(request: IncomingMessage, response: ServerResponse, url: URL): Promise<Response> {
    const { method = "GET", headers } = request;
    guard.host(headers.host);
    guard.origin(headers.origin, headers.host);
    if (!url.pathname.startsWith("/api/")) return page(files, url.pathname, request);
    const path = url.pathname.slice("/api/".length);
    if (path === "console" && method === "GET") return json(parts);
    if (path === "session" && method === "POST") {
      const { session, isNewAddress } = sessions.open(headers.authorization);
      if (isNewAddress) onOpened(openPath());
      return json({ token: session });
    }
    sessions.check(headers.authorization);
    const body = method === "GET" ? undefined : await bodies.json(request);
    return handleToolsRequest(source, {
      method,
      path,
      query: url.searchParams,
      body,
      signal: disconnected(response),
    });
  }

  return {
    get path() {
      return openPath();
    },
    issuePath(lifeMs, onGone) {
      const { token, revoke } = sessions.issue(lifeMs, onGone);
      return { path: addressPath(token), revoke };
    },
    async handle(request, response) {
      const url = URL.canParse(request.url ?? "", "http://x")
        ? new URL(request.url ?? "", "http://x")
        : undefined;
      if (!url || !/^\/($|assets\/|api\/)/.test(url.pathname)) return false;
      await send(response, await respond(request, response, url).catch(refusal));
      return true;
    },
  };
}

function page(files: ConsoleFiles, path: string, { method, headers }: IncomingMessage): Response {
  const file = path === "/" ? "index.html" : path.slice(1);
  const found =
    method === "GET" || method === "HEAD"
      ? files.respond(file, String(headers["accept-encoding"] ?? ""))
      : undefined;
  return found ?? failure(404, "not_found", "The console has no such file. Reload the page.");
}

/** Aborts when the client leaves before its response is complete. */
function disconnected(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) controller.abort(new Error("the page disconnected"));
  });
  return controller.signal;
}

const STREAMED = /^(?:text\/event-stream|application\/x-ndjson)/;

async function send(response: ServerResponse, sent: Response): Promise<void> {
  const { status, headers, body } = sent;
  response.writeHead(status, Object.fromEntries(headers));
  if (!body || response.req.method === "HEAD") {
    response.end();
    return;
  }
  // All but a stream is there already: to pipe it would take longer than to make it.
  if (!STREAMED.test(headers.get("content-type") ?? "")) {
    response.end(new Uint8Array(await sent.arrayBuffer()));
    return;
  }
  // A page that leaves while it is answered is not an error.
  await pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), response).catch(() => {});
}

function refusal(error: unknown): Response {
  if (!(error instanceof GuardError)) throw error;
  return failure(error.status, error.code, error.message, error.headers);
}

function failure(status: number, code: string, message: string, headers = {}): Response {
  return json({ error: { code, message, details: [] } }, status, headers);
}

function json(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json(value, {
    status,
    headers: {
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      ...headers,
    },
  });
}
