import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { onTestFinished } from "vitest";

/** Stands in for a PostgreSQL whose main process was killed: in one packet it accepts a connection and says that it ends. */
export async function startDyingServer(): Promise<string> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end(Buffer.concat([AUTHENTICATED, READY, FATAL])));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `postgresql://user:password@127.0.0.1:${(server.address() as AddressInfo).port}/postgres`;
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
