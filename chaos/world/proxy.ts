import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** What the network does to every byte that passes. */
export interface Weather {
  /** Before each piece is passed on. */
  delayMs: number;
  /** Infinity: as fast as it can. */
  bytesPerSecond: number;
  /** Nothing is passed on, nothing is closed, and new connections are accepted but lead nowhere. */
  blackHole: boolean;
}

/** A TCP proxy to a port of this machine, whose faults are those of a network. */
export interface TcpProxy {
  readonly port: number;
  readonly weather: Weather;
  /** Where new connections go. */
  target: number;
  /** Ends every connection in order, as a restarted load balancer does. */
  cut(): void;
  /** Resets every connection. */
  reset(): void;
  /** The connections of this moment stay open and carry nothing any more; new ones work. */
  freeze(): void;
  calm(): void;
  close(): Promise<void>;
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  frozen: boolean;
}

const FAIR: Weather = { delayMs: 0, bytesPerSecond: Number.POSITIVE_INFINITY, blackHole: false };

export async function startProxy(target: number): Promise<TcpProxy> {
  const pairs = new Set<Pair>();
  const weather = { ...FAIR };

  const listener = createServer({ allowHalfOpen: true }, (client) => {
    const server = connect({ port: proxy.target, host: "127.0.0.1", allowHalfOpen: true });
    const pair: Pair = { client, server, frozen: false };
    pairs.add(pair);
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      socket.on("error", () => end(pair));
    }
    void pump(client, server, pair);
    void pump(server, client, pair);
  });

  async function pump(from: Socket, to: Socket, pair: Pair): Promise<void> {
    try {
      for await (const chunk of from as AsyncIterable<Buffer>) {
        await passage(pair, chunk.length);
        if (!to.write(chunk)) await once(to, "drain");
      }
      await passage(pair, 0);
      to.end();
      if (from.writableEnded) pairs.delete(pair);
    } catch {
      end(pair);
    }
  }

  async function passage(pair: Pair, bytes: number): Promise<void> {
    const { delayMs, bytesPerSecond } = weather;
    const ms = delayMs + (bytes / bytesPerSecond) * 1000;
    if (ms >= 1) await sleep(ms);
    while (weather.blackHole || pair.frozen) {
      if (pair.client.destroyed) throw new Error("gone");
      await sleep(20);
    }
  }

  function end(pair: Pair): void {
    pairs.delete(pair);
    pair.client.destroy();
    pair.server.destroy();
  }

  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const proxy: TcpProxy = {
    port: (listener.address() as AddressInfo).port,
    weather,
    target,
    cut: () => [...pairs].forEach(end),
    reset() {
      for (const pair of pairs) {
        pair.client.resetAndDestroy();
        pair.server.resetAndDestroy();
      }
      pairs.clear();
    },
    freeze() {
      for (const pair of pairs) pair.frozen = true;
    },
    calm: () => void Object.assign(weather, FAIR),
    async close() {
      listener.close();
      [...pairs].forEach(end);
    },
  };
  return proxy;
}
