import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compare, median } from "../measure.ts";
import { micro, type Row, type Suite } from "../suite.ts";
import { GREET, startHttp, startStdio, type Target } from "./serve-load.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const MCI = join(root, "packages/cli/bin/mci.cjs");
const BARE = fileURLToPath(new URL("serve-bare.ts", import.meta.url));

/** Calls for the look at memory; `BENCH_CALLS=100000 npm run bench -- serve` takes longer and says more. */
const MEMORY_CALLS = Number(process.env.BENCH_CALLS ?? 20_000);
const CALL = { name: "greet", arguments: { who: "Ada" } };

export const suite: Suite = {
  title: "mci run",
  about:
    "Bare is the same SDK server with a handler that returns a constant sentence, each in its own process, called in turns with the protocol of " +
    "2026-07-28. Over HTTP each concurrent client has its own connection; over stdio there is one client with that many calls in flight.",
  async run() {
    execFileSync(process.execPath, ["scripts/build.ts", "packages/cli"], { cwd: root, stdio: "ignore" });
    const directory = mkdtempSync(join(tmpdir(), "mci-bench-"));
    try {
      return [...(await calls(directory)), await listing(directory), ...(await memory(directory))];
    } finally {
      rmSync(directory, { recursive: true });
    }
  },
};

/** Where the system happens to place a process matters as much as what it does, so several are started, one after the other. */
const STARTS = 3;

async function calls(directory: string): Promise<Row[]> {
  const cwd = project(directory, 1);
  const rows: Row[] = [];
  for (const transport of ["stdio", "http"] as const) {
    const found = new Map<number, Sides[]>([1, 10, 100].map((concurrency) => [concurrency, []]));
    for (let start = 0; start < STARTS; start++) {
      const [bare, ours] =
        transport === "stdio"
          ? [startStdio([BARE], cwd), startStdio([MCI, "run"], cwd)]
          : await Promise.all([startHttp([BARE, "http"], cwd), startHttp([MCI, "run", "--http", "0"], cwd)]);
      for (const target of [bare, ours]) await warmUp(target);
      for (const [concurrency, sides] of found)
        sides.push(await measureSides(transport, bare, ours, concurrency));
      bare.close();
      ours.close();
    }
    for (const [concurrency, sides] of found) rows.push(...rowsOf(transport, concurrency, sides));
  }
  return rows;
}

/** A server runs for hours; what counts is how it runs once its code is compiled. */
async function warmUp(target: Target): Promise<void> {
  for (let round = 0; round < 100; round++)
    await Promise.all(Array.from({ length: 30 }, () => target.request("tools/call", CALL)));
}

/** Microseconds for one call and of the slowest in a hundred, bare and ours, and their ratios. */
type Sides = Record<"call" | "p99", { readonly bare: number; readonly ours: number; readonly ratio: number }>;

async function measureSides(
  transport: "stdio" | "http",
  bare: Target,
  ours: Target,
  concurrency: number,
): Promise<Sides> {
  // Short rounds in turns: what else the machine does then hits both sides alike.
  const plan = { calls: transport === "stdio" ? 500 : 200, concurrency, rounds: 21 };
  const times: Record<"bare" | "ours", number[]> = { bare: [], ours: [] };
  const timed = (target: Target, into: number[]) => async () => {
    const start = performance.now();
    await target.request("tools/call", CALL);
    into.push((performance.now() - start) * 1000);
  };
  const call = await compare(timed(bare, times.bare), timed(ours, times.ours), plan);
  const [slowBare, slowOurs] = [p99s(times.bare, plan.calls), p99s(times.ours, plan.calls)];
  return {
    call: { bare: call.bare.median, ours: call.ours.median, ratio: call.ratio },
    p99: {
      bare: median(slowBare),
      ours: median(slowOurs),
      ratio: median(slowOurs.map((slow, round) => slow / (slowBare[round] ?? Number.NaN))),
    },
  };
}

function rowsOf(transport: string, concurrency: number, sides: readonly Sides[]): Row[] {
  const perSecond = (microseconds: number) =>
    `${Math.round(1_000_000 / microseconds).toLocaleString("en")}/s`;
  const row = (what: "call" | "p99", title: string, print: (microseconds: number) => string): Row => ({
    what: `${transport}, ${concurrency} ${concurrency === 1 ? "client" : "clients"}: ${title}`,
    bare: print(median(sides.map((side) => side[what].bare))),
    ours: print(median(sides.map((side) => side[what].ours))),
    ratio: median(sides.map((side) => side[what].ratio)),
    target: 1.2,
  });
  return [row("call", "calls", perSecond), row("p99", "p99", micro)];
}

/** Of each round but the first, which warms up: the time that one call in a hundred exceeds. */
function p99s(times: readonly number[], calls: number): number[] {
  const rounds = Array.from({ length: times.length / calls }, (_, round) =>
    times.slice(round * calls, (round + 1) * calls).sort((a, b) => a - b),
  );
  return rounds.slice(1).map((round) => round[Math.floor(calls * 0.99)] ?? Number.NaN);
}

/** The first page of a big file against the only page of a small one. */
async function listing(directory: string): Promise<Row> {
  const [few, many] = await Promise.all(
    [100, 10_000].map((count) => startHttp([MCI, "run", "--http", "0"], project(directory, count))),
  );
  const list = (target: Target) => () => target.request("tools/list", {});
  const result = await compare(list(few!), list(many!), { calls: 30, rounds: 31 });
  few?.close();
  many?.close();
  return {
    what: "tools/list, first page: 100 and 10,000 tools",
    bare: micro(result.bare.median),
    ours: micro(result.ours.median),
    ratio: result.ratio,
    target: 2,
  };
}

/** The heap after a tenth of the calls, and after all of them. */
async function memory(directory: string): Promise<Row[]> {
  const cwd = project(directory, 1);
  const rows: Row[] = [];
  for (const transport of ["stdio", "http"] as const) {
    const args = ["--inspect=0", MCI, "run"];
    const target =
      transport === "stdio" ? startStdio(args, cwd) : await startHttp([...args, "--http", "0"], cwd);
    const after = async (count: number) => {
      for (let done = 0; done < count; done += 50)
        await Promise.all(Array.from({ length: 50 }, () => target.request("tools/call", CALL)));
      return target.heap();
    };
    const first = await after(MEMORY_CALLS / 10);
    const last = await after((MEMORY_CALLS * 9) / 10);
    target.close();
    const counts = [MEMORY_CALLS / 10, MEMORY_CALLS].map((count) => count.toLocaleString("en"));
    rows.push({
      what: `${transport}: heap after ${counts.join(" and ")} calls`,
      bare: `${first.toFixed(1)} MiB`,
      ours: `${last.toFixed(1)} MiB`,
      ratio: last / first,
      target: 1.1,
    });
  }
  return rows;
}

/** A folder with a file of so many tools. */
function project(directory: string, count: number): string {
  const cwd = join(directory, String(count));
  const tools = Array.from({ length: count }, (_, index) => ({
    ...GREET,
    name: index === 0 ? "greet" : `greet_${index}`,
    execution: { type: "text", text: "Hello {{props.who}}" },
  }));
  mkdirSync(cwd, { recursive: true });
  writeFileSync(join(cwd, "mci.json"), JSON.stringify({ schemaVersion: "1.0", tools }));
  return cwd;
}
