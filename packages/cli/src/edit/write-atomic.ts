import {
  chmodSync,
  closeSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Replaces a file's text in one step: a concurrent reader, or a crash, sees the old text or the new one, never a mix.
 * The mode stays, and a symbolic link stays a link. `beforeReplacing` may throw: then the file is as it was.
 */
export function writeAtomic(file: string, text: string, beforeReplacing: () => void = () => {}): void {
  const target = realpathSync(file);
  const { mode } = statSync(target);
  // In the same directory, since a rename cannot cross file systems.
  const temporary = join(dirname(target), `.${basename(target)}.${crypto.randomUUID()}.tmp`);
  try {
    const descriptor = openSync(temporary, "wx", mode);
    try {
      writeFileSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    chmodSync(temporary, mode); // The umask may have taken bits away.
    beforeReplacing();
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
