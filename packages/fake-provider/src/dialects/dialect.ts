import type { IncomingHttpHeaders } from "node:http";
import type { ChatRequest } from "../chat-request.ts";
import type { Completion } from "../completion.ts";

/** An error as the provider means it; each dialect has its own envelope for it. */
export interface ProviderError {
  readonly status: number;
  readonly message: string;
  readonly type?: string;
  readonly code?: string;
  readonly param?: string;
  /** Seconds, sent as Retry-After. */
  readonly retryAfter?: number;
  /** What the model wrote before the provider rejected it. */
  readonly failedGeneration?: string;
}

/** One event of a stream. */
export interface StreamEvent {
  readonly event?: string;
  readonly data: string;
}

/** How one provider is addressed, what it refuses, and what its responses look like. */
export interface FakeDialect {
  /** Whether a request is a chat call; the model, where the address names it. */
  readonly match: (url: URL) => { readonly model?: string } | undefined;
  readonly isAuthorised: (headers: IncomingHttpHeaders, key: string) => boolean;
  /** The request in the form of chat completions. */
  readonly read: (body: Record<string, unknown>, model?: string) => unknown;
  /** What it does not take. */
  readonly rejection: (request: ChatRequest, url: URL) => ProviderError | undefined;
  /** Its own check of what the model wrote. */
  readonly reject: (request: ChatRequest, completion: Completion) => ProviderError | undefined;
  readonly error: (error: ProviderError) => { readonly status: number; readonly body: unknown };
  readonly completion: (request: ChatRequest, completion: Completion, id: string) => unknown;
  /** The completion as a stream. Default: as chat completions are streamed. */
  readonly stream?: (request: ChatRequest, completion: Completion, id: string) => readonly StreamEvent[];
  /** Sent with every response. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sent before the body, as a sign of life. */
  readonly keepAlive: string;
}
