import type { InputResponse } from "mci-ts";
import { ApiFailure } from "../failure.ts";
import { json } from "../json-response.ts";
import { detailOf, findTool } from "../list-tools.ts";
import { maskOf, sourceOf } from "../servers/sources.ts";
import type { Endpoint, TextUse, ToolsSource } from "../source.ts";
import { takesPassword } from "../takes-password.ts";
import type { CallList, CallResponse, ToolDraft } from "../types.ts";
import { type Listeners, respondInteractively } from "./interactive.ts";

/** The request or command, with secrets masked; nothing is sent. */
export const previewCall: Endpoint = async (source, { body }, name) => {
  const input = inputOf(body);
  return json(
    await withDraft(source, textOf(body), name, async (client, mask) =>
      mask(await client.preview(name, input)),
    ),
  );
};

/** A tool of a text that is not saved, and what a call of it would send; why it would be refused, if it would. */
export const showDraft: Endpoint = async (source, { body }, name) => {
  const input = inputOf(body);
  const draft = await withDraft(source, textOf(body), name, async (client, mask): Promise<ToolDraft> => {
    const tool = detailOf(client, name);
    try {
      return { tool, request: mask(await client.preview(name, input)) };
    } catch (error) {
      if ((error as Error).name !== "MCIClientError") throw error;
      const { code, message } = error as Error & { code: string };
      return { tool, refused: { code, message: mask(message) } };
    }
  });
  return json(draft);
};

/** With the tools of this text, or of the file. Another text only from those who may save it. */
async function withDraft<T>(
  source: ToolsSource,
  text: string | undefined,
  name: string,
  use: TextUse<T>,
): Promise<T> {
  const found: TextUse<T> = (client, mask) => {
    findTool(client, name);
    return use(client, mask);
  };
  if (text === undefined) return found(source.client(), (value) => value);
  if (!source.writable || source.withText === undefined)
    throw new ApiFailure(403, "read_only", "This page may not change the file.");
  return source.withText(text, found);
}

/** Calls a tool. With `expected`, the preview that a person has agreed to, only if it is still what would be sent. */
export const callTool: Endpoint = async (source, { body, signal }, name) => {
  const { execution } = findTool(source.client(), name);
  const input = inputOf(body);
  const { expected } = body as { expected?: unknown };
  if (expected !== undefined) await refuseOther(source, name, input, expected);
  const from = execution.type === "mcp" ? sourceOf(execution.serverName) : "main";
  const mask = maskOf(source.client(), from);
  return respondInteractively(source.calls, body, mask, (listeners) =>
    runCall(source, name, input, { signal, ...listeners }),
  );
};

/** What was approved is one request; a file or a variable that has changed since makes another. */
async function refuseOther(
  source: ToolsSource,
  name: string,
  input: Record<string, unknown>,
  expected: unknown,
): Promise<void> {
  const current = await source.client().preview(name, input);
  if (JSON.stringify(current) === JSON.stringify(expected)) return;
  throw new ApiFailure(
    409,
    "request_changed",
    "Nothing was sent: the tool would not send what was shown, because the file or a variable has changed. Look at the request again.",
  );
}

async function runCall(
  source: ToolsSource,
  name: string,
  input: Record<string, unknown>,
  options: { readonly signal: AbortSignal } & Listeners,
): Promise<CallResponse> {
  const { calls } = source;
  const { inputSchema } = findTool(source.client(), name);
  const id = calls.start(name, input, "console", { isPrivate: takesPassword(inputSchema) });
  const began = performance.now();
  const requested = source
    .client()
    .preview(name, input)
    .then((request) => calls.setRequest(id, request))
    // The call fails for the same reason, and says so.
    .catch(() => {});
  const result = await source.call(name, input, {
    ...options,
    onExchange: (exchange) => calls.addExchange(id, exchange),
  });
  const duration_ms = performance.now() - began;
  await requested;
  const state = options.signal.aborted ? "cancelled" : result.isError ? "failed" : "succeeded";
  const error = result.isError ? { error: result.error?.slice(0, 500) } : {};
  calls.end(id, { state, duration_ms, ...error }, result.result);
  return { id, duration_ms, result: result.result };
}

/** The response of the person to a question of a call. */
export const answerInput: Endpoint = ({ calls }, { body }, id) => {
  const { action, content } = (body ?? {}) as { action?: unknown; content?: unknown };
  if (action !== "accept" && action !== "decline" && action !== "cancel")
    throw new ApiFailure(400, "invalid_request", "action must be accept, decline or cancel.");
  if (content !== undefined && (typeof content !== "object" || content === null || Array.isArray(content)))
    throw new ApiFailure(400, "invalid_request", "content must be a JSON object.");
  const response = action === "accept" && content !== undefined ? { action, content } : { action };
  if (!calls.inputs.answer(id, response as InputResponse))
    throw new ApiFailure(404, "input_not_found", "The call does not wait for this any more.");
  return json({ id, action });
};

export const listCalls: Endpoint = ({ calls }, { query }) => {
  const [tool, state, by] = ["tool", "state", "by"].map((name) => query.get(name) ?? undefined);
  const list: CallList = {
    calls: calls.list({
      text: query.get("q") ?? "",
      ...(tool && { tool }),
      ...(state && { state }),
      ...(by && { by }),
    }),
    storage: calls.storage,
  };
  return json(list);
};

/** Forgets the calls that are over. */
export async function clearCalls({ calls }: ToolsSource): Promise<Response> {
  await calls.clear();
  return json({ calls: calls.list(), storage: calls.storage } satisfies CallList);
}

export const showCall: Endpoint = ({ calls }, _, id) => {
  const detail = calls.detail(Number(id));
  if (detail === undefined)
    throw new ApiFailure(404, "call_not_found", `There is no call ${id}: only the last ones are remembered.`);
  return json(detail);
};

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
