import { randomUUID } from "node:crypto";
import { isJSONRPCNotification, type RequestId, type Transport } from "@modelcontextprotocol/server";

const HEADER = "mcp-session-id";

/** The requests of one POST that are not answered yet. */
interface PendingPost {
  readonly transport: Transport;
  readonly pending: Set<RequestId>;
  readonly close: () => void;
}

/**
 * Sessions for clients of the protocol before 2026, which cancel a call with a separate message: it is matched to the
 * call by the session id.
 *
 * A session is only an id. Its only state are the requests in flight, so there is nothing to evict, and any process may
 * serve any request of any session. A cancellation that reaches another process is lost, as the protocol allows;
 * disconnecting cancels as well.
 */
export class Sessions {
  readonly #inFlight = new Map<string, Set<PendingPost>>();

  /** Closes the post once each of its requests was answered or cancelled. */
  track(request: Request, body: unknown, transport: Transport, close: () => void): void {
    const pending = new Set(requestIds(body));
    if (pending.size === 0) return;
    const session = request.headers.get(HEADER);
    const post = { transport, pending, close };
    if (session !== null) {
      const posts = this.#inFlight.get(session) ?? new Set();
      this.#inFlight.set(session, posts.add(post));
    }
    const send = transport.send.bind(transport);
    transport.send = async (message, options) => {
      await send(message, options);
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

  /** Gives a session id to a client that has just initialized. */
  assignSessionId(response: Response, message: unknown): Response {
    if (response.ok && methodOf(message) === "initialize") response.headers.set(HEADER, randomUUID());
    return response;
  }

  #remove(session: string, post: PendingPost): void {
    const posts = this.#inFlight.get(session);
    posts?.delete(post);
    if (posts?.size === 0) this.#inFlight.delete(session);
  }
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
function methodOf(message: unknown): unknown {
  return (message as { method?: unknown } | null | undefined)?.method;
}
