import type { History } from "./load/history.ts";

/** One line on a terminal, written over; in a file a line for each fault. */
export function createProgress(seconds: number) {
  const started = performance.now();
  const terminal = process.stderr.isTTY === true;
  return {
    show(text: string, { tasks, runs, resumed, violations }: History): void {
      const now = Math.round((performance.now() - started) / 1000);
      const done = tasks.filter(({ end }) => end !== undefined).length;
      const line = `${now}/${seconds} s  ${text.padEnd(24)} ${done} of ${tasks.length} tasks over, ${resumed} resumed, ${runs.length} runs, ${violations.length} found`;
      process.stderr.write(terminal ? `\r\x1b[K${line}` : `${line}\n`);
    },
    end: () => void (terminal && process.stderr.write("\r\x1b[K")),
  };
}
