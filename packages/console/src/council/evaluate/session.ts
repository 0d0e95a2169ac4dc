import { readStored, writeStored } from "../../parts/stored.ts";
import { Conductor } from "./asking/conductor.ts";
import type { Wait } from "./asking/pause.ts";
import { newEvaluation } from "./new-evaluation.ts";
import { openStorage, type Storage } from "./storage.ts";
import type { Ask, Cell, Evaluation } from "./types.ts";

/** What a screen shows of an evaluation. */
export interface Snapshot {
  readonly phase: "loading" | "missing" | "idle" | "running" | "stopping";
  readonly evaluation: Evaluation | undefined;
  readonly cells: ReadonlyMap<string, Cell>;
  /** What is waited for before anything is sent. */
  readonly wait: Wait | undefined;
  /** Another tab asks the questions. */
  readonly isElsewhere: boolean;
  /** Why what is there does not outlive the page. */
  readonly storageProblem: string | undefined;
}

type Message =
  | { readonly id: string; readonly kind: "cell"; readonly cell: Cell }
  | { readonly id: string; readonly kind: "definition"; readonly evaluation: Evaluation }
  | { readonly id: string; readonly kind: "phase" | "removed" };

/** Changes that come faster than this are drawn together; of many cells less often. */
const DRAW_MS = 100;
const DRAW_MS_PER_CELL = 0.2;
/** An edit of this size is also kept where a reload cannot interrupt it. */
const MAX_DRAFT_CHARS = 200_000;

const sessions = new Map<string, Session>();

/** One for each evaluation of this tab: it goes on while other screens are shown. */
export function sessionOf(id: string): Session {
  const session = sessions.get(id) ?? new Session(id);
  sessions.set(id, session);
  return session;
}

const tabs = new BroadcastChannel("mci-console-evaluations");
tabs.addEventListener("message", ({ data }: MessageEvent<Message>) => sessions.get(data.id)?.receive(data));

