import { readFile, rename, rm, stat } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DatabaseError } from "../database-error.ts";
import { TimedClient } from "../postgres-client.ts";
import { type Cluster, openCluster, runProgram, USER_NAME } from "./cluster.ts";
import { isServerOf } from "./server-process.ts";

/** A PostgreSQL of this machine only, with its files in the service's data folder. */
export interface EmbeddedPostgres {
  /** The address, with the password. */
  readonly url: string;
  /** Stops the server, unless another process uses it. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  readonly log?: (message: string) => void;
  /** As whom it runs if the service is root. Default: the owner of its files, or `nobody`. */
  readonly user?: string;
  /** Default: a socket where there is one. */
  readonly endpoint?: Endpoint["kind"];
}

/**
 * Starts PostgreSQL in the data folder, or joins the one that another process has started there. It outlives a killed service, and
 * is started again when it is killed itself.
 */
export async function startEmbedded(
  dataDir: string,
  { log = () => undefined, user, endpoint }: EmbeddedOptions = {},
): Promise<EmbeddedPostgres> {
  const cluster = await openCluster(dataDir, user);
  const kind = endpoint ?? endpointKind(cluster.data);
  const listening = await startOrJoin(cluster, kind);
  const url = urlOf(cluster, listening);
  let stopping = false;
  let holder = await hold(url);
  let supervision = Promise.resolve();

  function supervise(client: TimedClient): void {
    client.once("end", () => {
      if (!stopping) supervision = restart();
    });
  }

  /** The pool of the service knows the port, so it stays the same. */
  async function restart(): Promise<void> {
    log("the embedded PostgreSQL has stopped; starting it again");
    while (!stopping) {
      try {
        await startOrJoin(cluster, kind, listening);
        holder = await hold(url);
        supervise(holder);
        return;
      } catch (error) {
        log((error as Error).message);
        await sleep(1000, undefined, { ref: false });
      }
    }
  }

  supervise(holder);
  return {
    url,
    async stop() {
      if (stopping) return;
      stopping = true;
      await supervision;
      const last = await releaseHold(holder).catch(() => false);
      if (last)
        await runProgram(cluster, cluster.binaries.pg_ctl, ["stop", "-D", cluster.data, "-m", "fast", "-w"]);
      await holder.end().catch(() => undefined);
    },
  };
}

const START_TIMEOUT_MS = 60_000;

/** Where the running server listens. */
async function startOrJoin(cluster: Cluster, kind: Endpoint["kind"], fixed?: Endpoint): Promise<Endpoint> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const running = await runningServer(cluster);
    if (running !== undefined && (await accepts(urlOf(cluster, running)))) {
      if (fixed === undefined || urlOf(cluster, running) === urlOf(cluster, fixed)) return running;
      throw new DatabaseError(
        "embedded_postgres",
        `The embedded PostgreSQL now listens on port ${running.port} instead of ${fixed.port}: restart the service`,
      );
    }
    // Another process may be starting or stopping it.
    const started = running === undefined && (await start(cluster, fixed ?? (await newEndpoint(kind))));
    if (!started && Date.now() > deadline) {
      throw new DatabaseError(
        "embedded_postgres",
        `The embedded PostgreSQL in ${cluster.folder} does not start. The end of server.log: ${await logTail(cluster)}`,
      );
    }
    if (!started) await sleep(running === undefined ? 500 : 100);
  }
}

/** What the server's own file says, while its process lives. What a killed server left is removed by the next one. */
async function runningServer({ data }: Cluster): Promise<Endpoint | undefined> {
  const file = join(data, "postmaster.pid");
  const [pid, , , port, socketFolder] = (await readFile(file, "utf8").catch(() => "")).split("\n");
  if (!pid || !port) return undefined;
  switch (await isServerOf(Number(pid), data)) {
    case "server":
      return { kind: socketFolder ? "socket" : "tcp", port: Number(port) };
    case "other":
      // The number belongs to another program by now, as after the restart of a container. PostgreSQL would wait for it forever.
      for (const left of [file, join(data, `.s.PGSQL.${port}.lock`)]) await rm(left, { force: true });
      return undefined;
    case "none":
      return undefined;
  }
}

