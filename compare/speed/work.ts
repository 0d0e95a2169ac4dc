import type { LineProcess } from "../prepare/line-process.ts";
import type { Contestant } from "./contestants.ts";
import { measureInTurns, type Row } from "./rounds.ts";
import type { Answer, Question, Workspace } from "./worker.ts";

export interface Pace {
  /** Rounds of everybody that count. */
  readonly rounds: number;
  /** What one round of quick work may take. */
  readonly milliseconds: number;
}

const ROWS: readonly (readonly [id: string, what: string, work: string, concurrency?: number])[] = [
  ["load-10", "load and list 10 tools", "load-10"],
  ["load-1000", "load and list 1,000 tools", "load-1000"],
  ["load-10000", "load and list 10,000 tools", "load-10000"],
  ["render", "render a list of 2,000 rows", "render"],
  ["text", "text: a sentence with two values", "text"],
  ["text-50", "text, 50 at once", "text", 50],
  ["file", "file: read 2.6 kB", "file"],
  ["file-50", "file, 50 at once", "file", 50],
  ["cli", "cli: run `true`", "cli"],
  ["cli-50", "cli, 50 at once", "cli", 50],
  ["http", "http: GET on loopback", "http"],
  ["http-50", "http, 50 at once", "http", 50],
  ["mcp", "mcp: call a tool of a server on stdio", "mcp"],
  ["mcp-50", "mcp, 50 at once", "mcp", 50],
];

/** Every kind of work by everybody who can do it. */
export async function measureWork(
  contestants: readonly Contestant[],
  workspace: Workspace,
  { rounds, milliseconds }: Pace,
): Promise<Row[]> {
  const processes = new Map(contestants.map(({ name, start }) => [name, start(workspace)]));
  const names = [...processes.keys()];
  try {
    const rows: Row[] = [];
    for (const [id, what, work, concurrency = 1] of ROWS) {
      const question = { work, concurrency, calls: 20_000, milliseconds };
      const outcomes = await measureInTurns(names, rounds, (name) => ask(processes.get(name)!, question));
      rows.push({ id, what, unit: "µs", outcomes });
    }
    return rows;
  } finally {
    await Promise.all([...processes.values()].map((each) => each.close()));
  }
}

async function ask(process: LineProcess, question: Question): Promise<number> {
  const { microseconds, error } = await process.ask<Answer>(question, 60_000);
  if (microseconds === undefined) throw new Error(error);
  return microseconds;
}

/** What a process has needed at most after loading tools and calling one a thousand times. */
export async function measureMemory(
  contestants: readonly Contestant[],
  workspace: Workspace,
  { rounds }: Pace,
): Promise<Row[]> {
  const names = contestants.map(({ name }) => name);
  const rows: Row[] = [];
  for (const count of [10, 10_000]) {
    const outcomes = await measureInTurns(names, rounds, async (name) => {
      const process = contestants.find((each) => each.name === name)!.start(workspace);
      const once = { calls: 1, concurrency: 1, milliseconds: 0 };
      await ask(process, { ...once, work: `load-${count}` });
      const text = { ...once, work: "text", calls: 1000, milliseconds: 5000 };
      const { peak } = await process.ask<Answer>(text, 60_000);
      await process.close();
      return peak;
    });
    const what = `peak memory: ${count.toLocaleString("en")} tools loaded, 1,000 calls of text`;
    rows.push({ id: `memory-${count}`, what, unit: "bytes", outcomes });
  }
  return rows;
}

/** How many requests for a token fifty calls cause, one by one and at once. */
export async function countTokens(contestants: readonly Contestant[], workspace: Workspace): Promise<Row[]> {
  const count = async (client: string) =>
    ((await (await fetch(`${workspace.origin}/tokens/${client}`)).json()) as { count: number }).count;
  const rows: Row[] = [];
  for (const [id, work, client, concurrency, what] of [
    ["tokens", "oauth", "alone", 1, "OAuth: token requests for 50 calls"],
    ["tokens-50", "oauth-50", "together", 50, "OAuth: token requests for 50 calls at once"],
  ] as const) {
    const outcomes: Record<string, Row["outcomes"][string]> = {};
    for (const { name, start } of contestants) {
      const process = start(workspace);
      // Requests that name their client in a header only are counted without a name.
      const before = await count("");
      const { error } = await process.ask<Answer>(
        { work, concurrency, calls: 50, milliseconds: 30_000 },
        60_000,
      );
      const requests = (await count(`${name}-${client}`)) + (await count("")) - before;
      outcomes[name] =
        error === undefined
          ? { rounds: [requests], median: requests, low: requests, high: requests }
          : { error };
      await process.close();
    }
    rows.push({ id, what, unit: "count", outcomes });
  }
  return rows;
}
