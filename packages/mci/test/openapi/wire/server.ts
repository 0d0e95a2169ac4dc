import { createServer, type IncomingHttpHeaders } from "node:http";
import { listen } from "../../../../../test/servers.ts";

/** A request as it came over the wire. */
export interface SeenRequest {
  readonly method: string;
  /** Path and query, still encoded. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface RecordingServer extends AsyncDisposable {
  readonly origin: string;
  /** The requests since it was last asked. */
  take(): SeenRequest[];
}

/** Answers every request with an empty JSON object and remembers it. */
export async function recordingServer(): Promise<RecordingServer> {
  let seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      seen.push({ method, url, headers, body: Buffer.concat(chunks) });
      const isToken = url === "/oauth-token";
      response.setHeader("content-type", "application/json");
      response.end(isToken ? '{"access_token":"token","token_type":"Bearer"}' : "{}");
    });
  });
  // A slow machine must not find a pooled connection closed.
  server.keepAliveTimeout = 0;
  const { url: origin } = await listen(server, () => {});
  return {
    origin,
    take() {
      const requests = seen;
      seen = [];
      return requests;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
