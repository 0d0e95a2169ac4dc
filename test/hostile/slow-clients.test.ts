import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { afterAll, test } from "vitest";
import { slownessOfClock } from "../cpu-time.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { type RunningServer, SERVER_NAMES, startServer } from "./programs.ts";

/** `npm run hostile` also measures, and waits for slow bodies to be given up. */
const isVerbose = process.env["MCI_HOSTILE"] !== undefined;

/** As `packages/http-guard` has it. */
const MAX_CONNECTIONS = 4096;

const tool = { name: "t", execution: { type: "text", text: "x" } };
const folder = temporaryFolder({ "mci.json": { schemaVersion: "1.0", tools: [tool] } }, afterAll);
const servers: RunningServer[] = [];
afterAll(() => {
  for (const { child } of servers) child.kill("SIGKILL");
});

/** A connection that has sent `text` and then says nothing. */
class SlowClient {
  isClosed = false;
  readonly #socket: Socket;
  readonly connected: Promise<void>;

  constructor(port: number, text: string) {
    this.#socket = connect(port, "127.0.0.1");
    this.#socket.on("error", () => {});
    this.#socket.once("close", () => (this.isClosed = true));
    this.#socket.resume();
    this.connected = new Promise((resolve) => this.#socket.once("connect", resolve).once("close", resolve));
    this.#socket.write(text);
  }
  end(): void {
    this.#socket.destroy();
  }
}

async function openMany(count: number, port: number, text: (i: number) => string): Promise<SlowClient[]> {
  const clients: SlowClient[] = [];
  while (clients.length < count) {
    const batch = Array.from({ length: 100 }, (_, i) => new SlowClient(port, text(clients.length + i)));
    await Promise.all(batch.map(({ connected }) => connected));
    clients.push(...batch);
  }
  return clients;
}

const openCount = (clients: readonly SlowClient[]) => clients.filter(({ isClosed }) => !isClosed).length;

/** The longest of ten requests, each over a connection of its own. */
async function respondsIn({ origin, health }: RunningServer): Promise<number> {
  let longest = 0;
  for (let i = 0; i < 10; i++) {
    const started = performance.now();
    const response = await fetch(origin + health, { headers: { connection: "close" } });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${origin} responds with ${response.status}`);
    longest = Math.max(longest, performance.now() - started);
  }
  return Math.round(longest);
}

const memoryOf = ({ child: { pid } }: RunningServer) =>
  process.platform === "linux"
    ? Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024)
    : Number.NaN;

test.concurrent.for(SERVER_NAMES)(
  "[G-slow] %s serves others while slow clients hold all its connections",
  { timeout: 600_000 },
  async (name, { expect }) => {
    const server = await startServer(name, folder);
    servers.push(server);
    const port = Number(new URL(server.origin).port);
    const host = `Host: 127.0.0.1:${port}\r\n`;
    const memory = memoryOf(server);
    const alone = await respondsIn(server);
    const slowly = [
      "",
      `GET / HTTP/1.1\r\n${host}X-Slow:`,
      `POST ${server.post} HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
    ];
    const clients = await openMany(MAX_CONNECTIONS + 300, port, (i) => slowly[i % 3]!);
    const opened = performance.now();
    const beside = await respondsIn(server);
    // The oldest had to give way: those above the limit, and a few for the requests between. Sooner than all give up that are too slow.
    const soonMs = Math.min(9_000, 4_000 * slownessOfClock());
    await expect.poll(() => openCount(clients), { timeout: soonMs }).toBeLessThanOrEqual(MAX_CONNECTIONS);
    // On a machine where that took longer, the newest is one of those that are too slow, too.
    if (performance.now() - opened < 9_000) expect(clients.at(-1)!.isClosed).toBe(false);
    const held = memoryOf(server);
    // Those that have not sent their headers after 10 s are given up; it is looked for them every second.
    const started = performance.now();
    const withoutHeaders = clients.filter((_, i) => i % 3 !== 2);
    await expect
      .poll(() => openCount(withoutHeaders), { timeout: 40_000 * slownessOfClock(), interval: 100 })
      .toBe(0);
    const headerMs = performance.now() - started;
    if (isVerbose) {
      await expect
        .poll(() => openCount(clients), { timeout: 90_000 * slownessOfClock(), interval: 100 })
        .toBe(0);
      const bodyMs = performance.now() - started;
      console.log(
        `| ${name} | ${clients.length} | ${alone} ms | ${beside} ms | ${memory} -> ${held} MB | ${Math.round(headerMs / 1000)} s | ${Math.round(bodyMs / 1000)} s |`,
      );
    }
    for (const client of clients) client.end();
  },
);
