import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";

/** A file in vitest's JSON report; times in milliseconds. */
export interface TimedFile {
  readonly name: string;
  readonly startTime: number;
  readonly endTime: number;
}

/** What `test/durations.ts` writes for each file, in seconds. */
export interface FileCost {
  readonly file: string;
  readonly seconds: number;
  /** Processor time of the worker that ran the tests, and of the processes they started. */
  readonly worker: number;
  readonly children: number;
}

export function readCosts(path: string): FileCost[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

export function slowestByTime(files: readonly TimedFile[], count: number): string {
  const rows = files
    .map(({ name, startTime, endTime }) => ({ name, seconds: (endTime - startTime) / 1000 }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, count)
    .map(({ name, seconds }) => [name, seconds] as const);
  return table(`The ${rows.length} slowest test files, in seconds`, [], rows);
}

export function slowestByCpu(costs: readonly FileCost[], count: number): string {
  const cpu = ({ worker, children }: FileCost) => worker + children;
  const total = costs.reduce((sum, cost) => sum + cpu(cost), 0);
  const rows = costs
    .toSorted((a, b) => cpu(b) - cpu(a))
    .slice(0, count)
    .map((cost) => [cost.file, cpu(cost), cost.worker, cost.children, cost.seconds] as const);
  const title = `${costs.length} test files took ${total.toFixed(0)} processor seconds; the first ${rows.length}`;
  return table(title, ["processor", "worker", "children", "wall time"], rows);
}

function table(
  title: string,
  columns: readonly string[],
  rows: readonly (readonly [file: string, ...seconds: number[]])[],
): string {
  const lines = rows.map(
    ([file, ...seconds]) =>
      `${seconds.map((value) => value.toFixed(1).padStart(10)).join("")}  ${relative("", file)}`,
  );
  const head = columns.map((name) => name.padStart(10)).join("");
  return ["", title, ...(head ? [head] : []), ...lines].join("\n");
}
