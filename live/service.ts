import { spawn } from "node:child_process";
import { killAtExit } from "../chaos/world/children.ts";

/** A process of the service. */
export interface Service {
  readonly url: string;
  /** Everything it printed. */
  output(): string;
  kill(signal: NodeJS.Signals): Promise<void>;
  /** `POST /mcp/model`. */
  ask(request: Readonly<Record<string, unknown>>): Promise<Reply>;
}

export interface Reply {
  readonly status: number;
  readonly seconds: number;
  readonly body: {
    readonly result?: unknown;
    readonly error?: { readonly code: string; readonly message: string };
    readonly metadata?: {
      readonly answer: unknown;
      readonly status: string;
      readonly strategy?: string;
      readonly usage: { readonly calls: number; readonly output_tokens: number };
      readonly [field: string]: unknown;
    };
  };
}

/** A small model may write on and on: the run ends here, with what there is. */
export const DEADLINE_MS = 90_000;

/** Resolves when it says where it listens. */
export async function startService(
  [program, ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Service> {
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(program!, args, {
    env: { PATH, HOME, HOST: "127.0.0.1", PORT: "0", MCI_DETECT_LOCAL: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  killAtExit(child);
  let text = "";
  const exited = new Promise<void>((done) => child.once("exit", () => done()));
  const url = await new Promise<string>((done, fail) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        text += chunk;
        const found = /is listening on (\S+)/.exec(text);
        if (found) done(found[1]!);
      });
    void exited.then(() => fail(new Error(`mci-council ended: ${text}`)));
  });
  const service: Service = {
    url,
    output: () => text,
    async kill(signal) {
      child.kill(signal);
      await exited;
    },
    async ask(request) {
      const gaps = watchForGaps();
      const started = performance.now();
      const response = await fetch(`${url}/mcp/model`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          ...request,
          config: { deadline_ms: DEADLINE_MS, ...(request["config"] as object | undefined) },
        }),
      });
      const body = (await response.json()) as Reply["body"];
      // Deadlines go on while a machine stands still: such a request says nothing.
      if (gaps.end()) return service.ask(request);
      return { status: response.status, seconds: (performance.now() - started) / 1000, body };
    },
  };
  return service;
}

/** Whether this process stood still for seconds, as on a machine that is suspended or paused for another measurement. */
function watchForGaps() {
  let longest = 0;
  let last = performance.now();
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, 1000);
  return {
    end() {
      clearInterval(timer);
      look();
      return longest > MAX_GAP_MS;
    },
  };
}

const MAX_GAP_MS = 10_000;
