import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { isAlive } from "@mci-ts/primitives/is-alive";
import { MCIClientError } from "../../errors.ts";
import { checkPlan, type Plan } from "./plan.ts";
import { beganError, type Journal, type JournalRecord, type PlanStore } from "./plan-store.ts";

/** Plans in a folder: `ID.json` is the plan, `ID.jsonl` its journal. Readable by their owner only: they hold inputs and results. */
export class FolderPlanStore implements PlanStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async save(plan: Plan): Promise<void> {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const path = this.#path(plan.id, "json");
    const temporary = `${path}.${process.pid}.tmp`;
    writeFileSync(temporary, JSON.stringify(plan, null, 2), { mode: 0o600, flush: true });
    renameSync(temporary, path);
  }

  async ids(): Promise<string[]> {
    try {
      return readdirSync(this.#folder).flatMap((name) => /^(plan-[0-9a-f]{32})\.json$/.exec(name)?.[1] ?? []);
    } catch (error) {
      // Nothing was planned yet.
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
      throw error;
    }
  }

  async isBusy(id: string): Promise<boolean> {
    const owner = readOwner(this.#path(id, "lock"));
    return owner !== undefined && isAlive(owner);
  }

  async discard(id: string): Promise<void> {
    const journal = await this.open(id);
    try {
      if ((await this.states(id)).size > 0) throw beganError(id);
      for (const extension of ["json", "jsonl"]) rmSync(this.#path(id, extension), { force: true });
    } finally {
      await journal.close();
    }
  }

  async load(id: string): Promise<Plan> {
    let plan: unknown;
    try {
      plan = JSON.parse(readFileSync(this.#path(id, "json"), "utf8"));
    } catch (cause) {
      if (cause instanceof MCIClientError) throw cause;
      if (cause instanceof SyntaxError)
        throw new MCIClientError("plan_changed", `The plan '${id}' is not as it was made: it is not JSON.`);
      throw new MCIClientError("plan_not_found", `There is no plan '${id}'.`, { cause });
    }
    return checkPlan(plan as Plan, id);
  }

  /** A line that was cut by a crash never took effect: it is written before. */
  async states(id: string): Promise<Map<number, JournalRecord>> {
    let text = "";
    try {
      text = readFileSync(this.#path(id, "jsonl"), "utf8");
    } catch {}
    const states = new Map<number, JournalRecord>();
    for (const line of text.split("\n")) {
      try {
        const record = JSON.parse(line) as JournalRecord;
        states.set(record.entry, record);
      } catch {}
    }
    return states;
  }

  async open(id: string): Promise<Journal> {
    const lock = this.#path(id, "lock");
    takeLock(lock, id);
    try {
      const file = await open(this.#path(id, "jsonl"), "a", 0o600);
      // A line that was cut must not swallow the next one.
      await file.write("\n");
      return {
        async write(record) {
          await file.write(`${JSON.stringify({ ...record, at: new Date().toISOString() })}\n`);
          await file.datasync();
        },
        async close() {
          await file.close();
          rmSync(lock, { force: true });
        },
      };
    } catch (error) {
      rmSync(lock, { force: true });
      throw error;
    }
  }

  #path(id: string, extension: string): string {
    if (!/^plan-[0-9a-f]{32}$/.test(id))
      throw new MCIClientError("plan_not_found", `'${id}' is not the id of a plan.`);
    return join(this.#folder, `${id}.${extension}`);
  }
}

/** The lock of a process that is gone is taken over. */
function takeLock(path: string, id: string): void {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      writeFileSync(path, String(process.pid), { flag: "wx", mode: 0o600 });
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const owner = readOwner(path);
    if (owner !== undefined && isAlive(owner)) break;
    rmSync(path, { force: true });
  }
  throw new MCIClientError("plan_busy", `The plan '${id}' is being committed by another process.`);
}

/** Undefined: its process was killed before it wrote its number, or the lock is gone. */
function readOwner(path: string): number | undefined {
  try {
    return Number(readFileSync(path, "utf8")) || undefined;
  } catch {
    return undefined;
  }
}
