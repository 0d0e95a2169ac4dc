import { type ChildProcess, execFile, spawn } from "node:child_process";
import type { RequestListener, ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { describe, expect, onTestFinished, test } from "vitest";
import { isAlive } from "../../../../test/processes.ts";
import { fixtureProgram } from "../../../../test/programs/programs.ts";
import { until } from "../../../../test/until.ts";
import type { ServerConfig } from "../../src/mcp/server-config.ts";
import { entry, file, load, project, tool } from "../toolsets/support.ts";
import { createWorkbench } from "./servers/workbench.ts";
import { listen, ownServer, pids } from "./support.ts";

const hold = fixtureProgram("packages/mci/test/mcp/sessions/hold.ts");
const register = fileURLToPath(new URL("../../../../test/programs/register.ts", import.meta.url));
const importsScript = fileURLToPath(new URL("scripts/imports.ts", import.meta.url));

/** A script of its own that holds sessions; resolves when it is ready. */
async function holder(
  servers: readonly ServerConfig[],
  then: "hold" | "exit" | "forget",
): Promise<{ child: ChildProcess; ended: Promise<number | null> }> {
  const child = spawn(process.execPath, [hold, JSON.stringify(servers), then], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  await new Promise((resolve) => child.stdout?.once("data", resolve));
  return { child, ended };
}

describe("when this process ends", () => {
  test("by kill -9, servers end too: one that minds the end of its input, and one that ignores everything, with a child of its own [M-orphans]", async () => {
    const [mindful, stubborn] = [ownServer("stdio"), ownServer("rude", "stubborn")];
    const { child } = await holder([mindful.config, stubborn.config], "hold");
    const processes = [...pids(mindful.log()), ...pids(stubborn.log()), ...pids(stubborn.log(), "child")];
    expect(processes.map(isAlive)).toEqual([true, true, true]);
    child.kill("SIGKILL");
    await until(() => !processes.some(isAlive), "no process is left");
  });

  test("by process.exit, without closing the session, its server ends too [M-orphans]", async () => {
    const { config, log } = ownServer("rude", "stubborn");
    const { ended } = await holder([config], "exit");
    expect(await ended).toBe(0);
    await allEnded(log());
  });

  test("by itself: forgotten sessions do not keep it, whatever streams stand open, and its server ends too [M-unref] [M-orphans]", async () => {
    const { config, log } = ownServer("rude", "stubborn");
    const modern = await listen(toNodeHandler(createMcpHandler(createWorkbench)));
    const open = await listen(older((stream) => void stream.flushHeaders()));
    const retried = await listen(older((stream) => void stream.end("retry: 3600000\nid: 1\n\n")));
    const web = [modern, open, retried].map(({ url }) => ({ type: "http" as const, url }));
    const { ended } = await holder([config, ...web], "forget");
    expect(await ended).toBe(0);
    for (const { requests } of [open, retried]) expect(requests.map(({ method }) => method)).toContain("GET");
    await allEnded(log());
  });
});

async function allEnded(log: readonly string[]): Promise<void> {
  const processes = [...pids(log), ...pids(log, "child")];
  expect(processes).toHaveLength(2);
  await until(() => !processes.some(isAlive), "no process is left");
}

/** A server of the older kind: it answers the greeting, and then has its own idea of a stream of events. */
function older(stream: (response: ServerResponse) => void): RequestListener {
  return (request, response) => {
    if (request.method === "GET") {
      stream(response.writeHead(200, { "content-type": "text/event-stream" }));
      return;
    }
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      const { id, method, params } = JSON.parse(body);
      const results: Record<string, object> = {
        initialize: {
          protocolVersion: params?.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: "s", version: "1" },
        },
        "tools/list": { tools: [] },
      };
      if (id === undefined) response.writeHead(202).end();
      else if (results[method] === undefined) response.writeHead(400).end();
      else {
        response.writeHead(200, { "content-type": "application/json", "mcp-session-id": "1" });
        response.end(JSON.stringify({ jsonrpc: "2.0", id, result: results[method] }));
      }
    });
  };
}

test("the MCP SDK is loaded, and a server started, for a call alone: not for a file without servers, not to validate, not while cached lists are fresh [M-lazy] [L-validating] [M-cache]", async () => {
  const { config, log } = ownServer("stdio");
  const { type: _, ...bench } = config;
  const plain = project({
    "tools.mci.json": entry(["set"], file(tool("own"))),
    "mci/set.mci.json": file(tool("a")),
  });
  const mcp_servers = { bench, web: { url: "http://127.0.0.1:9/mcp" } };
  const validated = project({ "tools.mci.json": { ...file(tool("own")), mcp_servers } });
  const cached = project({ "tools.mci.json": { schemaVersion: "1.0", mcp_servers: { bench } } });
  await (await load(cached)).close();
  expect(pids(log())).toHaveLength(1);

  const steps = [
    { file: `${plain}/tools.mci.json`, tools: ["own", "a"] },
    { file: `${validated}/tools.mci.json`, validating: true },
    { file: `${cached}/tools.mci.json` },
    { file: `${cached}/tools.mci.json`, tools: ["echo"] },
  ];
  const args = ["--import", register, importsScript, JSON.stringify(steps)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const [first, second, third, fourth] = JSON.parse(stdout);
  expect(first).toEqual({ names: ["own", "a"], loaded: [] });
  expect(second).toEqual({ names: ["own"], loaded: [] });
  expect(third).toEqual({ names: expect.arrayContaining(["echo"]), loaded: [] });
  expect(fourth.loaded).not.toEqual([]);
  // One that filled the cache, and one for the call.
  expect(pids(log())).toHaveLength(2);
});
