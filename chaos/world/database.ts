import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { waitOrThrow } from "../wait.ts";
import type { PostgresPrograms } from "./postgres-programs.ts";
import {
  createReplica,
  createServer,
  DATABASE,
  type PostgresServer,
  SERVICE_USER,
  type ServerPlace,
} from "./postgres-server.ts";
import { startProxy, type TcpProxy } from "./proxy.ts";
import { giveTo, type SystemUser } from "./system-user.ts";

/** The database as its users see it: whichever server is the primary, behind proxies that follow it. */
export interface Database {
  readonly programs: PostgresPrograms;
  primary: PostgresServer;
  /** Follows the primary. Absent without `pg_basebackup`. */
  replica?: PostgresServer;
  /** A new way to the primary, for one user. */
  openWay(): Promise<TcpProxy>;
  /** Leads all ways to a server; the connections of before are cut. */
  redirect(server: PostgresServer): void;
  /** The primary crashes, and the replica takes its place. Commits of the last `lossMs` before are lost, and none from before the call; 0: none. */
  failOver(lossMs: number): Promise<void>;
  /** A replica for a primary that has none. */
  addReplica(): Promise<void>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly programs: PostgresPrograms;
  readonly user: SystemUser | undefined;
  readonly folder: string;
  readonly password: string;
  readonly logFile: string;
}

export async function createDatabase(options: DatabaseOptions): Promise<Database> {
  const ways: TcpProxy[] = [];
  let servers = 0;
  let stream: TcpProxy | undefined;

  function nextPlace(): ServerPlace {
    const folder = join(options.folder, `server${++servers}`);
    mkdirSync(folder, { mode: 0o700 });
    giveTo(options.user, folder);
    return { ...options, folder };
  }

  async function addReplica(): Promise<void> {
    if (!options.programs.basebackup) return;
    const { primary } = database;
    stream = await startProxy(primary.port);
    const replica = await createReplica(nextPlace(), stream.port);
    await replica.start();
    database.replica = replica;
    await waitOrThrow("the replica follows", () => follows(primary), 60_000);
  }

  async function failOver(lossMs: number): Promise<void> {
    // The fault may have been broken off when its new replica could not be made.
    if (!database.replica) await addReplica();
    const { primary: old, replica } = database;
    if (!replica) throw new Error("a failover needs a replica");
    if (lossMs === 0) {
      await configure(old, "synchronous_standby_names", "replica");
      await waitOrThrow("a synchronous replica", () => follows(old, "sync"), 30_000);
      await sleep(1000);
    } else {
      // On a busy machine the replica may be behind already: more would be lost than was asked for.
      const [{ lsn }] = (await old.query<{ lsn: string }>("SELECT pg_current_wal_lsn() AS lsn")) as [
        { lsn: string },
      ];
      await waitOrThrow("the replica has what was committed", () => hasReceived(replica, lsn), 60_000);
      stream!.weather.blackHole = true;
      await sleep(lossMs);
    }
    await old.stop("crash");
    await stream?.close();
    await replica.query("SELECT pg_promote(true, 60)");
    database.primary = replica;
    delete database.replica;
    redirect(replica);
    rmSync(dirname(old.data), { recursive: true, force: true });
  }

  function redirect(server: PostgresServer): void {
    for (const way of ways) {
      way.target = server.port;
      way.cut();
    }
  }

  const primary = await createServer(nextPlace());
  const database: Database = {
    programs: options.programs,
    primary,
    async openWay() {
      const way = await startProxy(database.primary.port);
      ways.push(way);
      return way;
    },
    redirect,
    failOver,
    addReplica,
    async close() {
      for (const way of ways) await way.close();
      await stream?.close();
      await database.replica?.stop("crash");
      await database.primary.stop("crash");
    },
  };
  await primary.start();
  await primary.query(`CREATE ROLE ${SERVICE_USER} LOGIN PASSWORD '${options.password}'`);
  await primary.query(`CREATE DATABASE ${DATABASE} OWNER ${SERVICE_USER}`);
  await addReplica();
  return database;
}

/** A setting of a server that runs, until it is set to something else. */
export async function configure(server: PostgresServer, name: string, value: string): Promise<void> {
  await server.query(`ALTER SYSTEM SET ${name} = '${value}'`);
  await server.query("SELECT pg_reload_conf()");
}

async function follows(primary: PostgresServer, how = "async"): Promise<boolean> {
  const rows = await primary.query<{ sync_state: string }>(
    "SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming' AND application_name = 'replica'",
  );
  return rows.some(({ sync_state }) => sync_state === how);
}

async function hasReceived(replica: PostgresServer, lsn: string): Promise<boolean> {
  const [row] = await replica.query<{ has: boolean }>(
    `SELECT pg_last_wal_receive_lsn() >= '${lsn}'::pg_lsn AS has`,
  );
  return row!.has;
}