/** An evaluation in this tab: its text, its cells, and the asking of what is open. */
export class Session {
  readonly id: string;
  readonly #conductor: Conductor;
  readonly #listeners = new Set<() => void>();
  readonly #draftKey: string;
  #storage: Storage | undefined;
  #evaluation: Evaluation | undefined;
  #cells = new Map<string, Cell>();
  /** What stood in cells that are asked again, until their run is known. */
  readonly #replaced = new Map<string, Cell>();
  #isLoaded = false;
  #isElsewhere = false;
  #writeProblem: string | undefined;
  #patch: Partial<Evaluation> | undefined;
  #isWriting = false;
  #snapshot: Snapshot | undefined;
  #drawTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(id: string) {
    this.id = id;
    this.#draftKey = `evaluation ${id}`;
    this.#conductor = new Conductor(id, {
      report: (cell) => this.#put(cell),
      forget: (key) => this.#forget(key),
      onChange: () => {
        this.#changed();
        tabs.postMessage({ id, kind: "phase" } satisfies Message);
      },
    });
    void this.#load();
  }

  subscribe = (onChange: () => void): (() => void) => {
    this.#listeners.add(onChange);
    return () => this.#listeners.delete(onChange);
  };

  snapshot = (): Snapshot => {
    this.#snapshot ??= {
      phase: !this.#isLoaded ? "loading" : this.#evaluation === undefined ? "missing" : this.#conductor.phase,
      evaluation: this.#evaluation,
      cells: new Map(this.#cells),
      wait: this.#conductor.wait,
      isElsewhere: this.#isElsewhere,
      storageProblem: this.#writeProblem ?? this.#storage?.problem,
    };
    return this.#snapshot;
  };

  /** Changes some fields; what another tab changed in others stays. */
  edit(patch: Partial<Evaluation>): void {
    if (this.#evaluation === undefined) return;
    this.#evaluation = { ...this.#evaluation, ...patch };
    this.#patch = { ...this.#patch, ...patch };
    const draft = this.#patch;
    if ((draft.source?.length ?? 0) < MAX_DRAFT_CHARS) writeStored(this.#draftKey, draft);
    this.#draw();
    void this.#save();
  }

  /** Asks what is open of these. Answers false if another tab does so already. */
  start(asks: readonly Ask[]): Promise<boolean> {
    return this.#conductor.start(asks, this.#cells, this.#evaluation?.concurrency ?? 1);
  }

  /** Sends nothing more. What is in flight ends by itself. */
  stop(): void {
    this.#conductor.stop();
  }

  /** Ends the wait that the service asked for. */
  tryNow(): void {
    this.#conductor.tryNow();
  }

  /** Cancels what is in flight. */
  cancel(): Promise<void> {
    return this.#conductor.cancel([...this.#cells.values()]);
  }

  /** Asks for other answers. What is there stays until the new run is known; its own run stays in the history. */
  askAgain(asks: readonly Ask[]): Promise<boolean> {
    return this.#conductor.start(asks, this.#cells, this.#evaluation?.concurrency ?? 1, { again: true });
  }

  judge(key: string, person: Cell["person"]): void {
    const cell = this.#cells.get(key);
    if (cell) this.#put({ ...cell, ...(person ? { person } : {}) });
  }

  async remove(): Promise<void> {
    this.#conductor.stop();
    writeStored(this.#draftKey, undefined);
    await (await openStorage()).remove(this.id);
    this.#evaluation = undefined;
    this.#cells.clear();
    sessions.delete(this.id);
    tabs.postMessage({ id: this.id, kind: "removed" } satisfies Message);
    this.#draw();
  }

  receive(message: Message): void {
    if (message.kind === "cell") {
      this.#cells.set(message.cell.key, message.cell);
      this.#changed();
    } else if (message.kind === "definition") {
      this.#evaluation = { ...message.evaluation, ...this.#patch };
      this.#draw();
    } else if (message.kind === "removed") {
      this.#conductor.stop();
      this.#evaluation = undefined;
      this.#draw();
    } else void this.#lookElsewhere();
  }

  async #load(): Promise<void> {
    try {
      this.#storage = await openStorage();
      const stored = await this.#storage.read(this.id);
      const draft = readStored<Partial<Evaluation>>(this.#draftKey);
      // Of another version it may lack fields.
      this.#evaluation = stored && { ...newEvaluation(), ...stored, ...draft };
      for (const cell of await this.#storage.cells(this.id)) this.#cells.set(cell.key, cell);
      if (draft && stored) this.edit(draft);
    } catch (error) {
      this.#writeProblem = `The browser's storage cannot be read (${String(error)})`;
    }
    this.#isLoaded = true;
    await this.#lookElsewhere();
    this.#draw();
    if (!this.#isElsewhere) this.#conductor.collect([...this.#cells.values()]);
  }

  async #save(): Promise<void> {
    if (this.#isWriting) return;
    this.#isWriting = true;
    try {
      const storage = await openStorage();
      for (let patch = this.#patch; patch; patch = this.#patch) {
        const [own, changes] = [this.#evaluation, patch];
        if (own === undefined) return;
        const evaluation = await storage.change(this.id, (before) => ({ ...(before ?? own), ...changes }));
        tabs.postMessage({ id: this.id, kind: "definition", evaluation } satisfies Message);
        if (this.#patch === patch) {
          this.#patch = undefined;
          writeStored(this.#draftKey, undefined);
        }
      }
    } catch (error) {
      this.#failedToWrite(error);
    } finally {
      this.#isWriting = false;
    }
  }

  #put(cell: Cell): void {
    const before = this.#cells.get(cell.key);
    this.#cells.set(cell.key, cell);
    this.#changed();
    if (!isSent(cell)) {
      if (before && isSent(before)) this.#replaced.set(cell.key, before);
      return;
    }
    this.#replaced.delete(cell.key);
    tabs.postMessage({ id: this.id, kind: "cell", cell } satisfies Message);
    void openStorage()
      .then((storage) => storage.writeCell(this.id, cell))
      .catch((error: unknown) => this.#failedToWrite(error));
  }

  /** A cell that was not sent after all: what it had is there again. */
  #forget(key: string): void {
    const cell = this.#cells.get(key);
    if (cell === undefined || isSent(cell)) return;
    const before = this.#replaced.get(key);
    if (before) this.#cells.set(key, before);
    else this.#cells.delete(key);
    this.#replaced.delete(key);
    this.#changed();
  }

  #failedToWrite(error: unknown): void {
    this.#writeProblem = `The browser could not store the last results (${error instanceof Error ? error.message : String(error)}): export them before this page is closed`;
    this.#changed();
  }

  async #lookElsewhere(): Promise<void> {
    this.#isElsewhere = this.#conductor.phase === "idle" && (await this.#conductor.isHeldElsewhere());
    this.#changed();
  }

  #changed(): void {
    this.#drawTimer ??= setTimeout(() => this.#draw(), DRAW_MS + DRAW_MS_PER_CELL * this.#cells.size);
  }

  #draw(): void {
    clearTimeout(this.#drawTimer);
    this.#drawTimer = undefined;
    this.#snapshot = undefined;
    for (const listener of this.#listeners) listener();
  }
}

/** Without a run it is not known whether the request arrived. Asked with the same key, it is the same run. */
const isSent = ({ state, run_id }: Cell) => state !== "running" || run_id !== undefined;
