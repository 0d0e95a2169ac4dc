import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import {
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { expect, onTestFinished, vi } from "vitest";
import { fixtureProgram } from "../../../../test/programs/programs.ts";
import { until } from "../../../../test/until.ts";
import { type InProcessOptions, mciHere } from "../in-process.ts";
import { mciCommand } from "../mci.ts";

// Every test starts processes, and the machine may be busy with others'.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

export const fixture = (name: string) => fixtureProgram(`packages/cli/test/serve/fixtures/${name}`);

/** A server with the official extensions: tasks and skills. */
export const extensionsServer = fixtureProgram("packages/mci/test/mcp/servers/extensions.ts");

/** Both generations of the protocol: with a handshake, and with everything in each request. */
export const ERAS = ["legacy", "modern"] as const;
export type Era = (typeof ERAS)[number];

export const TRANSPORTS = ["stdio", "http"] as const;
export type TransportKind = (typeof TRANSPORTS)[number];

export interface RunOptions {
  readonly cwd: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface ServerProcess {
  readonly child: ChildProcess;
  readonly stderr: () => string;
  /** The exit code, or the signal's name. */
  readonly exited: Promise<number | string | null>;
}

/** When to end what was started: by default with the test. */
type Cleanup = (end: () => Promise<void>) => void;

/** Starts `mci run` with pipes; it is killed after the test if it still runs. */
export function start(
  { cwd, args = [], env = {} }: RunOptions,
  cleanup: Cleanup = onTestFinished,
): ServerProcess {
  const child = spawn(...mciCommand(["run", ...args], { cwd, env }));
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
  });
  child.stdin.on("error", () => {});
  const exited = new Promise<number | string | null>((resolve) =>
    child.once("close", (code, signal) => resolve(signal ?? code)),
  );
  cleanup(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  return { child, stderr: () => stderr, exited };
}

export interface Listening extends ServerProcess {
  readonly url: string;
}

/** Starts `mci run --http` on a free port, as a process of its own. */
export async function startHttp(
  { args = [], ...options }: RunOptions,
  cleanup?: Cleanup,
): Promise<Listening> {
  const running = start({ ...options, args: ["--http", "0", ...args] }, cleanup);
  const address = () => addressIn(running.stderr());
  await Promise.race([
    until(() => address() !== undefined, "the server to listen"),
    running.exited.then((code) => expect.fail(`mci run ended with ${code}: ${running.stderr()}`)),
  ]);
  return { ...running, url: address() ?? "" };
}

/** Runs `mci run --http` on a free port inside this process, which takes a tenth of the time: all but the process is real. */
export async function serveHttp(
  { args = [], ...options }: RunOptions,
  cleanup?: Cleanup,
): Promise<Pick<Listening, "url" | "stderr">> {
  const http = args.includes("--http") ? [] : ["--http", "0"];
  const { promise: listening, resolve: onListening } = Promise.withResolvers<string>();
  const onStderr = (all: string) => {
    const url = addressIn(all);
    if (url !== undefined) onListening(url);
  };
  const { failed, stderr } = runHere({ ...options, args: [...http, ...args] }, { onStderr }, cleanup);
  return { url: await Promise.race([listening, failed]), stderr };
}

interface Here {
  readonly stderr: () => string;
  /** Rejects if it ends before it is asked to. */
  readonly failed: Promise<never>;
}

/** The same for `mci run` on standard input and output, with a transport to it for a client. */
function serveStdio(options: RunOptions, cleanup?: Cleanup): Here & { transport: Transport } {
  const [stdin, messages] = [new PassThrough(), new PassThrough()];
  // The transport of servers works in both directions; that of clients starts a process.
  const transport = new StdioServerTransport(messages, stdin);
  return { ...runHere(options, { stdin, messages }, cleanup), transport };
}

/** What `mci run` on standard output says to these messages on standard input, until they end; inside this process, too. */
export async function respondTo(
  messages: readonly (object | string)[],
  { cwd, args = [] }: RunOptions,
): Promise<string> {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  for (const message of messages)
    stdin.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`);
  stdin.end();
  const { code, stderr } = await mciHere(["run", ...args], { cwd, stdin, messages: stdout });
  expect(code, stderr).toBe(0);
  return String(stdout.read() ?? "");
}

function runHere(
  { cwd, args = [], env = {} }: RunOptions,
  { onStderr, ...streams }: Pick<InProcessOptions, "stdin" | "messages" | "onStderr">,
  cleanup: Cleanup = onTestFinished,
): Here {
  const stop = new AbortController();
  let stderr = "";
  const ended = mciHere(["run", ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? "", HOME: cwd, ...env },
    signal: stop.signal,
    onStderr: (text) => {
      stderr += text;
      onStderr?.(stderr);
    },
    ...streams,
  });
  cleanup(async () => {
    stop.abort();
    await ended;
  });
  const failed = ended.then(({ code }) => expect.fail(`mci run ended with ${code}: ${stderr}`));
  failed.catch(() => {});
  return { stderr: () => stderr, failed };
}

const addressIn = (stderr: string): string | undefined => / on (http:\S+)/.exec(stderr)?.[1];

export interface Connected {
  readonly client: Client;
  readonly stderr: () => string;
}

/** The official client, connected to a server of its own inside this process. */
export async function connect(
  transport: TransportKind,
  era: Era,
  options: RunOptions,
  more: ClientOptions = {},
  cleanup: Cleanup = onTestFinished,
): Promise<Connected> {
  if (transport === "http") {
    const { url, stderr } = await serveHttp(options, cleanup);
    return { client: await connectTo(url, era, more, {}, cleanup), stderr };
  }
  const { transport: wire, stderr, failed } = serveStdio(options, cleanup);
  const client = newClient(era, more);
  cleanup(() => client.close());
  await Promise.race([client.connect(wire), failed]);
  return { client, stderr };
}

/** The official client, which starts `mci run` as a process of its own. */
export async function connectProcess(era: Era, options: RunOptions): Promise<Connected> {
  const [command, args, { cwd, env }] = mciCommand(["run", ...(options.args ?? [])], options);
  const wire = new StdioClientTransport({
    command,
    args: [...args],
    cwd,
    env: env as Record<string, string>,
    stderr: "pipe",
  });
  let stderr = "";
  wire.stderr?.on("data", (chunk) => {
    stderr += chunk;
  });
  const client = newClient(era, {});
  onTestFinished(() => client.close());
  await client.connect(wire);
  return { client, stderr: () => stderr };
}

export async function connectTo(
  url: string,
  era: Era,
  more: ClientOptions = {},
  headers: Record<string, string> = {},
  cleanup: Cleanup = onTestFinished,
): Promise<Client> {
  const client = newClient(era, more);
  cleanup(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
}

function newClient(era: Era, more: ClientOptions): Client {
  const mode = era === "modern" ? { pin: "2026-07-28" } : ("legacy" as const);
  return new Client({ name: "test", version: "1" }, { versionNegotiation: { mode }, ...more });
}

/** The process ids in a file that the fixtures write. */
export function pids(file: string): number[] {
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").map(Number) : [];
}
