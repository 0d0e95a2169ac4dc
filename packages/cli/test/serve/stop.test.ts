import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { isAlive } from "../../../../test/processes.ts";
import { until } from "../../../../test/until.ts";
import { folder } from "../mci.ts";
import { file, hang, nap, SILENT, text } from "./file.ts";
import { INITIALIZE, notification, rpc, send } from "./raw.ts";
import { connectProcess, pids, type ServerProcess, start, startHttp } from "./support.ts";

// How it ends: calls in flight get a few seconds, then everything is closed, and nothing is left behind.

const project = () =>
  folder({
    "mci.json": file(nap("naps", 1.5), hang("pids"), text("hello", "Hello")),
  });

const call = (name: string, id: number) => rpc("tools/call", { name }, id);

/** `mci run` over pipes, shaken hands with. */
function stdio(cwd: string): ServerProcess & { say: (message: object) => void; received: () => string } {
  const running = start({ cwd });
  let received = "";
  running.child.stdout?.on("data", (chunk) => {
    received += chunk;
  });
  const say = (message: object) => running.child.stdin?.write(`${JSON.stringify(message)}\n`);
  say(INITIALIZE);
  say(notification("notifications/initialized", {}));
  return { ...running, say, received: () => received };
}

const begun = (root: string, count = 2) =>
  until(() => pids(join(root, "pids")).length === count, "the call to begin");

const bothBegun = async (root: string) => {
  await begun(root);
  await until(() => pids(join(root, "naps")).length === 1, "the other call to begin");
};

const allEnded = (root: string) =>
  until(() => !pids(join(root, "pids")).some(isAlive), "the processes to end");

/** What ends a server on stdio. A signal is handled before the transport is known, so each is sent over one of them. */
const ENDINGS: [string, (running: ServerProcess) => void][] = [
  ["SIGTERM", ({ child }) => child.kill("SIGTERM")],
  ["the end of its input", ({ child }) => child.stdin?.end()],
];

describe.each(ENDINGS)("after %s", (name, end) => {
  test("over stdio, a call in flight is finished and answered; one that does not finish is ended, with all its processes [RUN-stop-grace] [RUN-stop-orphans]", async () => {
    const root = project();
    const server = stdio(root);
    server.say(call("nap", 7));
    server.say(call("hang", 8));
    await bothBegun(root);
    end(server);
    expect(await server.exited).toBe(0);
    expect(server.received()).toContain('"rested"');
    await allEnded(root);
    // A client that still listens gets a response; one that closed our input waits for none.
    const isListening = name !== "the end of its input";
    expect(server.received().includes("The call was cancelled")).toBe(isListening);
    expect(server.received().includes('"id":8')).toBe(isListening);
  });
});

test("after SIGINT, over HTTP, calls in flight are answered or ended, and new ones told to try again [RUN-stop-grace] [RUN-stop-orphans]", async () => {
  const root = project();
  const { child, url, exited } = await startHttp({ cwd: root });
  const finished = send(url, call("nap", 7));
  const cancelled = send(url, call("hang", 8));
  await bothBegun(root);
  child.kill("SIGINT");
  // Balancers ask for its health, and clients have connections open.
  const health = new URL("/healthz", url).href;
  let status = 200;
  for (; status === 200; await sleep(20)) status = (await send(health, undefined)).status;
  expect(status).toBe(503);
  expect(await send(url, call("hello", 9))).toMatchObject({ status: 503, headers: { "retry-after": "5" } });
  expect((await finished).body).toContain('"rested"');
  expect((await cancelled).body).toContain("The call was cancelled");
  expect(await exited).toBe(0);
  await allEnded(root);
  await expect(send(url, call("hello", 10))).rejects.toThrow();
});

test("the official client closes our input, then sends signals, and nothing is left behind [RUN-stop-orphans]", async () => {
  const root = project();
  const { client } = await connectProcess("modern", { cwd: root });
  client.callTool({ name: "hang" }).catch(() => {});
  await begun(root);
  await client.close();
  await allEnded(root);
});

test("open streams do not keep it from stopping", async () => {
  const root = project();
  const { child, url, exited } = await startHttp({ cwd: root, args: ["--watch"] });
  const headers = { accept: "text/event-stream", "mcp-protocol-version": "2025-11-25" };
  // Clients of this revision get an empty event at once: the stream is open.
  const stream = await fetch(url, { headers });
  child.kill("SIGTERM");
  expect(await stream.text()).toMatch(/^id: \S+\nretry: \d+\ndata: *\n\n$/);
  expect(await exited).toBe(0);
});

test("an idle server stops at once; a second signal does not ask", async () => {
  const root = project();
  const idle = stdio(root);
  await until(() => idle.received().includes("serverInfo"), "the handshake");
  idle.child.kill("SIGTERM");
  expect(await idle.exited).toBe(0);

  const busy = stdio(root);
  busy.say(call("hang", 7));
  await begun(root);
  busy.child.kill("SIGINT");
  await new Promise((resolve) => setTimeout(resolve, 300));
  busy.child.kill("SIGINT");
  expect(await busy.exited).toBe(130);
  await allEnded(root);
});

test("it can be stopped while it still waits for an MCP server", async () => {
  const silent = { command: "sh", args: ["-c", SILENT] };
  const root = folder({ "mci.json": { schemaVersion: "1.0", mcp_servers: { silent } } });
  const { child, exited } = start({ cwd: root });
  await begun(root, 1);
  child.kill("SIGTERM");
  expect(await exited).toBe(143);
  await allEnded(root);
});
