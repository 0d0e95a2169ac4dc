import { linkSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CliError } from "../cli-error.ts";

const RETRY_MS = 20;
const TIMEOUT_MS = 5_000;
/** The work under a lock takes milliseconds: a lock this old was left by a process that died. */
const ABANDONED_MS = 10_000;

/**
 * Runs `work`, which must not wait for anything, while no other process runs such work for the same file. A process that was suspended
 * meanwhile, or whose disk is slow, may have lost the lock: `work` calls `requireLock` right before it changes the file.
 */
export async function withFileLock<T>(file: string, work: (requireLock: () => void) => T): Promise<T> {
  const target = realpathSync(file);
  const lock = join(dirname(target), `.${basename(target)}.lock`);
  const id = `${process.pid} ${crypto.randomUUID()}\n`;
  const deadline = Date.now() + TIMEOUT_MS;
  while (!tryCreate(lock, id)) {
    removeIfAbandoned(lock);
    if (Date.now() > deadline) throw locked(lock);
    await sleep(RETRY_MS);
  }
  try {
    return work(() => {
      if (readIfExists(lock) !== id) throw locked(lock);
    });
  } finally {
    if (readIfExists(lock) === id) rmSync(lock, { force: true });
  }
}

function tryCreate(lock: string, id: string): boolean {
  try {
    writeFileSync(lock, id, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Renamed before it is removed: if another process was faster, what was renamed is its new lock, and goes back. */
function removeIfAbandoned(lock: string): void {
  try {
    if (Date.now() - statSync(lock).mtimeMs < ABANDONED_MS) return;
    const abandoned = readFileSync(lock, "utf8");
    const aside = `${lock}.${crypto.randomUUID()}`;
    renameSync(lock, aside);
    if (readFileSync(aside, "utf8") !== abandoned) linkSync(aside, lock);
    rmSync(aside, { force: true });
  } catch {
    // Removed by its owner or by another process meanwhile.
  }
}

function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function locked(lock: string): CliError {
  return new CliError("Another process is changing the file.", {
    hint: `Try again. If no other process runs, remove ${lock}.`,
  });
}
