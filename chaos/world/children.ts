import type { ChildProcess } from "node:child_process";

const cleanUps = new Set<() => void>();
let listening = false;

/** Whatever ends the campaign ends its processes. */
export function killAtExit(child: ChildProcess): void {
  const forget = atExit(() => void child.kill("SIGKILL"));
  child.once("exit", forget);
}

/** Returns what undoes it. */
export function atExit(cleanUp: () => void): () => void {
  if (!listening) {
    listening = true;
    process.once("exit", () => {
      for (const each of [...cleanUps].reverse()) each();
    });
  }
  cleanUps.add(cleanUp);
  return () => void cleanUps.delete(cleanUp);
}
