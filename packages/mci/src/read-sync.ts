import { readSync } from "node:fs";

/** Bytes up to which a synchronous read is faster than a round trip through the thread pool. */
export const MAX_SYNC_READ = 64 * 1024;

/** The next `size` bytes of an open file, or fewer if it ends before. */
export function readBytesSync(fd: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  let total = 0;
  for (let count = -1; count !== 0 && total < size; total += count)
    count = readSync(fd, bytes, total, size - total, null);
  return bytes.subarray(0, total);
}
