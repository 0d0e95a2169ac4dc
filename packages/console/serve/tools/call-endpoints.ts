import type { MCIClient } from "mci-ts";
import { ApiFailure } from "./failure.ts";
import { json } from "./json-response.ts";
import { detailOf, findTool } from "./list-tools.ts";
import type { ToolsRequest, ToolsSource } from "./source.ts";
import type { CallResponse, ToolDraft } from "./types.ts";

/** The request or command, with secrets masked; nothing is sent. */
export async function previewCall(
  source: ToolsSource,
  { body }: ToolsRequest,
  name: string,
): Promise<Response> {
  const input = inputOf(body);
  return json(await withDraft(source, textOf(body), name, (client) => client.preview(name, input)));
}

/** A tool of a text that is not saved, and what a call of it would send; why it would be refused, if it would. */
export async function showDraft(
  source: ToolsSource,
  { body }: ToolsRequest,
  name: string,
): Promise<Response> {
  const input = inputOf(body);
  const draft = await withDraft(source, textOf(body), name, async (client): Promise<ToolDraft> => {
    const tool = detailOf(client, name);
    try {
      return { tool, request: await client.preview(name, input) };
    } catch (error) {
      if ((error as Error).name !== "MCIClientError") throw error;
      const { code, message } = error as Error & { code: string };
      return { tool, refused: { code, message } };
    }
  });
  return json(draft);
}

/** With the tools of this text, or of the file. Another text only from those who may save it. */
async function withDraft<T>(
  source: ToolsSource,
  text: string | undefined,
  name: string,
  use: (client: MCIClient) => Promise<T>,
): Promise<T> {
  const found = (client: MCIClient) => {
    findTool(client, name);
    return use(client);
  };
  if (text === undefined) return found(source.client());
  if (!source.writable || source.withText === undefined)
    throw new ApiFailure(403, "read_only", "This page may not change the file.");
  return source.withText(text, found);
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

function textOf(body: unknown): string | undefined {
  const text = (body as { text?: unknown } | undefined)?.text;
  return typeof text === "string" ? text : undefined;
}

function inputOf(body: unknown): Record<string, unknown> {
  const input = (body as { input?: unknown } | undefined)?.input ?? {};
  if (typeof input === "object" && input !== null && !Array.isArray(input))
    return input as Record<string, unknown>;
  throw new ApiFailure(400, "invalid_request", "input must be a JSON object.");
}
