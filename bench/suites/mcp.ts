import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { LiteMcpClient, MCIClient } from "mci-ts";
import { compare, measure, median } from "../measure.ts";
import { micro, type Row, type Suite } from "../suite.ts";

const EVERYTHING = fileURLToPath(
  new URL("../../node_modules/@modelcontextprotocol/server-everything/dist/index.js", import.meta.url),
);
const SLOW_SERVER = fileURLToPath(new URL("../servers/slow-mcp-server.mjs", import.meta.url));

export const suite: Suite = {
  title: "MCP servers in a file",
  about:
    "The `echo` tool of `@modelcontextprotocol/server-everything`. Bare is the official SDK client on one open session. " +
    "The slow servers respond to their first request after two seconds, like one that waits for a network, and use little CPU. " +
    "The startup of ten `server-everything` processes alone uses all cores of a small machine, so for those the baseline is the " +
    "SDK starting the same ten.",
  async run() {
    const directory = mkdtempSync(join(tmpdir(), "mci-bench-mcp-"));
    try {
      return [
        ...(await stdioCalls(directory)),
        ...(await httpCalls(directory)),
        ...(await loading(directory)),
      ];
    } finally {
      rmSync(directory, { recursive: true });
    }
  },
};

async function stdioCalls(directory: string): Promise<Row[]> {
  const server = { command: process.execPath, args: [EVERYTHING, "stdio"] };
  const bare = new Client({ name: "bench", version: "1" });
  await bare.connect(new StdioClientTransport({ ...server, stderr: "ignore" }));
  const rows = await calls("stdio", bare, server, directory, { type: "stdio", ...server });
  await bare.close();
  return rows;
}

async function httpCalls(directory: string): Promise<Row[]> {
  const port = await freePort();
  const child = spawn(process.execPath, [EVERYTHING, "streamableHttp"], {
    env: { ...process.env, PORT: String(port) },
    stdio: "ignore",
  });
  const url = `http://127.0.0.1:${port}/mcp`;
  try {
    await reachable(url);
    const bare = new Client({ name: "bench", version: "1" });
    await bare.connect(new StreamableHTTPClientTransport(new URL(url)));
    const rows = await calls("HTTP", bare, { url }, directory, { type: "http", url });
    await bare.close();
    return rows;
  } finally {
    child.kill();
    await once(child, "exit");
  }
}

async function calls(
  kind: string,
  bare: Client,
  server: object,
  directory: string,
  lite: Parameters<typeof LiteMcpClient.connect>[0]["server"],
): Promise<Row[]> {
  const client = await MCIClient.fromObject(
    { schemaVersion: "1.0", mcp_servers: { everything: server }, libraryDir: "." },
    { baseDir: directory },
  );
  const message = { message: "hello" };
  const plainCall = () => bare.callTool({ name: "echo", arguments: message });
  const ourCall = async () => {
    const result = await client.execute("echo", message);
    if (result.isError) throw new Error(result.error);
  };
  const alone = await compare(plainCall, ourCall, { calls: 1000, rounds: 9 });
  const many = await compare(plainCall, ourCall, { calls: 1000, concurrency: 50, rounds: 9 });
  const fresh = await measure(
    async () => {
      await using session = await LiteMcpClient.connect({ server: lite });
      await session.callTool("echo", message);
    },
    { calls: 3, rounds: 3 },
  );
  await client.close();
  const row = (what: string, { bare, ours, ratio }: typeof alone): Row => ({
    what,
    bare: micro(bare.median),
    ours: micro(ours.median),
    ratio,
    target: 1.15,
  });
  return [
    row(`${kind}: call on one session`, alone),
    row(`${kind}: 50 at once`, many),
    {
      what: `${kind}: connect, call, close for every call`,
      bare: micro(fresh.median),
      ours: micro(alone.ours.median),
      note: `a pooled session is ${Math.round(fresh.median / alone.ours.median)} times faster`,
    },
  ];
}

async function loading(directory: string): Promise<Row[]> {
  const load = async (count: number, args: readonly string[]) => {
    for (const entry of readdirSync(directory)) rmSync(join(directory, entry), { recursive: true });
    const servers = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        `server${index}`,
        { command: process.execPath, args, prefix: `s${index}_` },
      ]),
    );
    const file = join(directory, "tools.mci.json");
    writeFileSync(file, JSON.stringify({ schemaVersion: "1.0", libraryDir: ".", mcp_servers: servers }));
    const start = performance.now();
    const client = await MCIClient.load(file);
    const time = performance.now() - start;
    if (client.warnings.length > 0) throw new Error(client.warnings.map(({ message }) => message).join());
    await client.close();
    return { time: time * 1000, file };
  };
  const slow = [SLOW_SERVER, "2000", "5"];
  const everything = [EVERYTHING, "stdio"];
  const times = { one: [], ten: [], real: [], bare: [] } as Record<"one" | "ten" | "real" | "bare", number[]>;
  for (let round = 0; round < 5; round++) {
    times.one.push((await load(1, slow)).time);
    times.ten.push((await load(10, slow)).time);
    times.real.push((await load(10, everything)).time);
    times.bare.push(await startBare(10, everything));
  }
  const { file } = await load(1, [SLOW_SERVER, "0", "500"]);
  const warm = await measure(async () => (await MCIClient.load(file)).close(), { calls: 5, rounds: 7 });
  const row = (what: string, bare: readonly number[], ours: readonly number[]): Row => ({
    what,
    bare: micro(median(bare)),
    ours: micro(median(ours)),
    ratio: median(ours.map((time, index) => time / bare[index]!)),
    target: 1.3,
  });
  return [
    row("load ten slow servers, against one", times.one, times.ten),
    row("load ten of server-everything, against the SDK starting the same ten", times.bare, times.real),
    {
      what: "load 500 tools of a server from the cached list",
      ours: micro(warm.median),
      note: `no process started; target under 20 ms: ${warm.median < 20_000 ? "met" : "MISSED"}`,
    },
  ];
}

/** Microseconds until the bare SDK has the tools of so many servers, all started at once. */
async function startBare(count: number, args: string[]): Promise<number> {
  const start = performance.now();
  const clients = await Promise.all(
    Array.from({ length: count }, async () => {
      const client = new Client({ name: "bench", version: "1" });
      await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }));
      await client.listTools();
      return client;
    }),
  );
  const time = (performance.now() - start) * 1000;
  await Promise.all(clients.map((client) => client.close()));
  return time;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

async function reachable(url: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      return;
    await setTimeout(100);
  }
  throw new Error(`${url} does not answer`);
}
