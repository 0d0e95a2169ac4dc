import { type ChildProcess, spawn } from "node:child_process";
import { COMPILE_CACHE, program } from "../programs/programs.ts";

/** One of our servers as a process of its own. */
export interface RunningServer {
  readonly child: ChildProcess;
  /** Without a slash at its end. */
  readonly origin: string;
  /** Responds with 200 and reads nothing. */
  readonly health: string;
  /** Takes a body. */
  readonly post: string;
  readonly output: () => string;
}

const SERVERS = {
  "mci run --http": {
    command: [program("packages/cli", "bin.cjs"), "run", "--http", "0"],
    health: "/healthz",
    post: "/mcp",
  },
  "mci ui": {
    command: [program("packages/cli", "bin.cjs"), "ui", "--no-open", "--port", "0"],
    health: "/",
    post: "/api/validate",
  },
  "the council service": {
    command: [program("packages/council-server", "main.js")],
    health: "/healthz",
    post: "/mcp/model",
  },
} as const;

export type ServerName = keyof typeof SERVERS;
export const SERVER_NAMES = Object.keys(SERVERS) as ServerName[];

/** Starts a server on a free port of this machine and waits until it says where. */
export async function startServer(
  name: ServerName,
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<RunningServer> {
  const { command, health, post } = SERVERS[name];
  const child = spawn(process.execPath, command, {
    cwd,
    env: {
      ...{ PATH: process.env["PATH"] ?? "", HOME: cwd, PORT: "0", MCI_DETECT_LOCAL: "0" },
      ...{ MAKER_API_URL: "http://127.0.0.1:9/v1", MAKER_API_MODEL: "m" },
      ...COMPILE_CACHE,
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  const origin = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        text += chunk.toString("utf8");
        const [, found] = /(http:\/\/127\.0\.0\.1:\d+)\S*\s/.exec(text) ?? [];
        if (found !== undefined) resolve(found);
      });
    child.once("close", (code) => reject(new Error(`${name} ended with ${code}: ${text}`)));
  });
  return { child, origin, health, post, output: () => text };
}
