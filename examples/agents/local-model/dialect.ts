/** What the scripted model does next: ask for tools, or say something and end. */
export type Turn = { readonly calls: readonly ToolCall[] } | { readonly text: string };

export interface ToolCall {
  readonly name: string;
  /** An object; a string is sent as it is, also where it is no JSON (providers that send objects send it in `raw`). */
  readonly input: object | string;
}

/** What a request says, whatever its shape. */
export interface Conversation {
  readonly tools: readonly string[];
  /** Of all turns, in order. */
  readonly results: readonly ToolResult[];
  readonly stream: boolean;
}

export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
  /** Media types of what came with the text. */
  readonly media: readonly string[];
}

/** Decides the next turn from what was said so far. */
export type Script = (conversation: Conversation) => Turn;

/** One provider's wire format. */
export interface Dialect {
  /** Throws `Refused` as the provider would refuse. */
  read(body: Json, request: { readonly headers: Headers; readonly path: string }): Conversation;
  respond(turn: Turn, body: Json): Json;
  /** The same as server-sent events. */
  stream(turn: Turn, body: Json): readonly StreamEvent[];
  refuse(message: string): Json;
}

export interface StreamEvent {
  readonly event?: string;
  readonly data: Json | string;
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of requests, of any shape until they are checked
export type Json = any;

/** The request breaks one of the provider's rules: status 400 with this message. */
export class Refused extends Error {}

export function refuseIf(isBroken: boolean, message: string): void {
  if (isBroken) throw new Refused(message);
}

let count = 0;

export function newId(prefix: string): string {
  count++;
  return `${prefix}_${String(count).padStart(6, "0")}`;
}

/** The arguments as a provider that sends text sends them. */
export function asText(input: object | string): string {
  return typeof input === "string" ? input : JSON.stringify(input);
}

/** The arguments as a provider that sends objects sends them. */
export function asObject(input: object | string): object {
  return typeof input === "string" ? { raw: input } : input;
}
