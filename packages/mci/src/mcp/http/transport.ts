import {
  type FetchLike,
  InsufficientScopeError,
  isJSONRPCRequest,
  type JSONRPCMessage,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { MAX_TIMER_MS } from "../../abort.ts";
import type { ServerLogin } from "../connection.ts";
import { LoginRequiredError } from "../login/login-required.ts";
import type { TokenSource } from "../login/token-source.ts";

type SendOptions = Parameters<StreamableHTTPClientTransport["send"]>[1];

/** JSON-RPC error code of a response that will never arrive; outside the range that servers use. */
export const STREAM_LOST = -31_999;

export interface HttpLogin extends Pick<ServerLogin, "name" | "options"> {
  readonly tokens: TokenSource;
}

/** Streamable HTTP that fails a call at once when its response stream breaks off, instead of waiting for the deadline. */
export class HttpTransport extends StreamableHTTPClientTransport {
  readonly #login: HttpLogin | undefined;

  constructor(url: URL, headers: Readonly<Record<string, string>>, fetch: FetchLike, login?: HttpLogin) {
    super(url, {
      requestInit: { headers },
      fetch,
      reconnectionScheduler,
      ...(login && { authProvider: login.tokens }),
    });
    this.#login = login;
  }

  override async send(message: JSONRPCMessage | JSONRPCMessage[], options?: SendOptions): Promise<void> {
    try {
      await this.#send(message, options);
    } catch (error) {
      if (!(error instanceof InsufficientScopeError) || this.#login === undefined) throw error;
      const { requiredScope: scope, resourceMetadataUrl } = error;
      const challenge = { scope, resourceMetadataUrl, isStepUp: true };
      if (!this.#login.tokens.widen) throw new LoginRequiredError(this.#login, challenge);
      await this.#login.tokens.widen(challenge);
      await this.#send(message, options);
    }
  }

  #send(message: JSONRPCMessage | JSONRPCMessage[], options?: SendOptions): Promise<void> {
    if (Array.isArray(message) || !isJSONRPCRequest(message) || options?.onRequestStreamEnd) {
      return super.send(message, options);
    }
    const { id } = message;
    const onRequestStreamEnd = () => {
      // After a proper response no request waits for this id, and the message is dropped.
      this.onmessage?.({
        jsonrpc: "2.0",
        id,
        error: { code: STREAM_LOST, message: "The response broke off." },
      });
    };
    return super.send(message, { ...options, onRequestStreamEnd });
  }
}

/** A server may ask for any time between two attempts to listen; it must not keep the script from ending. */
function reconnectionScheduler(reconnect: () => void, delay: number): () => void {
  const timer = setTimeout(reconnect, Math.min(delay, MAX_TIMER_MS)).unref();
  return () => clearTimeout(timer);
}
