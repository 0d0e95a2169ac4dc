import { type ChildProcess, execFile, spawn } from "node:child_process";
import type { ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { describe, expect, onTestFinished, test } from "vitest";
import { fixtureProgram } from "../../../../test/programs/programs.ts";
import type { ServerConfig } from "../../src/mcp/server-config.ts";
import { entry, file, load, project, tool } from "../toolsets/support.ts";
import { createWorkbench } from "./servers/workbench.ts";
import { isAlive, listen, ownServer, pids, until } from "./support.ts";

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

  test.each(["exit", "forget"] as const)(
    "by itself, without closing the session, its server ends too: %s [M-orphans]",
    async (then) => {
      const { config, log } = ownServer("rude", "stubborn");
      const { ended } = await holder([config], then);
      expect(await ended).toBe(0);
      const processes = [...pids(log()), ...pids(log(), "child")];
      expect(processes).toHaveLength(2);
      await until(() => !processes.some(isAlive), "no process is left");
    },
  );
});

describe("a session that is forgotten", () => {
  test("does not keep a script from ending, over HTTP either [M-unref]", async () => {
    const { url } = await listen(toNodeHandler(createMcpHandler(createWorkbench)));
    const { ended } = await holder([{ type: "http", url }], "forget");
    expect(await ended).toBe(0);
  });

  test.each([
    ["stands open", (stream: ServerResponse) => void stream.flushHeaders()],
    [
      "is to be opened again in an hour",
      (stream: ServerResponse) => void stream.end("retry: 3600000\nid: 1\n\n"),
    ],
  ])("does not keep a script from ending while a stream of events %s [M-unref]", async (_, stream) => {
    // A server of the older kind: it answers the greeting, and then has its own idea of a stream.
    const { url, requests } = await listen((request, response) => {
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
    });
    const { ended } = await holder([{ type: "http", url }], "forget");
    expect(await ended).toBe(0);
    expect(requests.map(({ method }) => method)).toContain("GET");
  });
});

describe("the MCP SDK", () => {
  const imports = async (path: string, tools: string[] = [], env: Record<string, string> = {}) => {
    const run = promisify(execFile)(process.execPath, ["--import", register, importsScript, path, ...tools], {
      env: { ...process.env, ...env },
    });
    return JSON.parse((await run).stdout);
  };

  test("is not loaded for a file without MCP servers [M-lazy]", async () => {
    const root = project({
      "tools.mci.json": entry(["set"], file(tool("own"))),
      "mci/set.mci.json": file(tool("a")),
    });
    expect(await imports(`${root}/tools.mci.json`, ["own", "a"])).toEqual({
      names: ["own", "a"],
      loaded: [],
    });
  });

  test("is not loaded to validate a file with servers [M-lazy] [M-validating]", async () => {
    const { config, log } = ownServer("stdio");
    const { type: _, ...bench } = config;
    const mcp_servers = { bench, web: { url: "http://127.0.0.1:9/mcp" } };
    const root = project({ "tools.mci.json": { ...file(tool("own")), mcp_servers } });
    expect(await imports(`${root}/tools.mci.json`, [], { VALIDATING: "1" })).toEqual({
      names: ["own"],
      loaded: [],
    });
    expect(log()).toEqual([]);
  });

  test("is not loaded, and no server started, while cached lists are fresh [M-lazy] [M-cache]", async () => {
    const { config, log } = ownServer("stdio");
    const { type: _, ...server } = config;
    const root = project({ "tools.mci.json": { schemaVersion: "1.0", mcp_servers: { bench: server } } });
    await (await load(root)).close();
    expect(pids(log())).toHaveLength(1);
    const { names, loaded } = await imports(`${root}/tools.mci.json`);
    expect(names).toContain("echo");
    expect(loaded).toEqual([]);
    expect((await imports(`${root}/tools.mci.json`, ["echo"])).loaded).not.toEqual([]);
    expect(pids(log())).toHaveLength(2);
  });
});
