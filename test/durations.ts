/**
 * Setup file of `npm test -- --durations`: appends to a file what each test file cost, in processor seconds of its worker
 * and of the processes it started. Wall time alone says little on a busy machine.
 */
import { appendFileSync, readFileSync } from "node:fs";
import { afterAll, expect } from "vitest";

const output = process.env["MCI_TEST_DURATIONS"]!;
const began = Date.now();
// Unit tests share a worker: its start counts for the first of them.
const SEEN = Symbol.for("mci-ts durations");
const isFirst = Reflect.get(globalThis, SEEN) === undefined;
Reflect.set(globalThis, SEEN, true);
const before = isFirst ? { worker: 0, children: 0 } : cpuSeconds();

afterAll(() => {
  const after = cpuSeconds();
  const cost = {
    file: expect.getState().testPath,
    seconds: (Date.now() - began) / 1000,
    worker: after.worker - before.worker,
    children: after.children - before.children,
  };
  appendFileSync(output, `${JSON.stringify(cost)}\n`);
});

/** Since the start of this process. Only Linux tells about children; they count once they have ended. */
function cpuSeconds(): { worker: number; children: number } {
  if (process.platform !== "linux") {
    const { user, system } = process.cpuUsage();
    return { worker: (user + system) / 1e6, children: 0 };
  }
  const stat = readFileSync("/proc/self/stat", "latin1");
  // utime, stime, cutime and cstime, in hundredths of a second, counted from behind the command's name.
  const [user, system, childUser, childSystem] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 15)
    .map((ticks) => Number(ticks) / 100);
  return { worker: user! + system!, children: childUser! + childSystem! };
}
