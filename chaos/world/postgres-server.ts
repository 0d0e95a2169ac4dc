import { type ChildProcess, execFile, spawn } from "node:child_process";
import { appendFileSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { waitOrThrow, waitUntil } from "../wait.ts";
import { killAtExit } from "./children.ts";
import { freePort } from "./free-port.ts";
import type { PostgresPrograms } from "./postgres-programs.ts";
import type { SystemUser } from "./system-user.ts";

export const ADMIN = "chaos";
export const SERVICE_USER = "council";
export const DATABASE = "council";

export interface ServerPlace {
  readonly programs: PostgresPrograms;
  readonly user: SystemUser | undefined;
  /** An empty folder that the user may write. */
  readonly folder: string;
  readonly password: string;
  readonly logFile: string;
}

/** A PostgreSQL server of this campaign: a child process, which can be killed like any other. */
export interface PostgresServer {
  readonly port: number;
  readonly data: string;
  start(): Promise<void>;
  /** `fast`: rolls transactions back, writes a checkpoint. `crash`: SIGKILL to the main process and its children. */
  stop(how: "fast" | "crash"): Promise<void>;
  /** SIGSTOP to the main process and its children; what it returns lets them go on. */
  freeze(): Promise<() => void>;
  /** A statement as administrator, on a connection of its own. */
  query<Row extends object>(sql: string, database?: string): Promise<Row[]>;
  url(port: number): string;
}

const SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  // A killed process loses nothing without it, and the campaign does not cut the power.
  fsync: "off",
  max_connections: "120",
  max_wal_senders: "5",
  wal_keep_size: "64MB",
  max_wal_size: "256MB",
  // A standby that was the primary's only one must not stop it for long.
  wal_sender_timeout: "5s",
  log_checkpoints: "off",
};

export async function createServer(place: ServerPlace): Promise<PostgresServer> {
  const data = join(place.folder, "data");
  const passwordFile = join(place.folder, "password");
  writeFileSync(passwordFile, place.password, { mode: 0o644 });
  await run(place, place.programs.initdb, [
    `--pgdata=${data}`,
    `--username=${ADMIN}`,
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C",
  ]);
  appendFileSync(join(data, "pg_hba.conf"), "host replication all 127.0.0.1/32 scram-sha-256\n");
  return openServer(place, data);
}

/** A copy of a running server that follows it. `via` is the port it streams from. */
export async function createReplica(place: ServerPlace, via: number): Promise<PostgresServer> {
  const data = join(place.folder, "data");
  const source = `host=127.0.0.1 port=${via} user=${ADMIN} password=${place.password} application_name=replica`;
  const copy = () =>
    run(place, place.programs.basebackup!, [
      `--pgdata=${data}`,
      `--dbname=${source}`,
      "--wal-method=stream",
      "--checkpoint=fast",
      "--write-recovery-conf",
    ]);
  // The primary may close the stream on a busy machine; the program has removed what it had copied then.
  await copy().catch(copy).catch(copy);
  return openServer(place, data);
}

async function openServer(place: ServerPlace, data: string): Promise<PostgresServer> {
  const port = await freePort();
  let child: ChildProcess | undefined;
  const url = (to: number) => `postgresql://${SERVICE_USER}:${place.password}@127.0.0.1:${to}/${DATABASE}`;

  async function query<Row extends object>(sql: string, database = "postgres"): Promise<Row[]> {
    const client = new pg.Client({
      host: "127.0.0.1",
      port,
      user: ADMIN,
      password: place.password,
      database,
      connectionTimeoutMillis: 30_000,
      query_timeout: 20_000,
    });
    client.on("error", () => undefined);
    await client.connect();
    try {
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  function spawnServer(): ChildProcess {
    const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const log = openSync(place.logFile, "a");
    return spawn(place.programs.postgres, ["-D", data, "-p", String(port), ...settings], {
      cwd: place.folder,
      env: { PATH: process.env["PATH"], LC_ALL: "C" },
      stdio: ["ignore", log, log],
      ...place.user,
    });
  }

  return {
    port,
    data,
    query,
    url,
    async start() {
      const accepts = () => query("SELECT 1").then(() => true);
      // The memory of a killed server is free only when its last process has noticed.
      for (let attempt = 0; attempt < 20; attempt++) {
        const started = spawnServer();
        child = started;
        killAtExit(started);
        if (await waitUntil(() => started.exitCode !== null || accepts(), 60_000, 50)) {
          if (started.exitCode === null) return;
        }
        await sleep(300);
      }
      throw new Error(`PostgreSQL in ${data} does not start; see ${place.logFile}`);
    },
    async freeze() {
      const rows = await query<{ pid: number }>(
        "SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()",
      );
      // The main process first: it would start new ones.
      const pids = [child!.pid!, ...rows.map(({ pid }) => pid)];
      for (const pid of pids) signal(pid, "SIGSTOP");
      return () => {
        for (const pid of pids) signal(pid, "SIGCONT");
      };
    },
    async stop(how) {
      const stopping = child;
      if (stopping?.pid === undefined || stopping.exitCode !== null || stopping.signalCode !== null) return;
      stopping.kill(how === "fast" ? "SIGINT" : "SIGKILL");
      await waitOrThrow(
        "the end of PostgreSQL",
        () => stopping.exitCode !== null || stopping.signalCode !== null,
        60_000,
      );
    },
  };
}

/** Some have ended since they were listed. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

async function run({ user, folder }: ServerPlace, program: string, args: readonly string[]): Promise<void> {
  const env = { PATH: process.env["PATH"], LC_ALL: "C" };
  await promisify(execFile)(program, [...args], { cwd: folder, env, ...user });
}
