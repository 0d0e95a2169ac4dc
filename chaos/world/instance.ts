import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { killAtExit } from "./children.ts";
import { type ExitReason, exitReason, findReason } from "./exit-reason.ts";
import { freePort } from "./free-port.ts";
import type { TcpProxy } from "./proxy.ts";

/** An end that no fault has asked for. */
export interface Exit {
  /** The exit code, or the signal. */
  readonly end: string;
  /** undefined: the instance did not say why. */
  readonly reason: ExitReason | undefined;
  /** What it wrote last. */
  readonly output: string;
}

/** A service instance, started again by its supervisor whenever it ends, as an operator's would. */
export interface Instance {
  readonly name: string;
  readonly url: string;
  /** Its own way to the database, closed with it. */
  readonly way: TcpProxy;
  readonly exits: readonly Exit[];
  readonly starts: number;
  readonly isRunning: boolean;
  signal(signal: NodeJS.Signals): void;
  isReady(): Promise<boolean>;
  /** SIGTERM, and no new start. The milliseconds until it was gone; undefined: it had to be killed. */
  stop(timeoutMs: number): Promise<number | undefined>;
}

export interface InstanceOptions {
  readonly name: string;
  /** `node` and its arguments. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly way: TcpProxy;
  readonly logFile: string;
}

const RESTART_MS = 500;
const MAX_OUTPUT_CHARS = 4000;

export async function startInstance(options: InstanceOptions): Promise<Instance> {
  const { name, command, way } = options;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const log = createWriteStream(options.logFile, { flags: "a" });
  const exits: Exit[] = [];
  let child: ChildProcess;
  let starts = 0;
  let stopping = false;
  let asked = false;

  function launch(): void {
    starts++;
    asked = false;
    const [program, ...args] = command;
    const { PATH = "", HOME = "" } = process.env;
    const env = { PATH, HOME, HOST: "127.0.0.1", PORT: String(port), MCI_DETECT_LOCAL: "0", ...options.env };
    const started = spawn(program!, args, { env, stdio: ["ignore", "pipe", "pipe"] });
    child = started;
    killAtExit(started);
    let output = "";
    let reason: ExitReason | undefined;
    for (const stream of [started.stdout, started.stderr])
      stream.on("data", (chunk) => {
        output = `${output}${chunk}`.slice(-MAX_OUTPUT_CHARS);
        // It may say a lot between the reason and the end.
        reason = findReason(output) ?? reason;
        log.write(`${new Date().toISOString()} ${name} ${chunk}`);
      });
    // Its last words have arrived once its streams are closed, which may be after the process has ended.
    started.once("close", async (code, signal) => {
      const end = String(code ?? signal);
      log.write(`${new Date().toISOString()} ${name} ended with ${end}\n`);
      if (!asked && !stopping) exits.push({ end, reason: exitReason(end, reason, output), output });
      await sleep(RESTART_MS);
      if (!stopping) launch();
    });
  }

  launch();
  return {
    name,
    url,
    way,
    exits,
    get starts() {
      return starts;
    },
    get isRunning() {
      return child.exitCode === null && child.signalCode === null;
    },
    signal(signal) {
      if (signal === "SIGKILL" || signal === "SIGTERM") asked = true;
      child.kill(signal);
    },
    async isReady() {
      const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(3000) });
      return response.status === 200;
    },
    async stop(timeoutMs) {
      stopping = true;
      const started = performance.now();
      child.kill("SIGTERM");
      try {
        while (child.exitCode === null && child.signalCode === null) {
          if (performance.now() - started > timeoutMs) {
            child.kill("SIGKILL");
            return undefined;
          }
          await sleep(50);
        }
        return performance.now() - started;
      } finally {
        // A port that still listens would keep the process of the campaign alive after its report.
        await way.close();
      }
    },
  };
}
