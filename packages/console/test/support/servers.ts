import { type ChildProcess, spawn } from "node:child_process";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { mciCommand } from "../../../cli/test/mci.ts";
import { readConfig } from "../../../server/src/config/config.ts";
import { type FakeProviderOptions, startFakeProvider } from "../../../server/src/fake-provider/server.ts";
import { serve } from "../../../server/src/server.ts";

export interface StartedCommand {
  readonly child: ChildProcess;
  /** Opens the console: a new one-time address for each call. */
  readonly address: () => string;
  /** Without path. */
  readonly origin: string;
  readonly output: () => string;
}

/** `mci ui` as a process of its own. It ends with the test. */
export function startUi(cwd: string, args: readonly string[] = [], env = {}): Promise<StartedCommand> {
  return start(["ui", "--no-open", ...args], cwd, env);
}

/** `mci run --http --ui` as a process of its own. */
export function startRun(cwd: string, args: readonly string[] = []): Promise<StartedCommand> {
  return start(["run", "--http", "0", "--ui", ...args], cwd, {});
}

async function start(args: readonly string[], cwd: string, env: object): Promise<StartedCommand> {
  const child = spawn(...mciCommand(args, { cwd, env: env as Record<string, string> }));
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const exited = new Promise((resolve) => child.once("close", resolve));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  const addresses = () => output.match(/http:\S+#token=\S+/g) ?? [];
  await new Promise<void>((resolve, reject) => {
    child.stdout.on("data", () => addresses().length > 0 && resolve());
    child.stderr.on("data", () => addresses().length > 0 && resolve());
    child.once("close", () => reject(new Error(`mci ended: ${output}`)));
  });
  return {
    child,
    output: () => output,
    address: () => addresses().at(-1)!,
    origin: new URL(addresses()[0]!).origin,
  };
}

/** A service that asks a fake provider. Both end with the test. */
export async function startService(
  env: Record<string, string> = {},
  provider: FakeProviderOptions = {},
): Promise<{ url: string; close(): Promise<void> }> {
  const fake = await startFakeProvider(provider);
  const settings = { PORT: "0", MCI_DETECT_LOCAL: "0", MAKER_API_URL: fake.url, MAKER_API_MODEL: "sim" };
  return serveCouncil({ ...settings, ...env }, () => fake.close());
}

/** A service without any model: its answers are simulated. */
export function startSimulated(env: Record<string, string> = {}) {
  return serveCouncil({ PORT: "0", MCI_DETECT_LOCAL: "0", ...env });
}

async function serveCouncil(env: Record<string, string>, closeProvider = async () => {}) {
  const server = await serve(readConfig(env), { log: () => {} });
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    await server.close();
  };
  onTestFinished(async () => {
    await close();
    await closeProvider();
  });
  return { url: server.url, close };
}

/** Any other web server on this machine. */
export async function startSite(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}
