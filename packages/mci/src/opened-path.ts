import { readlinkSync } from "node:fs";

/** Where an open file lies now, symbolic links resolved. Only Linux says so: undefined elsewhere. */
export function openedPath(fd: number): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return undefined;
  }
}
