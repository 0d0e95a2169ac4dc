import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { atExit } from "./children.ts";

/** The disk of the database: small enough to be filled, where this user may mount one. */
export interface Disk {
  readonly folder: string;
  /** Why it cannot be filled. */
  readonly unfillable?: string;
  fill(): void;
  free(): void;
  unmount(): void;
}

const MEGABYTES = 1500;

export function createDisk(folder: string): Disk {
  mkdirSync(folder, { mode: 0o755 });
  const ballast = join(folder, "ballast");
  const unfillable = mount(folder);
  const unmount = () => {
    if (unfillable === undefined) execFileSync("umount", ["-l", folder]);
  };
  const forget = atExit(unmount);
  return {
    folder,
    ...(unfillable === undefined ? {} : { unfillable }),
    fill() {
      const file = openSync(ballast, "w");
      const zeros = Buffer.alloc(1024 * 1024);
      try {
        for (let size = zeros.length; size >= 4096; ) {
          try {
            if (writeSync(file, zeros, 0, size) < size) size /= 2;
          } catch {
            size /= 2;
          }
        }
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(ballast, { force: true }),
    unmount() {
      forget();
      unmount();
    },
  };
}

function mount(folder: string): string | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0)
    return "only root on Linux may mount a small disk";
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${MEGABYTES}m,mode=0755`, "none", folder], {
      stdio: "pipe",
    });
    return undefined;
  } catch {
    return "this machine does not let root mount a small disk";
  }
}
