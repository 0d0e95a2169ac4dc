import { createServer, request as forward, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { listen } from "../../../../test/servers.ts";

export interface TestProxy {
  readonly url: string;
  readonly host: string;
  /** What was asked of it: `GET http://…` or `CONNECT host:port`. */
  readonly requests: string[];
}

export interface TestProxyOptions {
  /** `user:password` that it asks for. Default: none. */
  readonly credentials?: string;
  /** Where names lead that only it knows, as `host:port`. Default: to themselves. */
  readonly names?: Readonly<Record<string, string>>;
  /** Takes the place of what it does with a tunnel. */
  readonly onConnect?: (socket: Socket) => void;
}

/** A forward proxy for one test: plain requests in absolute form, and tunnels. */
export async function startProxy({
  credentials,
  names = {},
  onConnect,
}: TestProxyOptions = {}): Promise<TestProxy> {
  const requests: string[] = [];
  const isAllowed = ({ headers }: IncomingMessage) =>
    credentials === undefined ||
    headers["proxy-authorization"] === `Basic ${Buffer.from(credentials).toString("base64")}`;
  const server = createServer((incoming, outgoing) => {
    requests.push(`${incoming.method} ${incoming.url}`);
    if (!isAllowed(incoming)) return outgoing.writeHead(407).end(`not ${credentials}`);
    const url = new URL(incoming.url!);
    const [hostname, port] = (names[url.host] ?? url.host).split(":");
    const { "proxy-authorization": _, ...headers } = incoming.headers;
    const options = { hostname, port, method: incoming.method, path: url.pathname + url.search, headers };
    const onward = forward(options, (response) => {
      outgoing.writeHead(response.statusCode!, response.headers);
      response.pipe(outgoing);
    });
    onward.on("error", (error) => outgoing.writeHead(502).end(`${error.message} ${credentials ?? ""}`));
    incoming.pipe(onward);
  });
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => sockets.add(socket));
  server.on("connect", (incoming: IncomingMessage, socket: Socket) => {
    requests.push(`CONNECT ${incoming.url}`);
    socket.on("error", () => {});
    if (onConnect !== undefined) return onConnect(socket);
    if (!isAllowed(incoming)) return socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    const [hostname, port] = (names[incoming.url!] ?? incoming.url!).split(":");
    const onward = connect(Number(port), hostname, () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      socket.pipe(onward).pipe(socket);
    });
    sockets.add(onward.on("error", () => socket.destroy()));
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { url, port } = await listen(server);
  return { url, host: `127.0.0.1:${port}`, requests };
}
