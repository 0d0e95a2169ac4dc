import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TaskSpec } from "@mci-ts/council";
import { expect } from "vitest";
import { fixtureProgram } from "../../../test/programs/programs.ts";
import { hanoiModel } from "../../council/test/hanoi.ts";
import { openDatabase } from "../src/database/database.ts";
import { migrate } from "../src/database/migrate.ts";
import { NO_CHARGES } from "../src/tasks/plan/plan-progress.ts";
import { createTaskStore } from "../src/tasks/store/task-store.ts";
import { TASK_TABLES } from "../src/tasks/store/task-tables.ts";
import { createTestDatabase } from "./database.ts";
import type { TaskInstanceOptions } from "./fixtures/task-instance.ts";
import { testEngine } from "./task-engine.ts";
import { until } from "./until.ts";

/** A loaded machine is slow: the limits are only there so that a test that hangs ends. */
export const WAIT_MS = 120_000;

const program = fixtureProgram("packages/council-postgres/test/fixtures/task-instance.ts");

export interface TaskProcess {
  readonly id: string;
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly exited: Promise<number | null>;
}

/** An empty database, and instances on it that are processes of their own. */
export async function createTaskProcesses() {
  const url = await createTestDatabase();
  const db = openDatabase(url, { applicationName: "observer" });
  const folder = mkdtempSync(join(tmpdir(), "council-tasks-"));
  const callsFile = join(folder, "calls");
  const children: ChildProcess[] = [];
  const killAll = () => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
  };
  await migrate(db, TASK_TABLES);
  const store = createTaskStore(db);

  return {
    url,
    db,
    killAll,
    async close(): Promise<void> {
      killAll();
      await db.close();
      rmSync(folder, { recursive: true, force: true });
    },
    /** Resolves when the instance takes work. */
    async start(id: string, options: TaskInstanceOptions = {}, address = url): Promise<TaskProcess> {
      const child = spawn(process.execPath, [
        program,
        address,
        id,
        JSON.stringify({ callsFile, ...options }),
      ]);
      children.push(child);
      let output = "";
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
      const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
      const ended = exited.then((code) => expect.fail(`instance ${id} ended with ${code}: ${output}`));
      await Promise.race([until(async () => output.includes("ready"), WAIT_MS), ended]).catch((error) =>
        expect.fail(`${error.message}: ${output}`),
      );
      ended.catch(() => undefined);
      return { id, child, output: () => output, exited };
    },
    /** On the queue, as after a request: any instance takes it. */
    async store(id: string, spec: TaskSpec, workflowVersion = 2): Promise<void> {
      const engine = await testEngine(hanoiModel({ errorRate: 0 }));
      const progress = spec.kind === "steps" ? engine.steps(spec).start() : NO_CHARGES;
      await store.insert({ id, spec, progress, workflowVersion });
    },
    find: store.find,
    steps: store.steps,
    untilComplete: (id: string) =>
      until(async () => {
        const { status, error } = await store.find(id);
        if (status === "failed" || status === "paused") expect.fail(`${status}: ${JSON.stringify(error)}`);
        return status === "complete";
      }, WAIT_MS),
    /** What was asked of the model, and by which instance. */
    calls(): { readonly work: string; readonly instance: string }[] {
      if (!existsSync(callsFile)) return [];
      return readFileSync(callsFile, "utf8")
        .trim()
        .split("\n")
        .map((line) => {
          const [work = "", instance = ""] = line.split(" ");
          return { work, instance };
        });
    },
  };
}
