import { fork } from "node:child_process";
import { fixtureProgram } from "../../../../test/programs/programs.ts";

export interface SuiteRun {
  readonly id: number;
  readonly args: readonly string[];
}

export interface SuiteResult {
  readonly id: number;
  readonly code: number;
  readonly output: string;
}

export interface Suite {
  /** One run of the suite's command. */
  run(args: readonly string[]): Promise<SuiteResult>;
  end(): Promise<void>;
}

/** The command of a conformance suite, in one process for all its runs. */
export function startSuite(entry: string): Suite {
  const child = fork(fixtureProgram("packages/cli/test/conformance/fixtures/suite.ts"), [entry], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const waiting = new Map<number, PromiseWithResolvers<SuiteResult>>();
  child.on("message", (result: SuiteResult) => waiting.get(result.id)?.resolve(result));
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      for (const { reject } of waiting.values()) reject(new Error("The suite has ended"));
      resolve();
    };
    child.once("error", end).once("exit", end);
  });
  return {
    run(args) {
      const id = waiting.size;
      const result = Promise.withResolvers<SuiteResult>();
      waiting.set(id, result);
      child.send({ id, args } satisfies SuiteRun);
      return result.promise;
    },
    async end() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
