import type { ChildProcessWithoutNullStreams } from "node:child_process";
import type { Socket } from "node:net";
import { getDefaultEnvironment } from "@modelcontextprotocol/client/stdio";
import { startProcess } from "../../process/start.ts";
import { terminateTree } from "../../process/tree.ts";
import { watchGroup } from "../../process/watchdog.ts";
import type { StdioConfig } from "../server-config.ts";

/** Characters at the end of stderr that are shown. */
const MAX_STDERR_CHARS = 2000;
/** Characters of stderr that are held, and the longest secret that is recognised at their start. */
const MAX_TAIL = 64 * 1024;
const MAX_SECRET = 16 * 1024;
/** Milliseconds a server has to exit by itself once its input ends. */
const EXIT_TIMEOUT_MS = 1000;

type Mask = (text: string) => string;

/** A server's process with everything it starts. It never keeps this process from exiting. */
export class ServerProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly #exited: Promise<void>;
  /** It has exited, and all that it printed is read. */
  readonly #closed: Promise<void>;
  #ending?: string;
  #stderrTail = "";
  #isTailCut = false;
  readonly #mask: Mask;

  /** Resolves when it runs; rejects if the program cannot be started. */
  static async start(config: StdioConfig, mask: Mask = (text) => text): Promise<ServerProcess> {
    const { command, args = [], cwd = process.cwd() } = config;
    const env = { ...getDefaultEnvironment(), ...networkVariables(process.env), ...config.env };
    const child = startProcess({ command, args, cwd, env }, "pipe") as ChildProcessWithoutNullStreams;
    await new Promise((resolve, reject) => child.once("spawn", resolve).once("error", reject));
    return new ServerProcess(child, mask);
  }

  private constructor(child: ChildProcessWithoutNullStreams, mask: Mask) {
    this.child = child;
    this.#mask = mask;
    const releaseGroup = watchGroup(child.pid!);
    this.#exited = new Promise((resolve) => {
      child.once("exit", (code, signal) => {
        this.#ending = signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`;
        // Processes that it leaves behind would hold its pipes open.
        killGroup(child.pid!);
        releaseGroup();
        resolve();
      });
    });
    this.#closed = new Promise((resolve) => child.once("close", () => resolve()));
    child.on("error", () => {});
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      const all = this.#stderrTail + text;
      this.#isTailCut ||= all.length > MAX_TAIL;
      this.#stderrTail = all.slice(-MAX_TAIL);
    });
    child.unref();
    // Pipes are sockets in Node.js, but not in Bun.
    for (const pipe of [child.stdin, child.stdout, child.stderr]) (pipe as Partial<Socket>).unref?.();
  }

  /** How it ended, e.g. "ended with exit code 1: <what it printed last>"; undefined while it runs. */
  get ending(): string | undefined {
    const words = this.stderr;
    return this.#ending === undefined || words === "" ? this.#ending : `${this.#ending}: ${words}`;
  }

  /** The end of what it printed to stderr. Masked before it is cut. Where the tail itself was cut, its start may be a part of a secret and is left out. */
  get stderr(): string {
    const masked = this.#mask(this.#stderrTail);
    const whole = this.#isTailCut ? masked.slice(MAX_SECRET) : masked;
    return whole.slice(-MAX_STDERR_CHARS).toWellFormed().trim();
  }

  /** Terminates it: by ending its input if `graceful`, else by SIGTERM, then by SIGKILL. */
  async end({ graceful }: { graceful: boolean }): Promise<void> {
    if (this.#ending !== undefined) return;
    this.child.ref();
    this.child.stdin.end();
    if (graceful && (await isDoneWithin(this.#exited, EXIT_TIMEOUT_MS))) return;
    await terminateTree(this.child.pid!);
    await this.#exited;
  }

  /** Waits for its end and for what it printed last, for at most that time. */
  async untilClosed(ms: number): Promise<void> {
    await isDoneWithin(this.#closed, ms);
  }
}

async function isDoneWithin(done: Promise<void>, ms: number): Promise<boolean> {
  const { promise: timedOut, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, ms, false);
  try {
    return await Promise.race([done.then(() => true), timedOut]);
  } finally {
    clearTimeout(timer);
  }
}

/** Without these a program behind a proxy, or a proxy with its own certificate, reaches nothing. */
const NETWORK_VARIABLES = [
  ...["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"].flatMap((name) => [name, name.toLowerCase()]),
  "NODE_EXTRA_CA_CERTS",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
];

function networkVariables(variables: NodeJS.ProcessEnv): Record<string, string> {
  const set = NETWORK_VARIABLES.filter((name) => variables[name] !== undefined);
  return Object.fromEntries(set.map((name) => [name, variables[name]!]));
}

function killGroup(pid: number): void {
  if (process.platform === "win32") return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The group is gone.
  }
}
