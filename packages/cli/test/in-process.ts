import { PassThrough, Readable, type Writable } from "node:stream";
import type { Context, Output } from "../src/command.ts";
import { main } from "../src/main.ts";
import type { Finished } from "./mci.ts";

export interface InProcessOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Readable;
  /** Where a server on standard output writes its messages. */
  readonly messages?: Writable;
  /** Pretend that standard output is a terminal of so many columns. Default: it is none. */
  readonly columns?: number;
  readonly colour?: boolean;
  /** The same for standard error. */
  readonly stderrColumns?: number;
  readonly signal?: AbortSignal;
  /** Called with what is written to standard error, as it is written. */
  readonly onStderr?: (text: string) => void;
}

/** Runs the command inside the test's process: everything but the process itself is real. */
export async function mciHere(args: readonly string[], options: InProcessOptions): Promise<Finished> {
  const stdout = capture(options);
  const stderr = capture({ columns: options.stderrColumns, onWrite: options.onStderr });
  const context: Context = {
    cwd: options.cwd,
    env: options.env ?? { PATH: process.env.PATH },
    stdin: options.stdin instanceof Readable ? options.stdin : Readable.from([options.stdin ?? ""]),
    stdout,
    stderr,
    signal: options.signal ?? new AbortController().signal,
  };
  const code = await main(args, context);
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

function capture({
  columns,
  colour = false,
  messages = new PassThrough(),
  onWrite,
}: Pick<InProcessOptions, "columns" | "colour" | "messages"> & {
  onWrite?: InProcessOptions["onStderr"];
}): Output & { text(): string } {
  let written = "";
  return {
    write: (text) => {
      written += text;
      onWrite?.(text);
    },
    stream: messages,
    isTTY: columns !== undefined,
    columns: columns ?? 80,
    colour,
    text: () => written,
  };
}
