import { readFileSync } from "node:fs";
import { withFileLock } from "./file-lock.ts";
import { writeAtomic } from "./write-atomic.ts";

/**
 * Replaces the file's text if it is still the expected one; false if it is not. The comparison and the replacement are one
 * step for every process that changes files this way, so of two edits of the same text one wins and the other is told.
 */
export async function replaceIfUnchanged(
  file: string,
  text: string,
  isExpected: (current: string) => boolean,
): Promise<boolean> {
  return withFileLock(file, (requireLock) => {
    if (!isExpected(readFileSync(file, "utf8"))) return false;
    writeAtomic(file, text, requireLock);
    return true;
  });
}
