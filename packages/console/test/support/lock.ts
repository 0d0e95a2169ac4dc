import { mkdirSync, rmdirSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const LOCK_TIMEOUT_MS = 120_000;

/** Does this while no other process does the same: a folder is the lock. */
export async function withLock<T>(folder: string, action: () => Promise<T>): Promise<T> {
  const since = Date.now();
  while (!tryLock(folder)) {
    if (Date.now() - since > LOCK_TIMEOUT_MS) throw new Error(`${folder} is locked for too long.`);
    await sleep(200);
  }
  try {
    return await action();
  } finally {
    rmdirSync(folder);
  }
}

function tryLock(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    // Left behind by a process that was killed.
    const made = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - made > LOCK_TIMEOUT_MS) rmdirSync(folder);
    return false;
  }
}
