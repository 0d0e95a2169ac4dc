import { Worker } from "node:worker_threads";
import { processCpuMs } from "../cpu-time.ts";

export interface Regex {
  readonly source: string;
  readonly flags: string;
}

/** A regular expression that takes more than linear time, and the beginning of a text that shows it. */
export interface Slow<R extends Regex> {
  readonly regex: R;
  readonly text: string;
}

/** One text may take this much processor time; a linear pattern reads it in milliseconds. */
const MAX_CPU_MS = 300;
const CHECK_INTERVAL_MS = 200;

/** The regular expressions whose time grows faster than the text. Each one that never ends is stopped and counted. */
export async function sweep<R extends Regex>(regexes: readonly R[]): Promise<Slow<R>[]> {
  const slow: Slow<R>[] = [];
  const same = Map.groupBy(regexes, ({ source, flags }) => `/${source}/${flags}`);
  const different = [...same.values()].map(([first]) => first!);
  for (let from = 0; from < different.length; ) {
    const { next, found } = await sweepFrom(different, from);
    slow.push(...found);
    from = next;
  }
  return slow.flatMap(({ regex: { source, flags }, text }) =>
    same.get(`/${source}/${flags}`)!.map((regex) => ({ regex, text })),
  );
}

function sweepFrom<R extends Regex>(
  regexes: readonly R[],
  from: number,
): Promise<{ next: number; found: Slow<R>[] }> {
  return new Promise((resolve, reject) => {
    const found: Slow<R>[] = [];
    let current = from;
    const progress = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(new URL("./measure.ts", import.meta.url), {
      workerData: { regexes: regexes.map(({ source, flags }) => ({ source, flags })), from, progress },
    });
    worker.on("message", ({ index, attack }: { index: number; attack?: string }) => {
      current = index;
      if (attack !== undefined) found.push({ regex: regexes[index]!, text: attack });
    });
    let last = 0;
    let lastCpu = processCpuMs();
    const timer = setInterval(() => {
      const count = Atomics.load(progress, 0);
      if (count !== last || count === 0) {
        last = count;
        lastCpu = processCpuMs();
      } else if (processCpuMs() - lastCpu > MAX_CPU_MS) {
        found.push({ regex: regexes[current]!, text: "(never ended)" });
        void worker.terminate().then(() => resolve({ next: current + 1, found }));
      }
    }, CHECK_INTERVAL_MS);
    worker.on("error", reject);
    worker.on("exit", (code) => {
      clearInterval(timer);
      if (code === 0) resolve({ next: regexes.length, found });
    });
  });
}
