import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough } from "node:stream";
import type { Model } from "@mci-ts/council";
import { onTestFinished } from "vitest";
import { main } from "../../../cli/src/main.ts";
import { readConfig } from "../../../council-server/src/config/config.ts";
import { openModels } from "../../../council-server/src/providers/models.ts";
import { serve } from "../../../council-server/src/server.ts";
import {
  type FakeProvider,
  type FakeProviderOptions,
  startFakeProvider,
} from "../../../fake-provider/src/server.ts";
import { claimPort } from "./port.ts";

export interface StartedCommand {
  /** Opens the console: a new one-time address for each call. */
  readonly address: () => string;
  /** Without path. */
  readonly origin: string;
  readonly output: () => string;
  /** As Ctrl+C does. */
  readonly stop: () => Promise<void>;
}

/** `mci ui` in this process: the same command, without the second that a new process takes. It ends with the test. */
export async function startUi(
  cwd: string,
  { port, env = {} }: { port?: number; env?: Readonly<Record<string, string>> } = {},
): Promise<StartedCommand> {
  return start(["ui", "--no-open", "--port", String(port ?? (await claimPort()))], cwd, env);
}

/** `mci run --http --ui`, likewise. */
export async function startRun(cwd: string): Promise<StartedCommand> {
  return start(["run", "--http", String(await claimPort()), "--ui"], cwd, {});
}

async function start(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<StartedCommand> {
  const controller = new AbortController();
  let output = "";
  const opened = Promise.withResolvers<void>();
  const addresses = () => output.match(/http:\S+#token=\S+/g) ?? [];
  const stream = {
    write(text: string) {
      output += text;
      if (addresses().length > 0) opened.resolve();
    },
    stream: new PassThrough(),
    isTTY: false,
    columns: 80,
    colour: false,
  };
  const ended = main(args, {
    cwd,
    env: { PATH: process.env["PATH"], HOME: cwd, ...env },
    stdin: new PassThrough(),
    stdout: stream,
    stderr: stream,
    signal: controller.signal,
  });
  const stop = async () => {
    controller.abort(new DOMException("Stopped.", "AbortError"));
    await ended;
  };
  onTestFinished(stop);
  await Promise.race([
    opened.promise,
    ended.then(() => {
      throw new Error(`mci ended: ${output}`);
    }),
  ]);
  return {
    stop,
    output: () => output,
    address: () => addresses().at(-1)!,
    origin: new URL(addresses()[0]!).origin,
  };
}

/** A service that asks a fake provider. Both end with the test. */
export async function startService(
  env: Record<string, string> = {},
  provider: FakeProviderOptions = {},
): Promise<{ url: string; close(): Promise<void>; script: FakeProvider["script"]; arrivals(): number }> {
  const fake = await startFakeProvider(provider);
  const service = await serveCouncil({ MAKER_API_URL: fake.url, MAKER_API_MODEL: "sim", ...env }, () =>
    fake.close(),
  );
  return { ...service, script: fake.script, arrivals: () => fake.stats.arrivals };
}

/** A service without any model: its answers are simulated. */
export function startSimulated(env: Record<string, string> = {}) {
  return serveCouncil(env);
}

/** A service whose model is this function: no provider, so no request, for each call. */
export function startWithModel(complete: Model["complete"], env: Record<string, string> = {}) {
  return serveCouncil(env, async () => {}, { complete });
}

async function serveCouncil(env: Record<string, string>, closeProvider = async () => {}, model?: Model) {
  const config = readConfig({
    PORT: env["PORT"] ?? String(await claimPort()),
    MCI_DETECT_LOCAL: "0",
    ...env,
  });
  const models = model && {
    ...(await openModels(config.models)),
    simulated: false,
    forRun: () => model,
  };
  const server = await serve(config, { log: () => {}, ...(models ? { models } : {}) });
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
