import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4Prompt,
} from "@ai-sdk/provider";
import type { ActionTool, Conversation, ModelUsage, ToolChoice } from "@mci-ts/council";
import type { ServiceError } from "../service-error.ts";
import type { ProtocolName } from "./protocol-name.ts";

export type { ProtocolName };
export type Body = Readonly<Record<string, unknown>>;

/**
 * A step as an agent asks for it. A provider of the same protocol gets `body` as it came; for any other it is translated into the one
 * form that all provider packages understand, the SDK's (`Protocol.toCall`).
 */
export interface AgentRequest extends Conversation {
  readonly protocol: ProtocolName;
  /** The request without what is the service's own: model, stream and config. */
  readonly body: Body;
  /** Headers that belong to the conversation, such as `anthropic-beta`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly tools: readonly ActionTool[];
  readonly choice: ToolChoice;
  readonly parallel: boolean;
  /** JSON Schema of the reply to the user, where the request has one. */
  readonly replySchema?: unknown;
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
  /** What the user said last. */
  readonly prompt: string;
  /** What names the conversation, if the request does. */
  readonly sessionKey?: string;
  /** The beginning of the conversation, which names it otherwise. */
  readonly opening: string;
  /** Called with the provider's stream as it arrives, where it is to be relayed. */
  readonly relay?: (chunk: Uint8Array) => void;
}

/** A call in the SDK's form. */
export type SdkCall = Omit<LanguageModelV4CallOptions, "abortSignal" | "temperature" | "maxOutputTokens">;
export type SdkPrompt = LanguageModelV4Prompt;
export type SdkMessage = SdkPrompt[number];
/** A part of what a model wrote. */
export type Content = Extract<LanguageModelV4Content, { type: "text" | "reasoning" | "tool-call" }>;

/** What an assistant said, in the adapter's form (`ModelReply.message`). */
export interface AgentMessage {
  readonly parts: readonly Content[];
  readonly stop: StopReason;
  /** As its provider wrote it: of a chat completion the choice, of a response its output, of a message its content. */
  readonly raw?: { readonly protocol: ProtocolName; readonly value: Body };
}

export type StopReason = "stop" | "tool_calls" | "length" | "content_filter" | "refusal";

/** A reply of a provider that speaks the agent's own protocol. */
export interface RawReply {
  readonly message: AgentMessage;
  readonly usage: ModelUsage;
  readonly model?: string;
  /** The provider's own word for how it ended. */
  readonly finish?: string;
}

/** What is sent back to an agent. */
export interface AgentResponse {
  readonly id: string;
  readonly model: string;
  readonly request: Body;
  readonly message: AgentMessage;
  readonly usage: AgentUsage;
  /** What the service says about the step. */
  readonly council: Readonly<Record<string, string>>;
}

/** What a response says before anything was decided. */
export type About = Pick<AgentResponse, "id" | "model" | "request">;

interface AgentUsage {
  readonly input: number;
  readonly output: number;
  readonly cachedInput: number;
  readonly cacheWrite: number;
  readonly reasoning: number;
}

/** One protocol: a folder beside this file, and a line in `protocols.ts`. */
export interface Protocol {
  readonly name: ProtocolName;
  /** Where a provider of this protocol takes requests, below its base URL. */
  readonly path: string;
  read(body: Body, headers: Headers): Omit<AgentRequest, "bytes" | "protocol">;
  /** For providers of other protocols. What they cannot carry is refused by name; what they can do without is left out, and said so. */
  toCall(request: AgentRequest): { readonly call: SdkCall; readonly warnings: readonly string[] };
  /** The body with what the service sets. */
  toBody(request: AgentRequest, set: SetParameters): Body;
  readReply(body: Body): RawReply | undefined;
  /** Whether an event of a provider's stream is not for the agent, who did not ask for it. Default: all are. */
  readonly isOurs?: (request: AgentRequest, event: StreamedEvent) => boolean;
  /** The whole reply that a stream of this protocol says; undefined while it is incomplete. */
  readStream(events: readonly StreamedEvent[]): Body | undefined;
  response(response: AgentResponse): Body;
  /** The same as a stream, after its opening. */
  events(response: AgentResponse): Iterable<StreamedEvent>;
  /** What a stream begins with, and what keeps it alive while the vote runs. */
  opening(response: About): readonly StreamedEvent[];
  keepAlive(response: About): StreamedEvent;
  error(error: ServiceError, status: number): Body;
  /** The error as the end of a stream. */
  errorEvents(error: ServiceError, status: number, response: About): readonly StreamedEvent[];
}

interface SetParameters {
  readonly model: string;
  /** undefined: as the request says. */
  readonly temperature: number | undefined;
  /** Under which name chat completions limit the output; `none`: not at all. */
  readonly tokenLimit: "max_tokens" | "max_completion_tokens" | "none";
  /** Whether the provider takes parameters about reasoning. */
  readonly reasoning: boolean;
  /** Whether the reply is relayed as it is written. */
  readonly stream: boolean;
  /** Whether a stream ends in its usage only if that is asked for. */
  readonly askForUsage: boolean;
}

/** One event of a stream. */
export interface StreamedEvent {
  readonly event?: string;
  readonly data: string;
}

export interface Headers {
  get(name: string): string | undefined;
}
