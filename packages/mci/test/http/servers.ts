import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

export interface TestServer {
  readonly url: string;
  readonly port: number;
  readonly server: Server | TcpServer;
  /** Open connections, right now. */
  connections(): Promise<number>;
}

/** An HTTP server for one test. */
export async function serve(listener: RequestListener): Promise<TestServer> {
  const server = createServer(listener);
  server.keepAliveTimeout = 60_000;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return listen(server);
}

/** A TCP server that writes whatever the test wants. */
export async function serveRaw(onSocket: (socket: Socket) => void): Promise<TestServer> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    onSocket(socket);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return listen(server);
}

export async function listen(server: Server | TcpServer): Promise<TestServer> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const connections = () =>
    new Promise<number>((resolve, reject) =>
      server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  return { url: `http://127.0.0.1:${port}`, port, server, connections };
}

/** Answers with what it received. */
export async function echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url, headers } = request;
  const body = await text(request);
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ method, url, headers, body }));
}

/** Waits until the condition holds; fails the test if it never does. */
export async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + 5000;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`never happened: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
