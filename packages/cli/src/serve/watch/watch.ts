import { createHash } from "node:crypto";
import { type FSWatcher, watch as watchFolder } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** How often to look where the system reports no changes (network drives, too many watchers). */
const POLL_MS = 2000;
/** A file counts as written once it has not changed for this long. */
const SETTLE_MS = 60;

/** Files and folders to watch. Asked again after every change, since the files themselves say what else to watch. */
export type FilesToWatch = () => Promise<readonly string[]>;

/** Finds changes to what is in files, however an editor writes them. */
export class FileWatcher {
  readonly #files: FilesToWatch;
  #paths: readonly string[];
  #seen: string;

  private constructor(files: FilesToWatch, paths: readonly string[], seen: string) {
    this.#files = files;
    this.#paths = paths;
    this.#seen = seen;
  }

  /** Takes a fingerprint of the files; call it before they are loaded, so that no change is missed. */
  static async start(files: FilesToWatch): Promise<FileWatcher> {
    const paths = await files();
    return new FileWatcher(files, paths, await fingerprint(paths));
  }

  /** Calls back after each change until the signal aborts. A change during the callback is found afterwards. */
  async run(onChange: () => Promise<void>, signal: AbortSignal): Promise<void> {
    const notifier = new ChangeNotifier(signal);
    notifier.watch(this.#paths);
    for (;;) {
      await notifier.next();
      if (signal.aborted) break;
      if (!(await this.#isChanged())) continue;
      this.#paths = await this.#files();
      this.#seen = await fingerprint(this.#paths);
      notifier.watch(this.#paths);
      await onChange();
    }
    notifier.close();
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

/** Resolves `next` when a watched folder may have changed. */
class ChangeNotifier {
  readonly #signal: AbortSignal;
  #watchers: FSWatcher[] = [];
  #wake: () => void = () => {};
  #isPending = false;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener("abort", () => this.#wake(), { once: true });
  }

  /** Watches folders, not files: many editors write a new file and rename it over the old one. */
  watch(paths: readonly string[]): void {
    this.close();
    for (const folder of new Set(paths.flatMap((path) => [path, dirname(path)]))) {
      try {
        const watcher = watchFolder(folder, { persistent: false }, () => this.#notify());
        this.#watchers.push(watcher.on("error", () => watcher.close()));
      } catch {
        // It does not exist yet, or there are too many watchers: polling finds the change as well.
      }
    }
  }

  /** Resolves at the next notification, or after the polling interval. */
  async next(): Promise<void> {
    if (!this.#isPending && !this.#signal.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, POLL_MS).unref();
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#isPending = false;
  }

  close(): void {
    for (const watcher of this.#watchers.splice(0)) watcher.close();
  }

  #notify(): void {
    this.#isPending = true;
    this.#wake();
  }
}

/** A hash of files and of the names in folders. Whatever does not exist counts as empty. */
async function fingerprint(paths: readonly string[]): Promise<string> {
  const hash = createHash("sha256");
  for (const content of await Promise.all(paths.map(contentOf))) {
    hash.update(`${content.length}:`).update(content);
  }
  return hash.digest("base64");
}

async function contentOf(path: string): Promise<string | Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EISDIR") return "";
  }
  // Cached tool lists in `mcp` are written by loading itself.
  const names = await readdir(path).catch(() => []);
  return names
    .filter((name) => name !== "mcp")
    .sort()
    .join("/");
}
