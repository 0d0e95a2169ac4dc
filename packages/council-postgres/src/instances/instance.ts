import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "@mci-ts/council";
import type { Database, Queryable } from "../database/database.ts";
import { migrate } from "../database/migrate.ts";
import { assertAlive } from "./fencing.ts";
import type { InstanceOptions } from "./instance-options.ts";
import { INSTANCE_TABLES } from "./instance-tables.ts";
import { type Neighbours, openLease } from "./lease.ts";
import { sweep, takeOverAll } from "./sweep.ts";
import type { Takeover } from "./takeover.ts";
import { TIMING } from "./timing.ts";

/** This process, as the others that share its database know it. */
export interface Instance {
  readonly id: string;
  /** Aborted when others have declared this instance dead, or the database failed over: it must stop. */
  readonly lost: AbortSignal;
  /** Begins what only a living instance may write; one that finds itself dead stops. */
  assertAlive(connection: Queryable): Promise<void>;
  /** How many others it has declared dead. */
  readonly declaredDead: number;
  /** False: others may have declared this instance dead, and it cannot know. */
  isCertain(): boolean;
  /** Adds what every sweep of this instance does for the work of dead ones. */
  onSweep(takeOver: Takeover): void;
  /** Gives up the lease, so that others need not wait for it to expire. */
  close(): Promise<void>;
}

/** A process may hold several leases, one after the other too: each id is new, and begins with the name of the process. */
export function createInstanceId(process: string = randomBytes(4).toString("hex")): string {
  return `${process}-${randomBytes(2).toString("hex")}`;
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
  const { workflowVersion, checkClock } = options;
  const lease = await openLease(database, { id, workflowVersion, checkClock, ...timing });
  const takeovers: Takeover[] = [];
  let living = 1;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let lookMs = 0;
  let sweeping: Promise<void> | undefined;
  let declaredDead = 0;
  let takenOverAt = Number.NEGATIVE_INFINITY;

  function stop(message: string): void {
    if (lost.signal.aborted) return;
    log(message, { level: "error" });
    lost.abort(new Error(message));
    stopped.abort();
  }
  const stopDead = () => stop(`instance ${id} was declared dead by another instance: it stops`);
  const { failedOver } = database;
  const onFailover = () => stop((failedOver.reason as Error).message);
  failedOver.addEventListener("abort", onFailover);

  /** Each looks less often the more there are: together they look as often, and the load on the database stays the same. */
  async function renew(): Promise<void> {
    const isLookDue = performance.now() - lookedAt >= lookMs;
    const renewed = await lease.renew(isLookDue);
    if (renewed === undefined) return stopDead();
    if (renewed.neighbours === undefined) return;
    lookedAt = performance.now();
    lookMs = living > 10 ? (timing.heartbeatMs * living) / 10 : 0;
    // Not awaited: whatever holds up a sweep, as a lock on a table, must not hold up the heartbeat.
    sweeping ??= sweepOnce(renewed.neighbours).finally(() => {
      sweeping = undefined;
    });
  }

  const sweepOnce = reportOnce(log, async (neighbours: Neighbours): Promise<void> => {
    const observer = {
      id,
      steady: lease.isSteady(),
      disturbed: lease.isDisturbed(),
      leaseMs: timing.leaseMs,
    };
    const found = await sweep(database, observer, neighbours);
    if (found === undefined) return;
    const hasChanged = found.living !== living || found.declaredDead.length > 0;
    living = found.living;
    declaredDead += found.declaredDead.length;
    for (const dead of found.declaredDead) log(`instance ${dead} is dead; its work is taken over`);
    // While the same instances live, there is hardly anything to take over.
    if (!hasChanged && performance.now() - takenOverAt < TAKEOVER_MS) return;
    if (await takeOverAll(database, takeovers)) takenOverAt = performance.now();
  });

  const work = repeat(reportOnce(log, renew), timing.heartbeatMs, stopped.signal);
  return {
    id,
    lost: lost.signal,
    get declaredDead() {
      return declaredDead;
    },
    assertAlive: (connection) => assertAlive(connection, id, stopDead),
    isCertain: () => lease.isCertain(),
    onSweep: (takeOver) => takeovers.push(takeOver),
    async close() {
      stopped.abort();
      failedOver.removeEventListener("abort", onFailover);
      // A statement over a connection that is cut off takes its time to fail.
      await Promise.race([work.then(() => sweeping), sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
      await lease.close();
    },
  };
}

const CLOSE_TIMEOUT_MS = 2000;
/** How often work without an owner is looked for in any case, as that of an instance that came and went between two sweeps. */
const TAKEOVER_MS = 5000;

async function repeat(work: () => Promise<void>, intervalMs: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(intervalMs, undefined, { signal }).catch(() => undefined);
    if (!signal.aborted) await work();
  }
}

/** Failures are logged once until they end: a database that is restarted is waited for. */
function reportOnce<Args extends unknown[]>(log: Log, work: (...args: Args) => Promise<void>) {
  let failure = "";
  return async (...args: Args): Promise<void> => {
    try {
      await work(...args);
      if (failure !== "") log("the database can be reached again", { level: "info" });
      failure = "";
    } catch (error) {
      const { message } = error as Error;
      if (message !== failure) log(message);
      failure = message;
    }
  };
}
