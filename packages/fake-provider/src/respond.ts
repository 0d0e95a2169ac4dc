import type { ServerResponse } from "node:http";
import type { ChatRequest } from "./chat-request.ts";
import { type Completion, complete } from "./completion.ts";
import { functionCalls } from "./dialects/chat-completions.ts";
import type { FakeDialect, ProviderError, StreamEvent } from "./dialects/dialect.ts";
import type { Ending } from "./request-log.ts";
import type { ScriptedReply } from "./script.ts";

/** Carries out one reply on the wire; says how the request ended, or nothing while it hangs. */
export function respond(
  response: ServerResponse,
  request: ChatRequest,
  reply: ScriptedReply,
  { id, dialect }: { id: string; dialect: FakeDialect },
): Ending | undefined {
  switch (reply.kind) {
    case "hang":
      return undefined;
    case "cut":
      closeAfter(response, reply.after);
      return "cut";
    case "status": {
      const { status, retry_after: retryAfter } = reply;
      sendError(response, dialect, {
        status,
        message: STATUS_TEXT[status] ?? "Failed",
        type: "sim",
        retryAfter,
      });
      return "refused";
    }
    default: {
      const completion = complete(reply, request);
      const rejected = dialect.reject(request, completion);
      if (rejected) sendError(response, dialect, rejected);
      else if (request.stream && dialect.stream)
        sendEvents(response, dialect.stream(request, completion, id));
      else if (request.stream) sendStream(response, request, completion, id);
      else {
        const body = dialect.completion(request, completion, id);
        response.writeHead(200, { "content-type": "application/json", ...dialect.headers });
        response.end(dialect.keepAlive + JSON.stringify(body));
      }
      return rejected ? "refused" : "answered";
    }
  }
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

export function sendError(response: ServerResponse, dialect: FakeDialect, error: ProviderError): void {
  const { status, body } = dialect.error(error);
  if (error.retryAfter !== undefined) response.setHeader("retry-after", String(error.retryAfter));
  response.writeHead(status, { "content-type": "application/json", ...dialect.headers });
  response.end(JSON.stringify(body));
}

const STATUS_TEXT: Record<number, string> = {
  401: "Incorrect API key provided",
  429: "Rate limit reached",
  500: "The server had an error",
};

function closeAfter(response: ServerResponse, after: "request" | "headers" | "body"): void {
  if (after === "request") {
    response.socket?.destroy();
    return;
  }
  response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
  response.flushHeaders();
  // The part that was sent must reach the client before the connection dies, or it would be a cut after the request.
  const die = () => setTimeout(() => response.socket?.destroy(), 5);
  if (after === "headers") die();
  else response.write('{"id": "cut', die);
}

function sendEvents(response: ServerResponse, events: readonly StreamEvent[]): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  for (const { event, data } of events)
    response.write(`${event === undefined ? "" : `event: ${event}\n`}data: ${data}\n\n`);
  response.end();
}

function sendStream(
  response: ServerResponse,
  request: ChatRequest,
  completion: Completion,
  id: string,
): void {
  const base = {
    id,
    object: "chat.completion.chunk",
    created: Math.floor(Date.now() / 1000),
    model: request.model,
  };
  const send = (choices: unknown[], more: object = {}) =>
    response.write(`data: ${JSON.stringify({ ...base, choices, ...more })}\n\n`);
  const delta = (delta: object, finish: string | null = null) =>
    send([{ index: 0, delta, finish_reason: finish }]);
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  delta({ role: "assistant" });
  if (completion.reasoning) delta({ reasoning_content: completion.reasoning });
  if (completion.refusal) delta({ refusal: completion.refusal });
  for (const piece of completion.content.match(/\S+\s*|\s+/g) ?? []) delta({ content: piece });
  for (const [index, call] of functionCalls(id, completion.toolCalls ?? []).entries()) {
    const { function: called, ...rest } = call;
    delta({ tool_calls: [{ index, ...rest, function: { name: called.name, arguments: "" } }] });
    for (const piece of called.arguments.match(/[\s\S]{1,10}/g) ?? [])
      delta({ tool_calls: [{ index, function: { arguments: piece } }] });
  }
  delta({}, completion.finishReason);
  if (request.stream_options?.include_usage) send([], { usage: completion.usage });
  response.end("data: [DONE]\n\n");
}
