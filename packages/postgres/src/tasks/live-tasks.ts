import type { WhileAlive } from "../instances/fencing.ts";
import { type Progress, readControls, saveProgress } from "./task-rows.ts";

/** Tasks that run in this process: what is shown of them, and what people want of them. */
export interface LiveTasks {
  /** Begins or goes on with a segment; the entry is the same until all that entered have left. */
  enter(id: string, segment: number): LiveTask;
  leave(task: LiveTask): void;
  /** Passes a wish on at once; other instances see it with their next report. */
  control(id: string, wish: "pause" | "cancel"): void;
  readonly size: number;
  close(): Promise<void>;
}

export interface LiveTask {
  readonly signal: AbortSignal;
  readonly pauseWanted: boolean;
  report(progress: Progress): void;
}

const REPORT_MS = 500;
/** The rate is that of the last ten seconds. */
const WINDOW_MS = 10_000;

export function createLiveTasks(whileAlive: WhileAlive, log: (message: string) => void): LiveTasks {
  const entries = new Map<string, TaskEntry>();
  let reporting: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    reporting = reporting.then(report);
  }, REPORT_MS);
  timer.unref();
  return {
    enter(id, segment) {
      const key = `${id}.${segment}`;
      const entry = entries.get(key) ?? new TaskEntry(id, segment);
      entries.set(key, entry);
      entry.users++;
      return entry;
    },
    leave(task) {
      const entry = task as TaskEntry;
      if (--entry.users === 0) entries.delete(`${entry.id}.${entry.segment}`);
    },
    control(id, wish) {
      for (const entry of entries.values()) if (entry.id === id) entry.wish(wish);
    },
    get size() {
      return entries.size;
    },
    async close() {
      clearInterval(timer);
      await reporting;
    },
  };

  async function report(): Promise<void> {
    const now = performance.now();
    const all = [...entries.values()].flatMap((entry) => entry.snapshot(now) ?? []);
    if (entries.size === 0) return;
    try {
      const ids = [...entries.values()].map(({ id }) => id);
      const controls = await whileAlive(async (db) => {
        if (all.length > 0) await saveProgress(db, all);
        return readControls(db, ids);
      });
      for (const { id, segment, control } of controls)
        if (control !== null) entries.get(`${id}.${segment}`)?.wish(control);
    } catch (error) {
      log(`progress of tasks could not be saved: ${(error as Error).message}`);
    }
  }
}

class TaskEntry implements LiveTask {
  readonly id: string;
  readonly segment: number;
  pauseWanted = false;
  users = 0;
  readonly #controller = new AbortController();
  readonly #window: { readonly at: number; readonly step: number }[] = [];
  #progress: Progress | undefined;

  constructor(id: string, segment: number) {
    this.id = id;
    this.segment = segment;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  wish(wish: "pause" | "cancel"): void {
    if (wish === "pause") this.pauseWanted = true;
    else this.#controller.abort();
  }

  report(progress: Progress): void {
    this.#progress = progress;
  }

  snapshot(now: number) {
    const progress = this.#progress;
    if (progress === undefined) return undefined;
    const { step } = progress;
    while ((this.#window[0]?.at ?? now) < now - WINDOW_MS) this.#window.shift();
    this.#window.push({ at: now, step });
    const [first] = this.#window;
    const seconds = (now - first!.at) / 1000;
    const rate = seconds === 0 ? 0 : (step - first!.step) / seconds;
    return { id: this.id, segment: this.segment, step, progress, rate };
  }
}
