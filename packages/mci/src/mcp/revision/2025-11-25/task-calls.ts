import { isObject } from "@mci-ts/primitives/is-object";
import type { Client } from "@modelcontextprotocol/client";
import { MAX_TIMER_MS } from "../../../abort.ts";
import type { RequestOptions } from "../../connection.ts";
import { McpError } from "../../errors.ts";
import type { Response, RoundParams } from "../../session/input-rounds.ts";
import { ANY_RESULT } from "../any-result.ts";
import type { RevisionCalls } from "../revision.ts";

/** Milliseconds that a server should keep the result. */
const TTL_MS = 10 * 60_000;
const CANCEL_TIMEOUT_MS = 5000;

/**
 * The tasks of November 2025, which the revision of 2026 has replaced: a tool can require that its calls are tasks. Undefined for a
 * server without them.
 */
export function taskCalls(client: Client): RevisionCalls | undefined {
  const { tasks } = (client.getServerCapabilities() ?? {}) as { tasks?: unknown };
  if (!isObject(tasks) || !isObject(tasks["requests"]) || !isObject(tasks["requests"]["tools"]))
    return undefined;
  let required: Promise<ReadonlySet<string>> | undefined;
  return {
    async call(params, options) {
      required ??= requiredBy(client, options).catch((error) => {
        required = undefined;
        throw error;
      });
      return (await required).has(String(params["name"])) ? callAsTask(client, params, options) : undefined;
    },
  };
}

/** Names of the tools that cannot be called otherwise. */
async function requiredBy(
  client: Client,
  { signal, timeoutMs }: RequestOptions,
): Promise<ReadonlySet<string>> {
  const { tools } = await client.listTools(undefined, { signal, timeout: Math.min(timeoutMs, MAX_TIMER_MS) });
  const isRequired = (tool: object) =>
    (tool as { execution?: { taskSupport?: unknown } }).execution?.taskSupport === "required";
  return new Set(tools.filter(isRequired).map(({ name }) => name));
}

/** The result is asked for at once: the server answers when it is there, and asks its questions meanwhile. */
async function callAsTask(
  client: Client,
  params: RoundParams,
  { signal, timeoutMs }: RequestOptions,
): Promise<Response> {
  const timeout = Math.min(timeoutMs, MAX_TIMER_MS);
  const request = { signal, timeout };
  const call = { method: "tools/call" as const, params: { ...params, task: { ttl: TTL_MS } } };
  const created = (await client.request(call, ANY_RESULT, request)) as { task?: { taskId?: unknown } };
  const taskId = created.task?.taskId;
  if (typeof taskId !== "string") throw new McpError("refused", "the server made no task of the call");
  try {
    return (await client.request(
      { method: "tasks/result", params: { taskId } },
      ANY_RESULT,
      request,
    )) as Response;
  } catch (error) {
    const cancel = { method: "tasks/cancel", params: { taskId } };
    void client.request(cancel, ANY_RESULT, { timeout: CANCEL_TIMEOUT_MS }).catch(() => {});
    throw error;
  }
}
