import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { type ClientConfig, TimedClient } from "./postgres-client.ts";

export interface PoolConfig extends Omit<ClientConfig, "onTimeout"> {
  readonly max: number;
  /** Prepares a new connection, before anything else is sent over it. Rejects: it is not used. */
  readonly onConnect: (client: pg.ClientBase) => Promise<void>;
}

/**
 * Connections that are given up when the server does not answer. If one was, the idle ones are, too: they lead the same way, and
 * each would cost the next caller as much time.
 */
export class TimedPool extends pg.Pool {
  readonly #clients = new Set<TimedClient>();
  readonly #idle = new Set<TimedClient>();

  constructor(config: PoolConfig, onLost: (error: Error) => void) {
    const onTimeout = () => {
      for (const client of this.#idle) client.destroy();
    };
    const options = { ...config, Client: TimedClient, onTimeout, idleTimeoutMillis: 30_000 };
    super(options as object as pg.PoolConfig);
    this.on("error", onLost);
    this.on("connect", (client) => this.#clients.add(client as unknown as TimedClient));
    this.on("acquire", (client) => this.#idle.delete(client as unknown as TimedClient));
    this.on("release", (_, client) => this.#idle.add(client as unknown as TimedClient));
    this.on("remove", (client) => {
      this.#clients.delete(client as unknown as TimedClient);
      this.#idle.delete(client as unknown as TimedClient);
    });
  }

  /** Waits a moment for statements in flight; what is open then is cut off. */
  override async end(): Promise<void> {
    const ended = super.end();
    const left = await Promise.race([ended, sleep(END_TIMEOUT_MS, "left" as const, { ref: false })]);
    if (left === "left") for (const client of this.#clients) client.destroy();
  }
}

const END_TIMEOUT_MS = 3000;
