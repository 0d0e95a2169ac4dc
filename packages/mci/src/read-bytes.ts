import { read, readSync } from "node:fs";
import { promisify } from "node:util";

/** Bytes up to which a synchronous read is faster than a round trip through the thread pool. */
const MAX_SYNC_READ = 64 * 1024;
const MAX_CHUNK = 1024 * 1024;
const readAsync = promisify(read);

/** The next `size` bytes of an open file, or fewer if it ends before; of one whose end is not known, a chunk at a time. */
export async function readBytes(fd: number, size: number, maxChunk = MAX_CHUNK): Promise<Buffer> {
  if (size <= MAX_SYNC_READ) return readBytesSync(fd, size);
  const chunks: Buffer[] = [];
  for (let total = 0, count = -1; count !== 0 && total < size; total += count) {
    const chunk = Buffer.allocUnsafe(Math.min(maxChunk, size - total));
    count = (await readAsync(fd, chunk, 0, chunk.length, null)).bytesRead;
    chunks.push(chunk.subarray(0, count));
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

export function readBytesSync(fd: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  let total = 0;
  for (let count = -1; count !== 0 && total < size; total += count)
    count = readSync(fd, bytes, total, size - total, null);
  return bytes.subarray(0, total);
}
