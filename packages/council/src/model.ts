/**
 * The port to a language model: the only way the engine reaches one. An adapter makes exactly one provider call per
 * `complete` (its own retries off), passes the signal on to the socket, and never repairs what the model wrote.
 */
export interface Model {
  /** Rejects with `ModelError` when the provider could not answer; any other error counts as a retryable one. */
  complete(request: ModelRequest, signal: AbortSignal): Promise<ModelReply>;
  /**
   * Tokens that a request and its reply may have together. Default: unknown, and no request is refused for its length.
   * `tokens` is an estimate of the request: for a short one there may be no need to find out.
   */
  contextWindow?(model: string, tokens: number): number | undefined | Promise<number | undefined>;
  /** Whether the model runs on a machine of the user's or in their network, which may be slow. Default: no. */
  isLocal?(model: string): boolean;
}

export interface ModelRequest {
  /** Which model is asked, as named in the settings or in `config.model`. */
  readonly model: string;
  readonly purpose: Purpose;
  readonly messages: readonly Message[];
  readonly temperature: number;
  readonly maxOutputTokens: number;
  /** The shape the answer must have. Absent: plain text. */
  readonly schema?: AnswerSchema;
  /** What the model may call before it answers. Absent: nothing. */
  readonly tools?: readonly ToolDefinition[];
  /** How much a reasoning model may think. Default: the provider's; models that do not reason are asked without it. */
  readonly reasoningEffort?: ReasoningEffort;
  /** A conversation in the caller's own protocol, sent instead of `messages`; only the adapter reads it. Absent: `messages`. */
  readonly conversation?: Conversation;
  /** The conversation is sent as the caller wrote it, with no temperature of ours. Default false. */
  readonly asSent?: boolean;
}

/** What the engine knows of a conversation that it passes on unread. */
export interface Conversation {
  /** Its size as JSON. */
  readonly bytes: number;
}

export type ReasoningEffort = "none" | "minimal" | "low" | "medium" | "high";

/**
 * What a call is for: a purpose of a strategy (`vote`, `seat`, `judge`, …), or `equivalence`, `paraphrase`, `route` and `format`.
 * Adapters may ignore it; logs, metrics and scripted models use it.
 */
export type Purpose = string;

export type Message =
  | { readonly role: "system" | "user"; readonly content: string }
  | { readonly role: "assistant"; readonly content: string; readonly toolCalls?: readonly ToolCall[] }
  /** What a tool returned to one call. */
  | {
      readonly role: "tool";
      readonly content: string;
      readonly toolCallId: string;
      readonly toolName: string;
    };

/** A tool as a model sees it. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** The adapter's own; handed back unchanged with the call. */
  readonly metadata?: unknown;
}

export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
}

/** The port to tools: the engine knows neither what they are nor where they run. They must not change anything. */
export interface Tools {
  readonly definitions: readonly ToolDefinition[];
  call(name: string, input: unknown, signal: AbortSignal): Promise<ToolResult>;
}

export interface AnswerSchema {
  /** A short identifier, as providers ask for one. */
  readonly name: string;
  /** JSON Schema, draft 2020-12. */
  readonly jsonSchema: Readonly<Record<string, unknown>>;
  /**
   * The same with a length for each text and list, at which constrained decoding ends; for providers that take these keywords. A longer
   * answer is not refused for it. Default: `jsonSchema`.
   */
  readonly bounded?: Readonly<Record<string, unknown>>;
}

export interface ModelReply {
  /** Exactly what the model wrote. Reasoning in separate fields is left out; `<think>` blocks may stay. */
  readonly text: string;
  /** The model's reasoning, where the provider returns it in a field of its own. */
  readonly reasoning?: string;
  /** The request as the adapter sent it, where that differs from what it was given; plain JSON, for the record of a run. */
  readonly sent?: unknown;
  /** The structured answer, where the provider returns one parsed. Absent: the engine reads it from `text`. */
  readonly object?: unknown;
  readonly finishReason: FinishReason;
  readonly usage: ModelUsage;
  readonly latencyMs: number;
  /** The model that really answered, where the provider says so. */
  readonly model?: string;
  /** What the model wants called before it answers. Default: nothing. */
  readonly toolCalls?: readonly ToolCall[];
  /** The model takes no tools: the request was sent without them. Default false. */
  readonly toolsRefused?: boolean;
  /** Attempts before this one that the adapter sent again: refused for load, or cut on a reused connection. Default 0. */
  readonly retries?: number;
  /** To a conversation: the reply in the adapter's own form, handed back to the caller with everything the provider signed. */
  readonly message?: unknown;
  /** What the adapter left out of the request, in sentences for the caller. Default: nothing. */
  readonly warnings?: readonly string[];
}

/** `invalid_output`: the provider itself found that its model wrote no valid JSON, and says so instead of an answer. */
export type FinishReason = "stop" | "length" | "content_filter" | "refusal" | "invalid_output" | "other";

export interface ModelUsage {
  readonly inputTokens: number;
  /** All tokens written, reasoning included. */
  readonly outputTokens: number;
  /** The part of `outputTokens` that was reasoning. Default 0. */
  readonly reasoningTokens?: number;
  /** The part of `inputTokens` that came from the provider's cache. Default 0. */
  readonly cachedInputTokens?: number;
  /** The part of `inputTokens` that was written to the provider's cache. Default 0. */
  readonly cacheWriteTokens?: number;
  /** What the provider says the call cost. */
  readonly costUsd?: number;
}

/** One call that is over, whole: what was asked, and what came of it. */
export interface ModelCall {
  readonly call: number;
  readonly request: ModelRequest;
  readonly attempts: number;
  /** Absent: no reply came. */
  readonly reply?: ModelReply;
  /** null: unknown. */
  readonly costUsd?: number | null;
  /** Why no reply came; "aborted" where it was not needed any more. */
  readonly error?: string;
}

/** A provider call that brought no answer. Never a red flag: nothing was said. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  /** Whether the same call may succeed later: network, timeout, 408, 429, 5xx. */
  readonly retryable: boolean;
  /** The provider's Retry-After. */
  readonly retryAfterMs?: number;
  /** HTTP status, where there was one. */
  readonly status?: number;
  /** Attempts before this one that the adapter sent again. Default 0. */
  readonly retries?: number;
  /** The request does not fit the model's context. Default false. */
  readonly contextOverflow?: boolean;

  constructor(
    message: string,
    options: {
      retryable: boolean;
      retryAfterMs?: number;
      status?: number;
      retries?: number;
      contextOverflow?: boolean;
      cause?: unknown;
    },
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.retryable = options.retryable;
    this.retryAfterMs = options.retryAfterMs;
    this.status = options.status;
    this.retries = options.retries;
    this.contextOverflow = options.contextOverflow;
  }
}
