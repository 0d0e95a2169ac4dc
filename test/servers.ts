import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  Server,
  type ServerResponse,
} from "node:http";
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from "node:net";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";

/** When a server stops that nothing else closes: with its test, or as an `afterAll` says. */
type CleanUp = (end: () => void) => unknown;

export interface TestServer<S extends TcpServer = TcpServer> {
  readonly url: string;
  /** Its address and port, as in `url`. */
  readonly host: string;
  readonly port: number;
  readonly server: S;
  /** Open connections, right now. */
  connections(): Promise<number>;
}

/** An HTTP server on a free port. */
export async function serve(
  listener: RequestListener,
  cleanUp: CleanUp = onTestFinished,
): Promise<TestServer<Server>> {
  const server = createServer(listener);
  server.keepAliveTimeout = 60_000;
  return listen(server, cleanUp);
}

/** A TCP server that writes whatever the test wants. */
export async function serveRaw(onSocket: (socket: Socket) => void): Promise<TestServer> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    onSocket(socket);
  });
  return listen(server, (end) =>
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      end();
    }),
  );
}

/** Starts a server that the test made on a free port, and stops it. */
export async function listen<S extends TcpServer>(
  server: S,
  cleanUp: CleanUp = onTestFinished,
  address = "127.0.0.1",
): Promise<TestServer<S>> {
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  cleanUp(() => {
    if (server instanceof Server) server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const host = `${address}:${port}`;
  const connections = () => promisify(server.getConnections.bind(server))();
  return { url: `http://${host}`, host, port, server, connections };
}

/** A port where nothing listens. */
export async function freePort(): Promise<number> {
  const { server, port } = await listen(createTcpServer(), () => {});
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Answers with what it received. */
export async function echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url, headers } = request;
  const body = await text(request);
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ method, url, headers, body }));
}
