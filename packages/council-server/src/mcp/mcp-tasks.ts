import {
  type CallToolRequest,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type McpServer,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  RELATED_TASK_META_KEY,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { cancelElsewhere } from "../runs/live/cancel-elsewhere.ts";
import type { LiveRun } from "../runs/live/live-run.ts";
import { followRemoteRun } from "../runs/live/remote-run.ts";
import { describeEvent } from "../runs/response/describe-event.ts";
import type { Submission } from "../runs/submission.ts";
import type { CouncilService } from "../service.ts";
import { ServiceError } from "../service-error.ts";
import { readHistory } from "../store/read-history.ts";
import type { StoredRun } from "../store/records.ts";
import { toolError, toToolResult } from "./tool-result.ts";

/*
 * MCP tasks: a tool call that returns a handle at once; the client polls for the result. A task is a run of the history,
 * and its id that of the run, so that any instance that reads the history serves it, also after a restart.
 *
 * - 2026-07-28: the extension io.modelcontextprotocol/tasks. The client says with each request that it knows it.
 * - 2025-11-25: part of the protocol, experimental. The client asks for a task with the field `task` of the call.
 */

const EXTENSION = "io.modelcontextprotocol/tasks";
const POLL_INTERVAL_MS = 1000;

export const TASK_CAPABILITIES = {
  tasks: { cancel: {}, requests: { tools: { call: {} } } },
  extensions: { [EXTENSION]: {} },
};

type Era = "extension" | "core";

/** Starts the run of a tool call; undefined if the tool is none that a task can be made of. Throws for bad arguments. */
export type StartRun = (tool: string, input: unknown) => Promise<Submission> | undefined;

type CallTool = (request: CallToolRequest, ctx: ServerContext) => Promise<CallToolResult>;

/**
 * Lets clients that know tasks have one for each tool call, and answers what they ask about it. To be called before tools are
 * registered: the SDK has no hook for results that are tasks, so its handler of tool calls is wrapped as it is set.
 */
export function serveMcpTasks(mcp: McpServer, service: CouncilService, startRun: StartRun): void {
  const { server } = mcp;
  const setHandler = server.setRequestHandler as (method: string, ...rest: unknown[]) => void;
  server.setRequestHandler = ((method: string, ...rest: unknown[]) => {
    const [handler] = rest as [CallTool];
    const wrapped = method === "tools/call" ? [taskOrCall(service, startRun, handler)] : rest;
    setHandler.call(server, method, ...wrapped);
  }) as typeof server.setRequestHandler;
  answerTaskRequests(mcp, service);
}

/** A task where the client takes one; else the call is the SDK's. */
function taskOrCall(service: CouncilService, startRun: StartRun, callTool: CallTool): CallTool {
  return async (request, ctx) => {
    const { name, arguments: input = {} } = request.params;
    const era = wantedTask(request.params, ctx);
    try {
      const started = era && startRun(name, input);
      if (!started) return await callTool(request, ctx);
      const { id, live, response } = await started;
      return live ? await createMcpTask(service, id, live, era) : toToolResult((await response).body);
    } catch (error) {
      if (error instanceof ServiceError) return toolError(`${error.code}: ${error.message}`);
      throw error;
    }
  };
}

/** Which kind of task the client of a tool call takes; undefined: none. */
function wantedTask({ task }: { readonly task?: unknown }, ctx: ServerContext): Era | undefined {
  if (ctx.mcpReq.envelope) return knowsExtension(ctx) ? "extension" : undefined;
  return typeof task === "object" && task !== null ? "core" : undefined;
}

/** The result that hands out a task. It waits until the run is recorded: from then on it can be asked for. */
async function createMcpTask(
  service: CouncilService,
  id: string,
  live: LiveRun,
  era: Era,
): Promise<CallToolResult> {
  await live.admitted;
  await readHistory(service.store.recorded()).catch((error: unknown) => {
    live.cancel("not_recorded");
    throw error;
  });
  const task = asTask(service, await readRun(service, id), era);
  // The SDK lets no result of a tool call pass that has no content.
  return era === "core" ? { content: [], task } : { content: [], ...task, resultType: "task" };
}

const TaskParams = z.looseObject({ taskId: z.string().max(200) });
const params = { params: TaskParams };

/** `tasks/get` and `tasks/cancel`, and what either revision has besides. */
function answerTaskRequests({ server }: McpServer, service: CouncilService): void {
  server.setRequestHandler("tasks/get", params, async ({ taskId }, ctx) => {
    const era = eraOf(ctx);
    const run = await readRun(service, taskId);
    const task = asTask(service, run, era);
    if (era === "core" || task.status === "working" || task.status === "cancelled") return task;
    if (task.status === "failed") return { ...task, error: INTERRUPTED };
    return { ...task, result: { ...toolResultOf(run), resultType: "complete" } };
  });
  server.setRequestHandler("tasks/result", params, async ({ taskId }, ctx) => {
    await runEnded(service, taskId, ctx.mcpReq.signal);
    const run = await readRun(service, taskId);
    if (run.status === "interrupted" || run.status === "running")
      throw new ProtocolError(INTERRUPTED.code, INTERRUPTED.message);
    return { ...toolResultOf(run), _meta: { [RELATED_TASK_META_KEY]: { taskId } } };
  });
  server.setRequestHandler("tasks/cancel", params, async ({ taskId }, ctx) => {
    const era = eraOf(ctx);
    const { status } = await readRun(service, taskId);
    if (status !== "running" && era === "core")
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The task is over: ${status}`);
    const live = service.live(taskId);
    live?.cancel("task_cancelled");
    await (live ? live.response : cancelElsewhere(service.store, taskId));
    return era === "core" ? asTask(service, await readRun(service, taskId), era) : {};
  });
  // The council never asks back, so there is nothing to update.
  server.setRequestHandler("tasks/update", params, async ({ taskId }, ctx) => {
    eraOf(ctx);
    await readRun(service, taskId);
    return {};
  });
}

const INTERRUPTED = {
  code: ProtocolErrorCode.InternalError,
  message: "interrupted: The service stopped while this run was in flight",
};

function eraOf(ctx: ServerContext): Era {
  if (!ctx.mcpReq.envelope) return "core";
  if (knowsExtension(ctx)) return "extension";
  throw new MissingRequiredClientCapabilityError({
    requiredCapabilities: { extensions: { [EXTENSION]: {} } },
  });
}

function knowsExtension({ mcpReq }: ServerContext): boolean {
  const envelope = mcpReq.envelope as Readonly<Record<string, Capabilities | undefined>> | undefined;
  return envelope?.[CLIENT_CAPABILITIES_META_KEY]?.extensions?.[EXTENSION] !== undefined;
}

interface Capabilities {
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** A run that came through MCP. */
async function readRun({ store }: CouncilService, id: string): Promise<StoredRun> {
  const run = await store.get(id).catch((error: Error) => {
    throw new ProtocolError(ProtocolErrorCode.InternalError, `history_unavailable: ${error.message}`);
  });
  if (run?.channel === "mcp") return run;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no task with this id");
}

function asTask({ config, live }: CouncilService, run: StoredRun, era: Era): Task {
  const { id, started_at, ended_at } = run;
  const events = live(id)?.events ?? [];
  const statusMessage = events.map(describeEvent).findLast((line) => line !== undefined);
  const ttl = config.store.retentionDays * 86_400_000;
  return {
    taskId: id,
    status: STATUS[run.status],
    ...(statusMessage === undefined ? {} : { statusMessage }),
    createdAt: started_at,
    lastUpdatedAt: ended_at ?? events.at(-1)?.ts ?? started_at,
    ...(era === "core"
      ? { ttl, pollInterval: POLL_INTERVAL_MS }
      : { ttlMs: ttl, pollIntervalMs: POLL_INTERVAL_MS }),
  };
}

type Task = Record<string, unknown> & { readonly status: TaskStatus };
type TaskStatus = "working" | "completed" | "failed" | "cancelled";

/** An error of the council is a result of the tool, so its task is completed. */
const STATUS: Readonly<Record<StoredRun["status"], TaskStatus>> = {
  running: "working",
  complete: "completed",
  partial: "completed",
  degraded: "completed",
  failed: "completed",
  cancelled: "cancelled",
  interrupted: "failed",
};

function toolResultOf({ response }: StoredRun): CallToolResult {
  return toToolResult(response!);
}

/** Waits for a run here or on another instance, as long as the client does. */
async function runEnded(service: CouncilService, id: string, signal: AbortSignal): Promise<void> {
  const { shared } = service.store;
  const here = service.live(id);
  const { status } = await readRun(service, id);
  const remote =
    !here && shared && status === "running" ? followRemoteRun(service.store, shared, id) : undefined;
  await Promise.race([(here ?? remote)?.response, aborted(signal)]);
  remote?.cancel("client_gone");
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
