import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";

/** A server under load, on whichever transport. */
export interface Target {
  /** One request, answered. */
  request(method: string, params: object): Promise<unknown>;
  /** What its process has on the heap after a collection, in MiB; it must have been started with `--inspect=0`. */
  heap(): Promise<number>;
  close(): void;
}

export const GREET = {
  name: "greet",
  description: "Greets someone",
  inputSchema: { type: "object", properties: { who: { type: "string" } }, required: ["who"] },
};

const REVISION = "2026-07-28";
/** What each request of the newer protocol says about its client. */
const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": REVISION,
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

export function startStdio(args: readonly string[], cwd: string): Target {
  const child = spawn(process.execPath, args, { cwd });
  const inspector = said(child, /listening on (ws:\S+)/);
  const waiting = new Map<number, (result: unknown) => void>();
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (line) => {
    const { id, result, error } = JSON.parse(line);
    if (error !== undefined) throw new Error(JSON.stringify(error));
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  let last = 0;
  return {
    request(method, params) {
      const id = ++last;
      const message = { jsonrpc: "2.0", id, method, params: { ...params, _meta: ENVELOPE } };
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        child.stdin?.write(`${JSON.stringify(message)}\n`);
      });
    },
    heap: async () => heapOf(await inspector),
    close: () => void child.kill(),
  };
}

export async function startHttp(args: readonly string[], cwd: string): Promise<Target> {
  const child = spawn(process.execPath, args, { cwd });
  const inspector = said(child, /listening on (ws:\S+)/);
  const url = new URL(await said(child, /on (http:\S+)/));
  const pool = new Pool(url.origin, { connections: 100, pipelining: 1 });
  let last = 0;
  return {
    async request(method, params) {
      const { name = "" } = params as { name?: string };
      const message = { jsonrpc: "2.0", id: ++last, method, params: { ...params, _meta: ENVELOPE } };
      const { statusCode, body } = await pool.request({
        method: "POST",
        path: url.pathname,
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "mcp-protocol-version": REVISION,
          "mcp-method": method,
          ...(name !== "" && { "mcp-name": name }),
        },
        body: JSON.stringify(message),
      });
      const text = await body.text();
      if (statusCode !== 200) throw new Error(`${statusCode}: ${text}`);
      return JSON.parse(text).result;
    },
    heap: async () => heapOf(await inspector),
    close: () => {
      void pool.destroy();
      child.kill();
    },
  };
}

/** What the pattern catches in what a process says. */
function said(child: ChildProcessWithoutNullStreams, pattern: RegExp): Promise<string> {
  return new Promise((resolve) => {
    let all = "";
    child.stderr.on("data", (chunk) => {
      all += chunk;
      const [, caught] = pattern.exec(all) ?? [];
      if (caught !== undefined) resolve(caught);
    });
  });
}

/** Asks the inspector of a process. */
async function heapOf(inspector: string): Promise<number> {
  const socket = new WebSocket(inspector);
  await new Promise((resolve) => socket.addEventListener("open", resolve, { once: true }));
  const ask = (id: number, method: string) =>
    new Promise<Record<string, number>>((resolve) => {
      socket.addEventListener("message", ({ data }) => {
        const answer = JSON.parse(data);
        if (answer.id === id) resolve(answer.result);
      });
      socket.send(JSON.stringify({ id, method }));
    });
  // What only finalizers keep goes with the second collection.
  for (const id of [1, 2]) {
    await sleep(200);
    await ask(id, "HeapProfiler.collectGarbage");
  }
  const { usedSize = Number.NaN } = await ask(3, "Runtime.getHeapUsage");
  socket.close();
  return usedSize / 2 ** 20;
}
