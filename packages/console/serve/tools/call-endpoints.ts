import { ApiFailure } from "./failure.ts";
import { json } from "./json-response.ts";
import { findTool } from "./list-tools.ts";
import type { ToolsRequest, ToolsSource } from "./source.ts";
import type { CallResponse } from "./types.ts";

/** The request or command, with secrets masked; nothing is sent. */
export async function previewCall(
  source: ToolsSource,
  { body }: ToolsRequest,
  name: string,
): Promise<Response> {
  const { text } = (body ?? {}) as { text?: unknown };
  const input = inputOf(body);
  if (typeof text !== "string") {
    findTool(source.client(), name);
    return json(await source.client().preview(name, input));
  }
  // Of a text that is not saved: only for those who may save it.
  if (!source.writable || source.previewText === undefined)
    throw new ApiFailure(403, "read_only", "This page may not change the file.");
  return json(await source.previewText(text, name, input));
}

export async function callTool(
  source: ToolsSource,
  { body, signal }: ToolsRequest,
  name: string,
): Promise<Response> {
  findTool(source.client(), name);
  const { calls } = source;
  const input = inputOf(body);
  const id = calls.start(name, input, "console");
  const began = performance.now();
  const requested = source
    .client()
    .preview(name, input)
    .then((request) => calls.setRequest(id, request))
    // The call fails for the same reason, and says so.
    .catch(() => {});
  const result = await source.call(name, input, {
    signal,
    onExchange: (exchange) => calls.addExchange(id, exchange),
  });
  const duration_ms = performance.now() - began;
  await requested;
  const state = signal.aborted ? "cancelled" : result.isError ? "failed" : "succeeded";
  const error = result.isError ? { error: result.error?.slice(0, 500) } : {};
  calls.end(id, { state, duration_ms, ...error }, result.result);
  const response: CallResponse = { id, duration_ms, result: result.result };
  return json(response);
}

export function listCalls({ calls }: ToolsSource, { query }: ToolsRequest): Response {
  const [tool, state, by] = ["tool", "state", "by"].map((name) => query.get(name) ?? undefined);
  return json({
    calls: calls.list({
      text: query.get("q") ?? "",
      ...(tool && { tool }),
      ...(state && { state }),
      ...(by && { by }),
    }),
  });
}

export function showCall({ calls }: ToolsSource, _: ToolsRequest, id: string): Response {
  const detail = calls.detail(Number(id));
  if (detail === undefined)
    throw new ApiFailure(404, "call_not_found", `There is no call ${id}: only the last ones are remembered.`);
  return json(detail);
}

function inputOf(body: unknown): Record<string, unknown> {
  const input = (body as { input?: unknown } | undefined)?.input ?? {};
  if (typeof input === "object" && input !== null && !Array.isArray(input))
    return input as Record<string, unknown>;
  throw new ApiFailure(400, "invalid_request", "input must be a JSON object.");
}
