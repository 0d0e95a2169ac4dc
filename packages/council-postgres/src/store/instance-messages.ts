import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "@mci-ts/council";
import pg from "pg";
import type { Database } from "../database/database.ts";
import { instanceChannel, notifyChange, runChannel } from "./channels.ts";

export interface Messages {
  /** Runs of this instance that others follow. */
  readonly watched: ReadonlySet<string>;
  watch(runId: string, onChange: () => void): Promise<() => void>;
  requestCancel(runId: string): Promise<void>;
  onCancelRequest(cancel: (runId: string) => void): void;
  close(): Promise<void>;
}

/** Notifications are lost with a connection: followers look for news this often in any case. */
const POLL_MS = 1000;
const RECONNECT_MS = 500;
/** How often the connection is asked for a sign of life, and how long that may take: one that is cut off delivers nothing, silently. */
const CHECK_MS = 5000;
/** An id that is forgotten costs its followers a second's delay at most. */
const MAX_WATCHED = 10_000;

/**
 * Messages between instances by LISTEN and NOTIFY, over one connection of its own. Only runs that are followed from another
 * instance cause notifications: PostgreSQL commits transactions that notify one after the other.
 */
export async function openMessages(database: Database, id: string, log: Log): Promise<Messages> {
  const watched = new Set<string>();
  const followers = new Map<string, Set<() => void>>();
  const cancelHandlers: ((runId: string) => void)[] = [];
  let closed = false;
  let client: pg.Client | undefined;
  let connecting = connect();
  await connecting;

  async function connect(): Promise<void> {
    const next = await database.connect({ timeoutMs: CHECK_MS });
    const timer = setInterval(() => next.query("SELECT 1").catch(() => undefined), CHECK_MS);
    timer.unref();
    next.on("notification", ({ channel, payload = "" }) => receive(channel, payload));
    let ended = false;
    next.once("end", () => {
      ended = true;
      clearInterval(timer);
      if (client !== next) return;
      client = undefined;
      if (!closed) connecting = reconnect();
    });
    const listen = (channel: string) => next.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    try {
      await listen(instanceChannel(id));
      // Followers that arrive meanwhile are among the keys.
      for (const runId of followers.keys()) await listen(runChannel(runId));
      if (ended) throw new Error("the connection was lost");
    } catch (error) {
      await next.end().catch(() => undefined);
      throw error;
    }
    client = next;
  }

  async function reconnect(): Promise<void> {
    for (let failed = false; !closed; failed = true) {
      try {
        await connect();
        for (const onChange of [...followers.values()].flatMap((all) => [...all])) onChange();
        return;
      } catch (error) {
        if (!failed) log(`messages of other instances do not arrive: ${(error as Error).message}`);
        await sleep(RECONNECT_MS, undefined, { ref: false });
      }
    }
  }

  function receive(channel: string, payload: string): void {
    if (channel !== instanceChannel(id)) {
      for (const onChange of followers.get(channel.slice(runChannel("").length)) ?? []) onChange();
      return;
    }
    const [kind, runId = ""] = payload.split(" ");
    if (kind === "cancel") for (const cancel of cancelHandlers) cancel(runId);
    if (kind !== "watch") return;
    if (watched.size >= MAX_WATCHED) watched.delete(watched.values().next().value!);
    watched.add(runId);
    // What was written before this message came is news to the follower.
    notifyChange(database, runId).catch(() => undefined);
  }

  /** To the instance that executes the run, while it lives. */
  async function sendToOwner(kind: "watch" | "cancel", runId: string): Promise<void> {
    await database.query(
      "SELECT pg_notify('council_instance_' || owner, $1) FROM council.runs WHERE id = $2 AND status = 'running'",
      [`${kind} ${runId}`, runId],
    );
  }

  return {
    watched,
    async watch(runId, onChange) {
      const all = followers.get(runId) ?? new Set();
      followers.set(runId, all.add(onChange));
      const timer = setInterval(onChange, POLL_MS);
      timer.unref();
      if (all.size === 1) await client?.query(`LISTEN ${pg.escapeIdentifier(runChannel(runId))}`);
      await sendToOwner("watch", runId);
      return () => {
        clearInterval(timer);
        all.delete(onChange);
        if (all.size > 0) return;
        followers.delete(runId);
        client?.query(`UNLISTEN ${pg.escapeIdentifier(runChannel(runId))}`).catch(() => undefined);
      };
    },
    requestCancel: (runId) => sendToOwner("cancel", runId),
    onCancelRequest: (cancel) => cancelHandlers.push(cancel),
    async close() {
      closed = true;
      await connecting.catch(() => undefined);
      await client?.end().catch(() => undefined);
    },
  };
}
