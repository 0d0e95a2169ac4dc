import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folder } from "../mci.ts";
import { file, script, text } from "./file.ts";
import { INITIALIZE, notification, rpc, send } from "./raw.ts";
import { connect, fixture, isAlive, pids, type ServerProcess, start, startHttp, until } from "./support.ts";

// How it ends: calls in flight get a few seconds, then everything is closed, and nothing is left behind.

const project = () =>
  folder({
    "mci.json": file(
      script("nap", "nap.ts", "pids", "1500"),
      script("hang", "tree.ts", "pids"),
      text("hello", "Hello"),
    ),
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

const begun = (root: string, count: number) =>
  until(() => pids(join(root, "pids")).length === count, "the call to begin");

/** What ends a server on stdio. */
const ENDINGS: [string, (running: ServerProcess) => void][] = [
  ["SIGTERM", ({ child }) => child.kill("SIGTERM")],
  ["SIGINT", ({ child }) => child.kill("SIGINT")],
  ["the end of its input", ({ child }) => child.stdin?.end()],
];

describe.each(ENDINGS)("after %s", (_, end) => {
  test("over stdio, a call in flight is finished and answered [RUN-stop-grace]", async () => {
    const root = project();
    const server = stdio(root);
    server.say(call("nap", 7));
    await begun(root, 1);
    end(server);
    expect(await server.exited).toBe(0);
    expect(server.received()).toContain('"rested"');
  });
});

describe.each(["SIGTERM", "SIGINT"] as const)("after %s", (signal) => {
  test("over HTTP, a call in flight is answered, new ones are not accepted [RUN-stop-grace]", async () => {
    const root = project();
    const { child, url, exited } = await startHttp({ cwd: root });
    const answer = send(url, call("nap", 7));
    await begun(root, 1);
    child.kill(signal);
    expect((await answer).body).toContain('"rested"');
    expect(await exited).toBe(0);
    await expect(send(url, call("hello", 8))).rejects.toThrow();
  });
});

test.each(ENDINGS.filter(([name]) => name !== "SIGINT"))(
  "after %s, over stdio, a call that does not finish is ended, with all its processes [RUN-stop-orphans]",
  async (name, end) => {
    const root = project();
    const server = stdio(root);
    server.say(call("hang", 7));
    await begun(root, 2);
    end(server);
    expect(await server.exited).toBe(0);
    await until(() => !pids(join(root, "pids")).some(isAlive), "the processes to end");
    // A client that still listens gets a response; one that closed our input waits for none.
    expect(server.received().includes("The call was cancelled")).toBe(name === "SIGTERM");
    expect(server.received().includes('"id":7')).toBe(name === "SIGTERM");
  },
);

test("over HTTP, a call that does not finish is ended, with all its processes [RUN-stop-orphans]", async () => {
  const root = project();
  const { child, url, exited } = await startHttp({ cwd: root });
  const answer = send(url, call("hang", 7));
  await begun(root, 2);
  child.kill("SIGTERM");
  expect((await answer).body).toContain("The call was cancelled");
  expect(await exited).toBe(0);
  await until(() => !pids(join(root, "pids")).some(isAlive), "the processes to end");
});

test("the official client closes our input, then sends signals, and nothing is left behind [RUN-stop-orphans]", async () => {
  const root = project();
  const { client } = await connect("stdio", "modern", { cwd: root });
  client.callTool({ name: "hang" }).catch(() => {});
  await begun(root, 2);
  await client.close();
  await until(() => !pids(join(root, "pids")).some(isAlive), "the processes to end");
});

test("while it stops, HTTP says so: to balancers and to clients on open connections [RUN-stop-grace]", async () => {
  const root = project();
  const { child, url, exited } = await startHttp({ cwd: root });
  const answer = send(url, call("nap", 7));
  await begun(root, 1);
  child.kill("SIGTERM");
  const health = new URL("/healthz", url).href;
  let status = 200;
  while (status === 200) status = (await send(health, undefined)).status;
  expect(status).toBe(503);
  expect(await send(url, call("hello", 8))).toMatchObject({ status: 503, headers: { "retry-after": "5" } });
  expect((await answer).body).toContain('"rested"');
  expect(await exited).toBe(0);
});

test("open streams do not keep it from stopping [RUN-stop-streams]", async () => {
  const root = project();
  const { child, url, exited } = await startHttp({ cwd: root, args: ["--watch"] });
  const stream = send(url, undefined, { headers: { accept: "text/event-stream" } });
  await new Promise((resolve) => setTimeout(resolve, 300));
  child.kill("SIGTERM");
  expect(await stream).toMatchObject({ status: 200, body: "" });
  expect(await exited).toBe(0);
});

test("an idle server stops at once; a second signal does not ask [RUN-stop-twice]", async () => {
  const root = project();
  const idle = stdio(root);
  await until(() => idle.received().includes("serverInfo"), "the handshake");
  idle.child.kill("SIGTERM");
  expect(await idle.exited).toBe(0);

  const busy = stdio(root);
  busy.say(call("hang", 7));
  await begun(root, 2);
  busy.child.kill("SIGINT");
  await new Promise((resolve) => setTimeout(resolve, 300));
  busy.child.kill("SIGINT");
  expect(await busy.exited).toBe(130);
  await until(() => !pids(join(root, "pids")).some(isAlive), "the processes to end");
});

test("it can be stopped while it still waits for an MCP server [RUN-stop-loading]", async () => {
  const silent = { command: process.execPath, args: [fixture("silent.ts"), "pids"] };
  const root = folder({ "mci.json": { schemaVersion: "1.0", mcp_servers: { silent } } });
  const { child, exited } = start({ cwd: root });
  await begun(root, 1);
  child.kill("SIGTERM");
  expect(await exited).toBe(143);
  await until(() => !pids(join(root, "pids")).some(isAlive), "the server to end");
});
