import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export interface Started {
  readonly url: string;
  stop(): Promise<void>;
}

/** The local provider in a process of its own. The URL ends in `/v1`. */
export function startProvider(...args: string[]): Promise<Started> {
  return startProgram("packages/fake-provider/src/main.ts", ["--port", "0", ...args]);
}

/** The service as a user starts it, asking the provider; only the rate limit is off: all clients share one address here. */
export function startService(provider: string, env: Record<string, string> = {}): Promise<Started> {
  return startProgram("packages/council-server/src/main.ts", [], {
    PORT: "0",
    MAKER_API_URL: provider,
    MAKER_API_MODEL: "sim",
    MCI_RATE_LIMIT: "0",
    ...env,
  });
}

/** A program of this repository that says where it listens. */
export async function startProgram(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Started> {
  const path = fileURLToPath(new URL(`../../${script}`, import.meta.url));
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(process.execPath, [path, ...args], {
    env: { PATH, HOME, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  // Whatever ends this process ends its children.
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  const exited = new Promise<void>((resolve) => child.once("close", () => resolve()));
  let output = "";
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (chunk: string) => {
        output += chunk;
        const found = /(?:is listening|listens) on (\S+)\n/.exec(output);
        if (found) resolve(found[1]!);
      });
    void exited.then(() => reject(new Error(`${script} ended: ${output}`)));
  });
  return {
    url,
    async stop() {
      process.off("exit", kill);
      child.kill("SIGTERM");
      await exited;
    },
  };
}
