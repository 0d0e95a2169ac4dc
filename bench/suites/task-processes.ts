import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Database, openDatabase } from "../../packages/council-postgres/src/database/database.ts";
import { startEmbedded } from "../../packages/council-postgres/src/database/embedded/embedded.ts";
import type { TaskInstanceOptions } from "../../packages/council-postgres/test/fixtures/task-instance.ts";

const program = fileURLToPath(
  new URL("../../packages/council-postgres/test/fixtures/task-instance.ts", import.meta.url),
);

export interface TaskDatabase {
  readonly folder: string;
  readonly db: Database;
  readonly url: string;
  /** Resolves when the instance takes work. */
  start(id: string, options?: TaskInstanceOptions): Promise<ChildProcess>;
}

/** One embedded PostgreSQL, and instances as processes of their own; all are gone afterwards. */
export async function withTaskDatabase<T>(work: (database: TaskDatabase) => Promise<T>): Promise<T> {
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

  async function start(id: string, options: TaskInstanceOptions = {}): Promise<ChildProcess> {
    const args = [program, postgres.url, id, JSON.stringify({ latencyMs: 0, ...options })];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    children.push(child);
    let output = "";
    const ready = new Promise<boolean>((resolve) => {
      child.stdout!.on("data", (text) => {
        output += text;
        if (output.includes("ready")) resolve(true);
      });
      child.once("exit", () => resolve(false));
    });
    if (!(await ready)) throw new Error(`instance ${id} did not start: ${output}`);
    return child;
  }
}
