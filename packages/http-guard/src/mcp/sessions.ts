import {
  isJSONRPCNotification,
  type JSONRPCMessage,
  type RequestId,
  type Transport,
} from "@modelcontextprotocol/server";

export const SESSION_HEADER = "mcp-session-id";
const HEADER = SESSION_HEADER;

/** The requests of one POST that are not answered yet. */
interface PendingPost {
  readonly transport: Transport;
  readonly pending: Set<RequestId>;
  readonly close: () => void;
  /** Tells the requests apart that a server sends while it answers this post: each server counts from zero. */
  readonly key: string;
}

/**
 * Sessions for clients of the protocol before 2026, which cancel a call with a separate message: it is matched to the
 * call by the session id.
 *
 * A session is only an id. Its only state are the requests in flight, so there is nothing to evict, and any process may
 * serve any request of any session. A cancellation that reaches another process is lost, as the protocol allows;
 * disconnecting cancels as well. What the client can be asked is a part of the id, so that nothing else has to be kept of it.
 */
export class Sessions {
  readonly #inFlight = new Map<string, Set<PendingPost>>();

  /** Closes the post once each of its requests was answered or cancelled. */
  track(request: Request, body: unknown, transport: Transport, close: () => void): void {
    const pending = new Set(requestIds(body));
    if (pending.size === 0) return;
    const session = request.headers.get(HEADER);
    const post: PendingPost = { transport, pending, close, key: crypto.randomUUID() };
    if (session !== null) {
      const posts = this.#inFlight.get(session) ?? new Set();
      this.#inFlight.set(session, posts.add(post));
    }
    const send = transport.send.bind(transport);
    transport.send = async (message, options) => {
      await send(withKey(message, post), options);
      if (!("method" in message) && message.id !== undefined) complete(post, message.id);
    };
    const onclose = transport.onclose;
    transport.onclose = () => {
      onclose?.();
      if (session !== null) this.#remove(session, post);
    };
  }

  /** Forwards a cancellation to the requests of its session. */
  forwardCancel(request: Request, message: unknown): void {
    if (methodOf(message) !== "notifications/cancelled" || !isJSONRPCNotification(message)) return;
    const { requestId } = (message.params ?? {}) as { requestId?: RequestId };
    for (const post of this.#inFlight.get(request.headers.get(HEADER) ?? "") ?? []) {
      post.transport.onmessage?.(message);
      if (requestId !== undefined) complete(post, requestId);
    }
  }

  /** Hands a client's answer to the call that asked. False if the message is not an answer. */
  forwardResponse(request: Request, message: unknown): boolean {
    const { id, result, error } = (message ?? {}) as { id?: unknown; result?: object; error?: object };
    if (methodOf(message) !== undefined || typeof id !== "string" || (result ?? error) === undefined)
      return false;
    const end = id.lastIndexOf(":");
    for (const post of this.#inFlight.get(request.headers.get(HEADER) ?? "") ?? [])
      if (end > 0 && post.key === id.slice(0, end))
        post.transport.onmessage?.({
          ...(message as object),
          id: Number(id.slice(end + 1)),
        } as JSONRPCMessage);
    return true;
  }

  /** Gives a session id to a client that has just initialized. */
  assignSessionId(response: Response, message: unknown): Response {
    if (response.ok && methodOf(message) === "initialize")
      response.headers.set(HEADER, `${crypto.randomUUID()}${modesOf(message)}`);
    return response;
  }

  #remove(session: string, post: PendingPost): void {
    const posts = this.#inFlight.get(session);
    posts?.delete(post);
    if (posts?.size === 0) this.#inFlight.delete(session);
  }
}

/** Requests in which a server may ask for input. */
const ASKING = new Set(["tools/call", "prompts/get", "resources/read"]);

/** Whether a request needs a stream, because a server may ask its client something before it answers. */
export function mayAsk({ headers }: Request, body: unknown): boolean {
  return ASKING.has(String(methodOf(body))) && modesIn(headers.get(HEADER)) !== "";
}

/** Tells the server of one request what its client said about itself when the session began. */
export async function introduce(transport: Transport, { headers }: Request): Promise<void> {
  const modes = modesIn(headers.get(HEADER));
  const elicitation = { ...(modes.includes("f") && { form: {} }), ...(modes.includes("u") && { url: {} }) };
  const id = `introduction-${crypto.randomUUID()}`;
  const { promise: answered, resolve } = Promise.withResolvers<void>();
  const send = transport.send.bind(transport);
  transport.send = async (message, options) => {
    if (!("id" in message) || message.id !== id) return send(message, options);
    transport.send = send;
    resolve();
  };
  transport.onmessage?.({
    jsonrpc: "2.0",
    id,
    method: "initialize",
    params: {
      protocolVersion: headers.get("mcp-protocol-version") ?? "2025-03-26",
      capabilities: { elicitation },
      clientInfo: { name: "session", version: "1" },
    },
  });
  await answered;
}

/** What a client that initializes can be asked, as the end of its session's id. */
function modesOf(message: unknown): string {
  const { params } = message as {
    params?: { capabilities?: { elicitation?: { form?: unknown; url?: unknown } } };
  };
  const elicitation = params?.capabilities?.elicitation;
  if (typeof elicitation !== "object" || elicitation === null) return "";
  const isBare = elicitation.form === undefined && elicitation.url === undefined;
  const modes = `${isBare || elicitation.form !== undefined ? "f" : ""}${elicitation.url === undefined ? "" : "u"}`;
  return `.${modes}`;
}

function modesIn(session: string | null): string {
  return /\.(fu|f|u)$/.exec(session ?? "")?.[1] ?? "";
}

/** A request of a server under an id that no other server of the session uses. */
function withKey(message: JSONRPCMessage, { key }: PendingPost): JSONRPCMessage {
  return "method" in message && "id" in message ? { ...message, id: `${key}:${message.id}` } : message;
}

function complete({ pending, close }: PendingPost, id: RequestId): void {
  if (pending.delete(id) && pending.size === 0) close();
}

function requestIds(body: unknown): RequestId[] {
  const messages = Array.isArray(body) ? body : [body];
  return messages.flatMap((message) => {
    const { id, method } = (message ?? {}) as { id?: unknown; method?: unknown };
    return typeof method === "string" && (typeof id === "string" || typeof id === "number") ? [id] : [];
  });
}

/** Cheap, because it runs for every request. */
export function methodOf(message: unknown): unknown {
  return (message as { method?: unknown } | null | undefined)?.method;
}
