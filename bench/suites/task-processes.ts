import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Database, openDatabase } from "../../packages/postgres/src/database/database.ts";
import { startEmbedded } from "../../packages/postgres/src/database/embedded/embedded.ts";

const program = fileURLToPath(
  new URL("../../packages/postgres/test/fixtures/task-instance.ts", import.meta.url),
);

export interface Ground {
  readonly folder: string;
  readonly db: Database;
  readonly url: string;
  /** Resolves when the instance takes work. */
  start(
    id: string,
    options?: { callsFile?: string; latencyMs?: number; maxTasks?: number },
  ): Promise<ChildProcess>;
}

/** One embedded PostgreSQL, and instances as processes of their own; all are gone afterwards. */
export async function onGround<T>(work: (ground: Ground) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "council-bench-"));
  const postgres = await startEmbedded(folder);
  const db = openDatabase(postgres.url, { applicationName: "council-bench" });
  const children: ChildProcess[] = [];
  try {
    return await work({ folder, db, url: postgres.url, start });
  } finally {
    for (const child of children) child.kill("SIGKILL");
    await db.close();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }

  async function start(
    id: string,
    { callsFile = "", latencyMs = 0, maxTasks = 12 } = {},
  ): Promise<ChildProcess> {
    const child = spawn(
      process.execPath,
      [program, postgres.url, id, callsFile, `${latencyMs}`, `${maxTasks}`],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    children.push(child);
    const [first] = await Promise.race([once(child.stdout!, "data"), once(child, "exit")]);
    if (!String(first).includes("ready")) throw new Error(`instance ${id} did not start: ${first}`);
    return child;
  }
}
