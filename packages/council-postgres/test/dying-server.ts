import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { onTestFinished } from "vitest";

/**
 * Stands in for a PostgreSQL whose main process was killed: in one packet it accepts a connection and says that it ends. After so many
 * connections it is the real server at that address.
 */
export async function startDyingServer(real?: {
  readonly url: string;
  readonly after: number;
}): Promise<string> {
  let connections = 0;
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    if (real && connections++ >= real.after) {
      const target = connect(Number(new URL(real.url).port), "127.0.0.1");
      target.on("error", () => socket.destroy()).on("close", () => socket.destroy());
      socket.on("close", () => target.destroy());
      socket.pipe(target).pipe(socket);
      return;
    }
    socket.once("data", () => socket.end(Buffer.concat([AUTHENTICATED, READY, FATAL])));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const url = new URL(real?.url ?? "postgresql://user:password@127.0.0.1/postgres");
  url.port = String((server.address() as AddressInfo).port);
  return url.href;
}

const AUTHENTICATED = message("R", Buffer.alloc(4));
const READY = message("Z", Buffer.from("I"));
const FATAL = message(
  "E",
  Buffer.from("SFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0"),
);

function message(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
}
