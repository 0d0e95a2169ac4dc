import { ApiError, send } from "../../../api/http.ts";
import type { Ask, Cell } from "../types.ts";
import { askCell, isOpen } from "./ask-cell.ts";
import { followRun } from "./ask-run.ts";
import { Pause, type Pauses, type Wait } from "./pause.ts";
import { cellOf } from "./read-cell.ts";
import { RunEnds } from "./run-ends.ts";

interface ConductorOptions {
  readonly report: (cell: Cell) => void;
  /** What was not sent when it was stopped. */
  readonly forget: (key: string) => void;
  readonly onChange: () => void;
}

/** Asks the open cells of one evaluation, some at a time, in one tab at a time. */
export class Conductor {
  readonly #id: string;
  readonly #options: ConductorOptions;
  readonly #pauses: Pauses;
  /** What is in flight: until a run is known, it can be taken back. */
  readonly #inFlight = new Map<string, { readonly controller: AbortController; isSent: boolean }>();
  #queue: Ask[] = [];
  /** Which of the queue have an answer that is to be replaced. */
  readonly #again = new Set<string>();
  #phase: "idle" | "running" | "stopping" = "idle";

  constructor(id: string, options: ConductorOptions) {
    this.#id = id;
    this.#options = options;
    this.#pauses = { everything: new Pause(options.onChange), sending: new Pause(options.onChange) };
  }

  get phase(): "idle" | "running" | "stopping" {
    return this.#phase;
  }

  get wait(): Wait | undefined {
    const { everything, sending } = this.#pauses;
    return this.#phase === "running" ? (everything.wait ?? sending.wait) : everything.wait;
  }

  get #lock(): string {
    return `mci-console-evaluation ${this.#id}`;
  }

  /** False if another tab asks already. Without a secure context there are no locks; the keys of the requests remain. */
  async start(
    asks: readonly Ask[],
    cells: ReadonlyMap<string, Cell>,
    concurrency: number,
    { again = false } = {},
  ): Promise<boolean> {
    const open = asks.filter((ask) =>
      again ? cells.get(ask.key)?.state !== "running" : isOpen(ask, cells.get(ask.key)),
    );
    if (this.#phase === "running") {
      this.#queue.push(...open.filter(({ key }) => !this.#queue.some((each) => each.key === key)));
      if (again) for (const { key } of open) this.#again.add(key);
      return true;
    }
    if (this.#phase === "stopping" || open.length === 0) return this.#phase !== "stopping";
    this.#phase = "running";
    // What was waited for before may be over.
    this.tryNow();
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const run = async () => {
      resolve(true);
      this.#queue = open;
      this.#options.onChange();
      await this.#askAll(cells, concurrency, again);
    };
    void this.#locked(run).then((isRun) => {
      this.#phase = "idle";
      this.#options.onChange();
      resolve(isRun);
    });
    return promise;
  }

  stop(): void {
    if (this.#phase !== "running") return;
    this.#phase = "stopping";
    this.#queue = [];
    for (const { controller, isSent } of this.#inFlight.values()) if (!isSent) controller.abort();
    this.#options.onChange();
  }

  tryNow(): void {
    for (const pause of Object.values(this.#pauses)) pause.end();
  }

  async cancel(cells: readonly Cell[]): Promise<void> {
    this.stop();
    await Promise.all(
      cells.flatMap(({ state, run_id }) =>
        state === "running" && run_id !== undefined
          ? [send(`runs/${encodeURIComponent(run_id)}`, { method: "DELETE" }).catch(() => undefined)]
          : [],
      ),
    );
  }

  /** Fetches what was in flight when the page was left. It costs nothing: these runs were asked. */
  collect(cells: readonly Cell[]): void {
    const left = cells.filter(({ state, run_id }) => state === "running" && run_id !== undefined);
    if (left.length === 0) return;
    const ends = new RunEnds();
    const { signal } = new AbortController();
    const options = { pauses: this.#pauses, signal, nextLook: ends.nextLook.bind(ends) };
    void Promise.all(
      left.map(async (cell) => {
        const onProgress = (replies: number) => this.#options.report({ ...cell, replies });
        try {
          const run = await followRun(cell.run_id!, { ...options, onProgress, onStart: () => {} });
          this.#options.report(run ? cellOf(cell, run) : lostCell(cell));
        } catch (error) {
          if (error instanceof ApiError)
            this.#options.report({
              ...cell,
              state: "failed",
              error: { code: error.code, message: error.message },
            });
        }
      }),
    ).finally(() => ends.close());
  }

  async isHeldElsewhere(): Promise<boolean> {
    const held = (await navigator.locks?.query())?.held ?? [];
    return held.some(({ name }) => name === this.#lock);
  }

  async #locked(work: () => Promise<void>): Promise<boolean> {
    if (!navigator.locks) {
      await work();
      return true;
    }
    return navigator.locks.request(this.#lock, { ifAvailable: true }, async (lock) => {
      if (lock === null) return false;
      await work();
      return true;
    });
  }

  async #askAll(cells: ReadonlyMap<string, Cell>, concurrency: number, again: boolean): Promise<void> {
    const ends = new RunEnds();
    const work = async () => {
      for (let ask = this.#queue.shift(); ask; ask = this.#queue.shift()) {
        const cell = cells.get(ask.key);
        const isNew = again || this.#again.delete(ask.key);
        await this.#ask(ask, isNew && cell ? nextAttempt(cell) : cell, ends);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    ends.close();
  }

  async #ask(ask: Ask, before: Cell | undefined, ends: RunEnds): Promise<void> {
    const controller = new AbortController();
    const flight = { controller, isSent: false };
    this.#inFlight.set(ask.key, flight);
    const report = (cell: Cell) => {
      if (cell.run_id !== undefined) flight.isSent = true;
      this.#options.report(cell);
    };
    const { signal } = controller;
    const options = { pauses: this.#pauses, signal, nextLook: ends.nextLook.bind(ends) };
    try {
      await askCell(this.#id, ask, before, report, options);
    } catch {
      // Taken back before it was sent.
      this.#options.forget(ask.key);
    } finally {
      this.#inFlight.delete(ask.key);
    }
  }
}

/** Another attempt is another run. */
const nextAttempt = ({ key, attempt }: Cell): Cell => ({ key, state: "failed", attempt: attempt + 1 });

const lostCell = ({ key, attempt }: Cell): Cell => ({
  key,
  attempt,
  state: "failed",
  error: {
    code: "interrupted",
    message: "The service does not know this run any more. It can be asked again.",
  },
});
