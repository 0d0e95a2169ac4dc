import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { waitOrThrow } from "../wait.ts";
import { createDatabase, type Database } from "./database.ts";
import { createDisk, type Disk } from "./disk.ts";
import { type Instance, startInstance } from "./instance.ts";
import { type Model, startModel } from "./model.ts";
import { createPooler, findPooler, type Pooler } from "./pooler.ts";
import { findPostgres } from "./postgres-programs.ts";
import { startProxy, type TcpProxy } from "./proxy.ts";
import { unprivilegedUser } from "./system-user.ts";

/** Everything a fault can strike: a database with a replica, a pooler, a model provider, three instances, and what is between them. */
export interface World {
  readonly database: Database;
  readonly disk: Disk;
  readonly model: Model;
  readonly instances: readonly Instance[];
  /** Between the last instance and the database; absent where pgbouncer is not installed. */
  readonly pooler?: Pooler;
  /** Times, as of `performance.now()`, whose acknowledged writes a failover to an asynchronous replica may have lost. */
  readonly losses: { readonly from: number; readonly to: number }[];
  /** Logs of all processes, kept when something was found. */
  readonly folder: string;
  close(keepLogs: boolean): Promise<void>;
}

export interface WorldOptions {
  /** Starts the service: `node` and its arguments. */
  readonly command: readonly string[];
  readonly instances?: number;
  /** Default: where installed. */
  readonly pooler?: boolean;
}

const READY_TIMEOUT_MS = 180_000;

export async function createWorld({
  command,
  instances: count = 3,
  pooler: wanted = true,
}: WorldOptions): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), "council-chaos-"));
  chmodSync(folder, 0o755);
  const user = await unprivilegedUser();
  const password = randomBytes(18).toString("base64url");
  const disk = createDisk(join(folder, "disk"));
  const closing: (() => Promise<unknown> | unknown)[] = [() => disk.unmount()];
  const log = (name: string) => join(folder, `${name}.log`);
  try {
    const programs = await findPostgres();
    const database = await createDatabase({
      programs,
      user,
      folder: disk.folder,
      password,
      logFile: log("postgres"),
    });
    closing.push(() => database.close());
    const model = await startModel();
    closing.push(() => model.close());
    const pooler = wanted ? await openPooler() : undefined;
    const instances: Instance[] = [];
    closing.push(() => Promise.all(instances.map((instance) => instance.stop(0))));
    for (let i = 0; i < count; i++) {
      const way = pooler && i === count - 1 ? await openPooledWay(pooler) : await database.openWay();
      instances.push(
        await startInstance({
          name: `instance${i + 1}`,
          command,
          way,
          logFile: log(`instance${i + 1}`),
          env: {
            DATABASE_URL: database.primary.url(way.port),
            MAKER_API_URL: model.url,
            MAKER_API_MODEL: "sim",
            MCI_RATE_LIMIT: "0",
            MCI_DATABASE_CONNECTIONS: "5",
          },
        }),
      );
    }
    for (const instance of instances)
      await waitOrThrow(`${instance.name} is ready`, instance.isReady, READY_TIMEOUT_MS);
    return {
      database,
      disk,
      model,
      instances,
      ...(pooler ? { pooler } : {}),
      losses: [],
      folder,
      close,
    };

    /** The database closes the ways it opened itself; an open listener would keep the campaign from ending. */
    async function openPooledWay({ port }: Pooler): Promise<TcpProxy> {
      const way = await startProxy(port);
      closing.push(() => way.close());
      return way;
    }

    async function openPooler(): Promise<Pooler | undefined> {
      const program = findPooler();
      if (program === undefined) return undefined;
      const { port: databasePort } = await database.openWay();
      const options = {
        folder: join(folder, "pooler"),
        user,
        password,
        databasePort,
        logFile: log("pgbouncer"),
      };
      const opened = await createPooler(program, options);
      closing.push(() => opened.kill());
      await opened.start();
      return opened;
    }
  } catch (error) {
    await close(true);
    throw new Error(`The campaign could not start; the logs are in ${folder}`, { cause: error });
  }

  async function close(keepLogs: boolean): Promise<void> {
    for (const end of closing.reverse()) await end();
    if (!keepLogs) rmSync(folder, { recursive: true, force: true });
  }
}
