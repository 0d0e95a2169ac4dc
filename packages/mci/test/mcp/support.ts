import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import { COMPILE_CACHE, fixtureProgram } from "../../../../test/programs/programs.ts";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import type { McpError } from "../../src/mcp/errors.ts";
import type { StdioConfig } from "../../src/mcp/server-config.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** One of the servers in `servers/`, with a log of what it lives through. */
export function ownServer(name: string, ...args: string[]): { config: StdioConfig; log: () => string[] } {
  const file = join(temporaryDirectory(), "log");
  return { config: serverWithLog(file, name, ...args), log: () => readLog(file) };
}

/** The same, for tests that share a server; without a log if there is no file for it. */
export function serverWithLog(file: string | undefined, name: string, ...args: string[]): StdioConfig {
  const [command, program] = name.endsWith(".sh")
    ? ["sh", here(`servers/${name}`)]
    : [process.execPath, fixtureProgram(`packages/mci/test/mcp/servers/${name}.ts`)];
  const env = { ...COMPILE_CACHE, ...(file && { LOG: file }) };
  return { type: "stdio", command, args: [program, ...args], env };
}

export const readLog = (file: string): string[] =>
  existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];

/** A server from npm. */
export function npmServer(name: string, ...args: string[]): StdioConfig {
  const path = here(`../../../../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`);
  return { type: "stdio", command: process.execPath, args: [path, ...args], env: { ...COMPILE_CACHE } };
}

export const temporaryDirectory = (cleanUp?: (end: () => void) => unknown): string =>
  temporaryFolder({}, cleanUp);

/** Process ids in a log, e.g. those that `start 4711` lines name. */
export function pids(log: readonly string[], word = "start"): number[] {
  return log.filter((line) => line.startsWith(`${word} `)).map((line) => Number(line.slice(word.length + 1)));
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    if (!existsSync(`/proc/${pid}/stat`)) return true;
    // A zombie that has not been reaped yet is dead all the same, once its other threads are: they hold its pipes open.
    const isZombie = /\) Z /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
    return !isZombie || readdirSync(`/proc/${pid}/task`).length > 1;
  } catch {
    return false;
  }
}

/** Waits until the condition holds; fails after a time that no healthy run needs. */
export async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let waited = 0; waited < 15_000; waited += 20) {
    if (await condition()) return;
    await sleep(20);
  }
  throw new Error(`Not within 15 s: ${what}`);
}

/** Serves on a free port until the test is over. */
export async function listen(
  listener: RequestListener,
): Promise<{ url: string; server: Server; requests: IncomingMessage[] }> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => stop(server));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, server, requests };
}

export async function stop(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}

export const failure = (promise: Promise<unknown>): Promise<McpError> =>
  promise.then(
    () => expect.unreachable("should have failed"),
    (error) => error,
  );

export const textOf = (result: { content: readonly unknown[] }) =>
  (result.content[0] as { text: string }).text;
