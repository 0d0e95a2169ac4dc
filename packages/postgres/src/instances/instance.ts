import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../database/database.ts";
import { migrate } from "../database/migrate.ts";
import { openLease } from "./lease.ts";
import { sweep } from "./sweep.ts";
import { INSTANCE_TABLES } from "./tables.ts";
import type { Takeover } from "./takeover.ts";
import { TIMING, type Timing } from "./timing.ts";

export interface InstanceOptions {
  /** Short, and new for every process: `createInstanceId`. The name of the database's connections is made of it. */
  readonly id: string;
  /** Of the workflows it runs. Default: it runs none. */
  readonly workflowVersion?: number;
  readonly log: (message: string) => void;
  /** Default: a heartbeat each second, dead after five. Tests do not wait that long. */
  readonly timing?: Timing;
}

/** This process, as the others that share its database know it. */
export interface Instance {
  readonly id: string;
  /** Aborted when others have declared this instance dead: its work is theirs now, and it must stop. */
  readonly lost: AbortSignal;
  /** Adds what every sweep of this instance does for the work of dead ones. */
  onSweep(takeOver: Takeover): void;
  /** Gives up the lease, so that others need not wait for it to expire. */
  close(): Promise<void>;
}

export function createInstanceId(): string {
  return randomBytes(4).toString("hex");
}

/** The name that PostgreSQL shows for an instance's connections. */
export function connectionName(id: string): string {
  return `council-${id}`;
}

/**
 * Registers this process before it takes any work: it holds a lock for as long as its connection lives and renews a row every
 * second. All times are those of the database, so that the clocks of instances may differ.
 */
export async function joinInstances(database: Database, options: InstanceOptions): Promise<Instance> {
  const { id, log, timing = TIMING } = options;
  await migrate(database, INSTANCE_TABLES);
  const lost = new AbortController();
  const stopped = new AbortController();
  const lease = await openLease(database, { id, workflowVersion: options.workflowVersion, ...timing });
  const takeovers: Takeover[] = [];
  let living = 1;

  async function renew(): Promise<void> {
    if (await lease.renew()) return;
    log(`instance ${id} was declared dead by another instance: it stops`);
    lost.abort(new Error(`instance ${id} was declared dead`));
    stopped.abort();
  }

  async function sweepOnce(): Promise<void> {
    const observer = {
      id,
      steady: lease.isSteady(),
      disturbed: lease.isDisturbed(),
      leaseMs: timing.leaseMs,
    };
    const found = await sweep(database, observer, takeovers);
    if (found === undefined) return;
    living = found.living;
    for (const dead of found.declaredDead) log(`instance ${dead} is dead; its work is taken over`);
  }

  const work = Promise.all([
    repeat(renew, () => timing.heartbeatMs, stopped.signal, log),
    // Each waits longer the more there are: together they sweep as often, and the load on the database stays the same.
    repeat(
      sweepOnce,
      () => timing.sweepMs * Math.max(1, living / 10) * (0.8 + 0.4 * Math.random()),
      stopped.signal,
      log,
    ),
  ]);
  return {
    id,
    lost: lost.signal,
    onSweep: (takeOver) => takeovers.push(takeOver),
    async close() {
      stopped.abort();
      await work;
      await lease.close();
    },
  };
}

/** Failures are logged once until they end: a database that is restarted is waited for. */
async function repeat(
  work: () => Promise<void>,
  intervalMs: () => number,
  signal: AbortSignal,
  log: (message: string) => void,
): Promise<void> {
  let failure = "";
  while (!signal.aborted) {
    await sleep(intervalMs(), undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    try {
      await work();
      if (failure !== "") log("the database can be reached again");
      failure = "";
    } catch (error) {
      const { message } = error as Error;
      if (message !== failure) log(message);
      failure = message;
    }
  }
}
