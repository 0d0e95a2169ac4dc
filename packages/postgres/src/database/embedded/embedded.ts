import { readFile, rename, rm, stat } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { DatabaseError } from "../database-error.ts";
import { type Cluster, openCluster, runProgram, USER_NAME } from "./cluster.ts";
import { isServerOf } from "./server-process.ts";

/** A PostgreSQL of this machine only, with its files in the service's data folder. */
export interface EmbeddedPostgres {
  /** With the password. */
  readonly url: string;
  /** Stops the server, unless another process uses it. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL in the data folder, or joins the one that another process has started there. It outlives a killed service, and
 * is started again when it is killed itself.
 */
export async function startEmbedded(
  dataDir: string,
  log: (message: string) => void = () => undefined,
): Promise<EmbeddedPostgres> {
  const cluster = await openCluster(dataDir);
  const port = await startOrJoin(cluster);
  const url = urlOf(cluster, port);
  let stopping = false;
  let holder = await hold(url);
  let supervision = Promise.resolve();

  function supervise(client: pg.Client): void {
    client.once("end", () => {
      if (!stopping) supervision = restart();
    });
  }

  /** The pool of the service knows the port, so it stays the same. */
  async function restart(): Promise<void> {
    log("the embedded PostgreSQL has stopped; starting it again");
    while (!stopping) {
      try {
        await startOrJoin(cluster, port);
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

/** The port of the running server. */
async function startOrJoin(cluster: Cluster, fixedPort?: number): Promise<number> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const running = await runningServer(cluster);
    if (running !== undefined && (await accepts(urlOf(cluster, running)))) {
      if (fixedPort === undefined || running === fixedPort) return running;
      throw new DatabaseError(
        "embedded_postgres",
        `The embedded PostgreSQL now listens on port ${running} instead of ${fixedPort}: restart the service`,
      );
    }
    // Another process may be starting or stopping it.
    const started = running === undefined && (await start(cluster, fixedPort ?? (await freePort())));
    if (!started && Date.now() > deadline) {
      throw new DatabaseError(
        "embedded_postgres",
        `The embedded PostgreSQL in ${cluster.folder} does not start. The end of server.log: ${await logTail(cluster)}`,
      );
    }
    if (!started) await sleep(running === undefined ? 500 : 100);
  }
}

/** The port that the server's own file names, while its process lives. What a killed server left is removed by the next one. */
async function runningServer({ data }: Cluster): Promise<number | undefined> {
  const file = join(data, "postmaster.pid");
  const [pid, , , port] = (await readFile(file, "utf8").catch(() => "")).split("\n");
  if (!pid || !port) return undefined;
  switch (await isServerOf(Number(pid), data)) {
    case "server":
      return Number(port);
    case "other":
      // The number belongs to another program by now, as after the restart of a container. PostgreSQL would wait for it forever.
      await rm(file, { force: true });
      return undefined;
    case "none":
      return undefined;
  }
}

async function start(cluster: Cluster, port: number): Promise<boolean> {
  await rotateLog(cluster);
  const { binaries, data, logFile } = cluster;
  const args = ["start", "-D", data, "-l", logFile, "-w", "-t", "30", "-o", `-p ${port}`];
  return (await runProgram(cluster, binaries.pg_ctl, args)) === 0;
}

async function accepts(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on("error", () => undefined);
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

async function hold(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: "council-embedded",
    keepAlive: true,
  });
  // A lost connection is reported by its end as well.
  client.on("error", () => undefined);
  await client.connect();
  await client.query(`SELECT pg_advisory_lock_shared(${USERS_LOCK})`);
  return client;
}

async function releaseHold(client: pg.Client): Promise<boolean> {
  await client.query(`SELECT pg_advisory_unlock_shared(${USERS_LOCK})`);
  const { rows } = await client.query(`SELECT pg_try_advisory_lock(${USERS_LOCK}) AS alone`);
  return rows[0].alone;
}

function urlOf({ password }: Cluster, port: number): string {
  return `postgresql://${USER_NAME}:${password}@127.0.0.1:${port}/postgres`;
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
