import { existsSync, readFileSync } from "node:fs";
import type { IncomingMessage, RequestListener, Server } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { COMPILE_CACHE, fixtureProgram } from "../../../../test/programs/programs.ts";
import { serve } from "../../../../test/servers.ts";
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

/** Serves on a free port until the test is over. */
export async function listen(
  listener: RequestListener,
): Promise<{ url: string; server: Server; requests: IncomingMessage[] }> {
  const requests: IncomingMessage[] = [];
  const { url, server } = await serve((request, response) => {
    requests.push(request);
    listener(request, response);
  });
  return { url: `${url}/mcp`, server, requests };
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
