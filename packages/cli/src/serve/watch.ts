import { type FSWatcher, watch as watchFolder } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fingerprint } from "./fingerprint.ts";

/** Where the system tells of no changes (network drives, too many watchers), they are found so often. */
const POLL_MS = 2000;
/** A file that is being written is left alone until it has been the same for so long. */
const SETTLE_MS = 60;

/** Files and folders to watch. Asked again after every change, since the files themselves say what else to watch. */
export type FilesToWatch = () => Promise<readonly string[]>;

/** Finds changes to what is in files, however an editor writes them. */
export class Watch {
  readonly #files: FilesToWatch;
  #paths: readonly string[];
  #seen: string;

  private constructor(files: FilesToWatch, paths: readonly string[], seen: string) {
    this.#files = files;
    this.#paths = paths;
    this.#seen = seen;
  }

  /** Notes how the files are now; to be called before they are loaded, so that no change is missed. */
  static async begin(files: FilesToWatch): Promise<Watch> {
    const paths = await files();
    return new Watch(files, paths, await fingerprint(paths));
  }

  /** Calls back after each change until the signal aborts. A change meanwhile is found afterwards. */
  async run(onChange: () => Promise<void>, signal: AbortSignal): Promise<void> {
    const bell = new Bell(signal);
    bell.hangOn(this.#paths);
    for (;;) {
      await bell.rung();
      if (signal.aborted) break;
      if (!(await this.#isChanged())) continue;
      this.#paths = await this.#files();
      this.#seen = await fingerprint(this.#paths);
      bell.hangOn(this.#paths);
      await onChange();
    }
    bell.close();
  }

  async #isChanged(): Promise<boolean> {
    let found = await fingerprint(this.#paths);
    if (found === this.#seen) return false;
    for (let before = ""; found !== before; ) {
      before = found;
      await sleep(SETTLE_MS);
      found = await fingerprint(this.#paths);
    }
    return true;
  }
}

/** Rings when something may have happened. */
class Bell {
  readonly #signal: AbortSignal;
  #watchers: FSWatcher[] = [];
  #wake: () => void = () => {};
  #isRinging = false;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener("abort", () => this.#wake(), { once: true });
  }

  /** Folders are watched, not files: many editors write a new file and put it in the old one's place. */
  hangOn(paths: readonly string[]): void {
    this.close();
    for (const folder of new Set(paths.flatMap((path) => [path, dirname(path)]))) {
      try {
        const watcher = watchFolder(folder, { persistent: false }, () => this.#ring());
        this.#watchers.push(watcher.on("error", () => watcher.close()));
      } catch {
        // It is not there yet, or there are too many watchers: looking now and then does as well.
      }
    }
  }

  /** Resolves at the next ring, or after a while without one. */
  async rung(): Promise<void> {
    if (!this.#isRinging && !this.#signal.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, POLL_MS).unref();
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#isRinging = false;
  }

  close(): void {
    for (const watcher of this.#watchers.splice(0)) watcher.close();
  }

  #ring(): void {
    this.#isRinging = true;
    this.#wake();
  }
}
