import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import {
  type CreateTaskSessionFromClientOptions,
  createTaskSessionFromClient,
  type RawClientDispatch,
  resultFromTaskOutcome,
  type TaskEnabledSession,
  toolDeclarationFromMcpTool,
} from "@modelcontextprotocol/ext-tasks/client";
import type { TaskId } from "@modelcontextprotocol/ext-tasks/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { eventually } from "./eventually.ts";
import { post, startCouncil, startService } from "./harness.ts";
import { readJson } from "./read-json.ts";

const ERAS = ["2026-07-28", "2025-11-25"] as const;
type Era = (typeof ERAS)[number];

/** The official client with the official package for tasks, which hides the differences of the revisions. */
async function connect(url: string, era: Era): Promise<TaskEnabledSession> {
  const mode = era === "2026-07-28" ? { pin: era } : ("legacy" as const);
  const clientInfo = { name: "test", version: "1" };
  const client = new Client(clientInfo, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
  const { tools } = await client.listTools();
  const provider = {
    currentTool: (name: string) =>
      tools.filter((tool) => tool.name === name).map(toolDeclarationFromMcpTool)[0],
  };
  const framing = { protocolVersion: era, clientInfo, clientCapabilities: {} };
  const session = createTaskSessionFromClient(client, {
    endpointId: url,
    tools: provider,
    ...(era === "2026-07-28" ? { rawDispatch: rawDispatch(url), v2RequestFraming: framing } : {}),
  } as CreateTaskSessionFromClientOptions);
  onTestFinished(async () => {
    await session.close();
    await client.close();
  });
  return session;
}

/** The SDK has no way to send requests of an extension; the package asks for one. */
function rawDispatch(url: string): RawClientDispatch {
  let next = 1000;
  return async (request, { signal } = {}) => {
    const { method, params } = request as { method: string; params: { name?: string; taskId?: string } };
    const response = await post(
      `${url}/mcp`,
      { jsonrpc: "2.0", id: next++, method, params },
      {
        ...(signal ? { signal } : {}),
        headers: {
          accept: "application/json, text/event-stream",
          "mcp-protocol-version": "2026-07-28",
          "mcp-method": method,
          "mcp-name": params.taskId ?? params.name ?? "",
        },
      },
    );
    const text = await response.text();
    const { result, error } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
    return error ? { kind: "error", error } : { kind: "result", result };
  };
}

/** In 2025-11-25 the client decides, in 2026-07-28 the server. */
const AS_TASK = { task: { preference: "prefer" as const } };
const VOTE = { query: "Tabs or spaces?", k: 2 };

describe.each(ERAS)("MCP tasks of %s, with the official package [P-tasks]", (era) => {
  it("a call becomes a task that is polled until its result is there", async () => {
    const { url, sim } = await startCouncil({ behaviour: { truth: "Tabs", latency: { median_ms: 100 } } });
    const session = await connect(url, era);
    const execution = await session.callTool("solve_with_voting", VOTE, AS_TASK);
    expect(execution.kind).toBe("task");
    const { outcome } = await execution.settle();
    const result = resultFromTaskOutcome(outcome);
    expect(result).toMatchObject({
      content: [{ type: "text", text: expect.stringContaining("# First-to-ahead-by-2 Voting Result") }],
      structuredContent: { metadata: { answer: "Tabs" } },
    });
    expect(sim.stats.arrivals).toBe(2);
  });

  it("a task goes on without its client, tells its progress, and can be cancelled", async () => {
    const { url, sim } = await startCouncil({ rules: [{ reply: { kind: "hang" } }] });
    const session = await connect(url, era);
    const execution = await session.callTool("solve_with_voting", VOTE, AS_TASK);
    if (execution.kind !== "task") throw new Error("no task");
    await eventually(() => sim.stats.in_flight).toBe(2);
    const other = (await connect(url, era)).task(execution.handle.taskId);
    expect(await other.snapshot()).toMatchObject({
      status: "working",
      statusMessage: "Voting: first to be ahead by 2",
    });
    await other.cancel();
    await eventually(() => sim.stats).toMatchObject({ in_flight: 0, aborted: 2 });
    await eventually(async () => (await other.snapshot()).status).toBe("cancelled");
    await expect(execution.settle()).resolves.toMatchObject({ outcome: { status: "cancelled" } });
  });

  it("an error of the council is a result; bad arguments and unknown tasks are refused", async () => {
    const { url, sim } = await startCouncil({ rules: [{ reply: { kind: "status", status: 401 } }] });
    const session = await connect(url, era);
    const failed = await (await session.callTool("solve_with_voting", VOTE, AS_TASK)).settle();
    expect(resultFromTaskOutcome(failed.outcome)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("all_calls_failed") }],
    });
    const before = sim.stats.arrivals;
    const bad = await (await session.callTool("solve_with_voting", { ...VOTE, k: 99 })).settle();
    expect(JSON.stringify(bad)).toContain("k must be a whole number from 1 to 25");
    expect(sim.stats.arrivals).toBe(before);
    sim.script({});
    // A run that did not come through MCP is none.
    const { metadata } = await readJson(post(`${url}/mcp/model`, { prompt: "Tabs or spaces?" }));
    for (const id of ["nonsense", metadata.request_id])
      await expect(session.task(id as TaskId).snapshot()).rejects.toThrow("There is no task with this id");
  });

  it("a task survives a restart of the service", async () => {
    const folder = temporaryFolder();
    const { url, server, sim } = await startCouncil(
      { behaviour: { truth: "Tabs" } },
      { MCI_DATA_DIR: folder },
    );
    const execution = await (await connect(url, era)).callTool("solve_with_voting", VOTE, AS_TASK);
    if (execution.kind !== "task") throw new Error("no task");
    await execution.settle();
    await server.close();
    const again = await startService({
      MAKER_API_URL: sim.url,
      MAKER_API_MODEL: "sim",
      MCI_DATA_DIR: folder,
    });
    const outcome = await (await connect(again.url, era)).task(execution.handle.taskId).result();
    expect(resultFromTaskOutcome(outcome)).toMatchObject({
      structuredContent: { metadata: { answer: "Tabs" } },
    });
  });
});

it("[P-tasks] a client of 2026-07-28 that does not know tasks gets none, and may not ask for them", async () => {
  const { url } = await startCouncil({ behaviour: { truth: "Tabs" } });
  const client = new Client(
    { name: "test", version: "1" },
    { versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
  const result = await client.callTool({ name: "solve_with_voting", arguments: VOTE });
  expect(result.structuredContent).toMatchObject({ metadata: { answer: "Tabs" } });
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const asked = await rawDispatch(url)({ method: "tasks/get", params: { taskId: "any", _meta } });
  expect(asked).toMatchObject({ kind: "error", error: { code: -32_021 } });
  await client.close();
});
