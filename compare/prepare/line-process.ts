import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";

/** A program that answers each line of JSON with one line of JSON, one at a time. */
export class LineProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;

  constructor(program: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = process.env) {
    const isVerbose = process.env.COMPARE_VERBOSE !== undefined;
    this.#child = spawn(program, args, {
      cwd,
      env,
      stdio: ["pipe", "pipe", isVerbose ? "inherit" : "ignore"],
    });
    this.#child.stdin.on("error", () => {});
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** Fails if the program ends, or takes longer than `milliseconds`; then it is ended. */
  async ask<T>(question: unknown, milliseconds: number): Promise<T> {
    this.#child.stdin.write(`${JSON.stringify(question)}\n`);
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), milliseconds);
    try {
      const { value, done } = await this.#lines.next();
      if (done === true) throw new Error(`the process ended (or took longer than ${milliseconds} ms)`);
      return JSON.parse(value);
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.stdin.end();
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), 3000);
    await ended;
    clearTimeout(timer);
  }
}