async function start(cluster: Cluster, { kind, port }: Endpoint): Promise<boolean> {
  await rotateLog(cluster);
  const { binaries, data, logFile } = cluster;
  // A shell reads these: nothing of them comes from outside. The folder of the socket is that of the data.
  const listen =
    kind === "socket"
      ? "-c listen_addresses= -k ."
      : "-c listen_addresses=127.0.0.1 -c unix_socket_directories=";
  const args = ["start", "-D", data, "-l", logFile, "-w", "-t", "30", "-o", `-p ${port} ${listen}`];
  return (await runProgram(cluster, binaries.pg_ctl, args)) === 0;
}

async function accepts(url: string): Promise<boolean> {
  const client = newClient(url);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Any number. Users share the lock; the last one can take it alone and stops the server. */
const USERS_LOCK = 7_303_015;

async function hold(url: string): Promise<TimedClient> {
  const client = newClient(url);
  await client.connect();
  await client.query(`SELECT pg_advisory_lock_shared(${USERS_LOCK})`);
  return client;
}

async function releaseHold(client: TimedClient): Promise<boolean> {
  await client.query(`SELECT pg_advisory_unlock_shared(${USERS_LOCK})`);
  const { rows } = await client.query(`SELECT pg_try_advisory_lock(${USERS_LOCK}) AS alone`);
  return rows[0].alone;
}

function newClient(url: string): TimedClient {
  return new TimedClient({
    connectionString: url,
    application_name: "council-embedded",
    connectionTimeoutMillis: 5000,
    answerTimeoutMs: 30_000,
    keepAlive: true,
    require_auth: new URL(url).searchParams.get("require_auth") ?? undefined,
  });
}

/** Where a server listens. The port is also part of the name of a socket. */
interface Endpoint {
  readonly kind: "socket" | "tcp";
  readonly port: number;
}

/**
 * A Unix socket in the folder of the data, which only its owner may enter: no other program can take its place. Node.js has none on
 * Windows, and their names are short: else it is a port of this machine. Another program may listen there after the server has
 * stopped, so that clients speak only SCRAM, which never sends the password.
 */
function endpointKind(data: string): Endpoint["kind"] {
  const isShort = Buffer.byteLength(data) <= MAX_SOCKET_FOLDER_BYTES;
  return process.platform !== "win32" && isShort ? "socket" : "tcp";
}

/** The longest path of a socket: 104 bytes on macOS; Linux has four more. */
const MAX_SOCKET_FOLDER_BYTES = 103 - "/.s.PGSQL.5432".length;

async function newEndpoint(kind: Endpoint["kind"]): Promise<Endpoint> {
  return { kind, port: kind === "socket" ? 5432 : await freePort() };
}

function urlOf({ password, data }: Cluster, { kind, port }: Endpoint): string {
  const user = `postgresql://${USER_NAME}:${password}`;
  if (kind === "socket") return `${user}@${encodeURIComponent(data)}:${port}/postgres`;
  return `${user}@127.0.0.1:${port}/postgres?require_auth=scram-sha-256`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const MAX_LOG_BYTES = 5 * 1024 * 1024;

async function rotateLog({ logFile }: Cluster): Promise<void> {
  const size = await stat(logFile).then(
    (found) => found.size,
    () => 0,
  );
  if (size > MAX_LOG_BYTES) await rename(logFile, `${logFile}.old`);
}

async function logTail({ logFile }: Cluster): Promise<string> {
  const text = await readFile(logFile, "utf8").catch(() => "(empty)");
  return text.trim().split("\n").slice(-5).join(" | ");
}
