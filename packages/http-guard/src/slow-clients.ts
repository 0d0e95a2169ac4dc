import type { IncomingMessage, Server, ServerOptions } from "node:http";
import type { Socket } from "node:net";

export interface SlowClientLimits {
  /** Connections at the same time. At the limit the oldest one without a complete request gives way. Default 4096. */
  readonly maxConnections?: number;
  /** How long a client may read nothing while bytes wait for it. Default 60 s. */
  readonly stallMs?: number;
  /** Bytes that may wait for a client that has read nothing since the last look at it. Default 32 MiB. */
  readonly maxUnreadBytes?: number;
  /** How often clients that do not read are looked for. Default 5 s. */
  readonly checkMs?: number;
}

/**
 * For `createServer`: how long a client may take for its headers, and for its whole request. Checked every second. Idle connections
 * stay longer than the minute for which load balancers keep them, and than most pauses of an agent between two steps: whichever side
 * closes first, a request that is already on its way to the other fails.
 */
export const SLOW_REQUEST_TIMEOUTS: ServerOptions = {
  keepAliveTimeout: 75_000,
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 1000,
};

interface Client {
  /** The last request; undefined before the first. */
  request?: IncomingMessage;
  /** Bytes that waited for the client when it was last looked at, and since when it has taken none of them. */
  queued: number;
  since: number;
}

/**
 * Clients that send slowly are timed out by the server itself. This adds what it does not have: room for newcomers when slow ones
 * hold all connections, and an end for those that do not read what they asked for.
 */
export function limitSlowClients(server: Server, limits: SlowClientLimits = {}): void {
  const {
    maxConnections = 4096,
    stallMs = 60_000,
    maxUnreadBytes = 32 * 1024 * 1024,
    checkMs = 5000,
  } = limits;
  /** Oldest first. */
  const clients = new Map<Socket, Client>();
  server.on("connection", (socket: Socket) => {
    if (clients.size >= maxConnections) evictOldest();
    clients.set(socket, { queued: 0, since: performance.now() });
    socket.once("close", () => clients.delete(socket));
  });
  server.prependListener("request", (request) => {
    const client = clients.get(request.socket);
    if (client) client.request = request;
  });
  const timer = setInterval(endStalled, checkMs);
  timer.unref();
  server.once("close", () => clearInterval(timer));

  /** If all have a request that is being served, the newcomer is one more: the limit of requests is another. */
  function evictOldest(): void {
    for (const [socket, { request }] of clients) {
      const isServed = request?.complete === true && socket.writable && !isIdle(request);
      if (isServed) continue;
      clients.delete(socket);
      socket.destroy();
      return;
    }
  }

  function endStalled(): void {
    const now = performance.now();
    for (const [socket, client] of clients) {
      const queued = queuedBytes(socket);
      const isStalled = queued > 0 && queued === client.queued;
      if (!isStalled) client.since = now;
      client.queued = queued;
      const isTooMuch = isStalled && socket.writableLength > maxUnreadBytes;
      if (isTooMuch || now - client.since > stallMs) socket.destroy();
    }
  }
}

/**
 * What the operating system has not taken of the write in progress, as Node.js itself looks at it for its timeouts. It changes only
 * when the client reads; `writableLength` also changes when more is written.
 */
function queuedBytes(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { _handle?: { writeQueueSize?: number } | null };
  return handle?.writeQueueSize ?? 0;
}

/** Its response is complete: the connection waits for another request. */
const isIdle = (request: IncomingMessage) =>
  (request.socket as Socket & { _httpMessage?: unknown })._httpMessage == null;
