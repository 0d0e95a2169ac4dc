import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { waitUntil } from "../wait.ts";
import { killAtExit } from "./children.ts";
import { freePort } from "./free-port.ts";
import { DATABASE, SERVICE_USER } from "./postgres-server.ts";
import { giveTo, type SystemUser } from "./system-user.ts";

/** pgbouncer in session mode, between one instance and the database. */
export interface Pooler {
  readonly port: number;
  start(): Promise<void>;
  kill(): void;
}

export interface PoolerOptions {
  readonly folder: string;
  readonly user: SystemUser | undefined;
  readonly password: string;
  /** Where it finds the database. */
  readonly databasePort: number;
  readonly logFile: string;
}

const PLACES = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/usr/local/bin/pgbouncer"];

export const findPooler = (): string | undefined => PLACES.find(existsSync);

export async function createPooler(program: string, options: PoolerOptions): Promise<Pooler> {
  const { folder, user, password, databasePort } = options;
  const port = await freePort();
  mkdirSync(folder, { mode: 0o700 });
  const users = join(folder, "users.txt");
  const settings = join(folder, "pgbouncer.ini");
  writeFileSync(users, `"${SERVICE_USER}" "${password}"\n`, { mode: 0o600 });
  writeFileSync(
    settings,
    `[databases]
${DATABASE} = host=127.0.0.1 port=${databasePort} dbname=${DATABASE}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = session
max_client_conn = 200
default_pool_size = 60
server_login_retry = 1
`,
  );
  for (const path of [folder, users, settings]) giveTo(user, path);
  let child: ChildProcess | undefined;
  return {
    port,
    async start() {
      const log = openSync(options.logFile, "a");
      const started = spawn(program, [settings], { cwd: folder, stdio: ["ignore", log, log], ...user });
      child = started;
      killAtExit(started);
      let output = true;
      started.once("exit", () => (output = false));
      if (!(await waitUntil(() => output, 1000))) throw new Error(`pgbouncer ended; see ${options.logFile}`);
    },
    kill: () => void child?.kill("SIGKILL"),
  };
}
