import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmod,
  chown,
  link,
  mkdir,
  mkdtemp,
  readFile,
  rename,
  rm,
  stat,
  unlink,
  writeFile,
} from "node:fs/promises";
import { join, resolve } from "node:path";
import { DatabaseError } from "../database-error.ts";
import { type Binaries, findBinaries } from "./binaries.ts";
import { requireAccess, type SystemUser, serverUser } from "./system-user.ts";

/** An initialized data directory, with the programs and the user that serve it. */
export interface Cluster {
  readonly folder: string;
  readonly data: string;
  readonly logFile: string;
  readonly password: string;
  readonly binaries: Binaries;
  readonly user?: SystemUser;
}

export const USER_NAME = "council";

/** Prepares `postgres` in the service's data folder; a folder that is prepared already stays as it is. As root for another user. */
export async function openCluster(dataDir: string, userName?: string): Promise<Cluster> {
  const folder = join(resolve(dataDir), "postgres");
  const binaries = await findBinaries();
  const user = await serverUser(join(folder, "data"), userName);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (user) {
    await chown(folder, user.uid, user.gid);
    // The other files of the data folder are for their owner only, each by itself.
    const { mode } = await stat(resolve(dataDir));
    await chmod(resolve(dataDir), mode | 0o001);
    await requireAccess(user, folder, "its data");
    await requireAccess(user, binaries.postgres, "its programs");
  }
  const cluster = {
    folder,
    data: join(folder, "data"),
    logFile: join(folder, "server.log"),
    password: await readOrCreatePassword(folder, user),
    binaries,
    ...(user ? { user } : {}),
  };
  if (!(await exists(join(cluster.data, "PG_VERSION")))) await initialize(cluster);
  return cluster;
}

/** Runs a program of PostgreSQL as its user, without the environment of the service: that holds keys. */
export function runProgram({ folder, user }: Cluster, program: string, args: readonly string[]) {
  const { PATH, SystemRoot, TMP, TEMP } = process.env;
  const child = spawn(program, args, {
    cwd: folder,
    env: { PATH, LC_ALL: "C", ...(SystemRoot ? { SystemRoot, TMP, TEMP } : {}) },
    // The server keeps what it inherits: with pipes the program would never seem to end.
    stdio: "ignore",
    windowsHide: true,
    ...(user ? { uid: user.uid, gid: user.gid } : {}),
  });
  return new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", resolve);
  });
}

/** In a folder of its own that is renamed when it is complete: a process that is killed meanwhile, or a second one, does no harm. */
async function initialize(cluster: Cluster): Promise<void> {
  const { folder, data, user, binaries } = cluster;
  const draft = await mkdtemp(join(folder, "initdb-"));
  try {
    if (user) await chown(draft, user.uid, user.gid);
    const status = await runProgram(cluster, binaries.initdb, [
      `--pgdata=${draft}`,
      `--username=${USER_NAME}`,
      `--pwfile=${join(folder, "password")}`,
      "--auth=scram-sha-256",
      // The password is random and long: to slow down guesses would only slow down each connection.
      "--set=scram_iterations=1",
      "--encoding=UTF8",
      // The same order and upper case on every system.
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      "--locale=C",
      // Where it listens is said with each start.
      "--set=listen_addresses=",
      "--set=unix_socket_directories=",
      "--set=log_checkpoints=off",
    ]);
    if (status !== 0) {
      throw new DatabaseError(
        "embedded_postgres",
        `initdb failed with status ${status} in ${folder}: check that the disk has 100 MB free and the folder can be written`,
      );
    }
    await rename(draft, data);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another process was first.
    if (!(await exists(join(data, "PG_VERSION")))) throw error;
  }
}

async function readOrCreatePassword(folder: string, user: SystemUser | undefined): Promise<string> {
  const file = join(folder, "password");
  if (!(await exists(file))) {
    const draft = join(folder, `password-${randomBytes(6).toString("hex")}`);
    await writeFile(draft, `${randomBytes(24).toString("base64url")}\n`, { mode: 0o600 });
    if (user) await chown(draft, user.uid, user.gid);
    // Appears complete or not at all; of two processes the first wins.
    await link(draft, file).catch(async (error: unknown) => {
      if (!(await exists(file))) throw error;
    });
    await unlink(draft);
  }
  return (await readFile(file, "utf8")).trim();
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
