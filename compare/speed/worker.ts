import { createInterface } from "node:readline";

/** Where the files and servers of the measurements are. */
export interface Workspace {
  readonly dir: string;
  /** The echo server of the conformance cases. */
  readonly origin: string;
  /** How to start the MCP server that all peers call. */
  readonly mcpServer: { readonly command: string; readonly args: readonly string[] };
}

/** Prepares one kind of work and gives what does it once. The preparation is not measured. */
export type Setup = (workspace: Workspace) => Promise<() => unknown>;

export interface Question {
  readonly work: string;
  /** Calls of one round. It ends earlier if the time is up, but not before every lane has made one call. */
  readonly calls: number;
  readonly concurrency: number;
  readonly milliseconds: number;
}

export interface Answer {
  /** For one call. */
  readonly microseconds?: number;
  /** The most memory that the process has had, in bytes. */
  readonly peak: number;
  readonly error?: string;
}

/** Answers every question on standard input until that ends. */
export async function answerQuestions(setups: Readonly<Record<string, Setup>>): Promise<void> {
  // Libraries that print must not speak between the answers.
  console.log = console.info = console.warn = console.error = () => {};
  const workspace: Workspace = JSON.parse(process.argv[2] ?? "{}");
  const ready = new Map<string, () => unknown>();
  for await (const line of createInterface({ input: process.stdin })) {
    const question: Question = JSON.parse(line);
    let answer: Answer;
    try {
      const setup = setups[question.work];
      if (setup === undefined) throw new Error("not supported");
      const once = ready.get(question.work) ?? (await setup(workspace));
      ready.set(question.work, once);
      answer = { microseconds: await round(once, question), peak: peak() };
    } catch (error) {
      answer = { error: error instanceof Error ? error.message : String(error), peak: peak() };
    }
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
  process.exit();
}

async function round(once: () => unknown, { calls, concurrency, milliseconds }: Question): Promise<number> {
  // Every lane makes one call at least.
  let begun = concurrency;
  const start = performance.now();
  const lane = async () => {
    await once();
    while (begun < calls && performance.now() - start < milliseconds) {
      begun++;
      await once();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  return ((performance.now() - start) * 1000) / begun;
}

function peak(): number {
  return process.resourceUsage().maxRSS * 1024;
}
