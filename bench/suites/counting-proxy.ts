import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";

export interface CountingProxy {
  readonly url: string;
  /** Statements that passed so far. */
  statements(): number;
  close(): void;
}

/** Stands before a PostgreSQL and counts the statements that clients send: simple queries, and executions of prepared ones. */
export async function openCountingProxy(databaseUrl: string): Promise<CountingProxy> {
  const target = new URL(databaseUrl);
  const host = decodeURIComponent(target.hostname);
  const port = Number(target.port || 5432);
  // The embedded server listens on a socket in its folder.
  const address = host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
  let statements = 0;
  const server = createServer((client) => {
    const upstream = connect(address);
    const count = messageCounter((type) => {
      if (type === "Q" || type === "E") statements++;
    });
    client.on("data", (chunk) => {
      count(chunk);
      upstream.write(chunk);
    });
    upstream.pipe(client);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      one.on("error", () => other.destroy()).on("close", () => other.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { username, password, pathname } = target;
  const url = `postgresql://${username}:${password}@127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`;
  return { url, statements: () => statements, close: () => server.close() };
}

/** Messages of the frontend: a byte for the type and four for the length. The first one of a connection has no type. */
function messageCounter(onMessage: (type: string) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let isFirst = true;
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      const at = isFirst ? 0 : 1;
      if (rest.length < at + 4) return;
      const length = at + rest.readUInt32BE(at);
      if (rest.length < length) return;
      if (!isFirst) onMessage(String.fromCharCode(rest[0]!));
      isFirst = false;
      rest = rest.subarray(length);
    }
  };
}
