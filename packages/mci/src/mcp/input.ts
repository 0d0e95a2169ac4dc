/**
 * What MCP servers ask of a person while a request runs ("elicitation"), and what is answered. The same for both eras of
 * the protocol: before 2026 a server sends a request of its own, since then its response says what it needs.
 */

export type InputRequest = FormRequest | UrlRequest;

/** A form: values for the properties of a flat schema. */
export interface FormRequest {
  readonly mode: "form";
  /** What the server says to the person. From the server: show it as text. */
  readonly message: string;
  /** Strings, numbers, booleans and choices; no nesting. */
  readonly requestedSchema: Readonly<Record<string, unknown>>;
}

/** A page that the person should visit. */
export interface UrlRequest {
  readonly mode: "url";
  readonly message: string;
  /** Only http: and https: arrive here. From the server: show the whole address, and open it only if the person says so. */
  readonly url: string;
  readonly elicitationId?: string;
}

export type InputResponse =
  | { readonly action: "accept"; readonly content?: Readonly<Record<string, InputValue>> }
  | { readonly action: "decline" | "cancel" };

export type InputValue = string | number | boolean | readonly string[];

export interface InputContext {
  /** The server that asks, by its name in the file. Undefined: the file itself asks for an approval. */
  readonly server?: string;
  /** The tool, prompt or resource that is being used. */
  readonly target: string;
  /** Aborts when the call ends for another reason. */
  readonly signal: AbortSignal;
}

/** Asks a person. What it throws ends the call. */
export type OnInput = (
  request: InputRequest,
  context: InputContext,
) => InputResponse | Promise<InputResponse>;

/** What a server waits for. */
export interface InputRequired {
  /** Each under a name, which its response has too. */
  readonly requests: Readonly<Record<string, InputRequest>>;
  /** The server's own state: given back to it unchanged. */
  readonly state?: string;
}

/** Continues a request that ended with `inputRequired`. */
export interface InputResume {
  readonly responses: Readonly<Record<string, InputResponse>>;
  readonly state?: string;
}

/** How a request to an MCP server deals with input, and what it carries beside its parameters. */
export interface InputOptions {
  /** Asks a person what a server wants to know. Default: the function given to `load`; without one, the call fails and says what was asked. */
  readonly onInput?: OnInput;
  /** Calls with the same group ask the same person. Default: calls with the same `onInput` do. */
  readonly inputGroup?: string;
  /** Return what a server asks for as `inputRequired`, where it can be asked again later, instead of asking at once. Default false. */
  readonly pauseOnInput?: boolean;
  /** The responses to what an earlier call with the same arguments returned as `inputRequired`. */
  readonly resume?: InputResume;
  /** Entries of `_meta` for the server's request, such as `traceparent`. Default: none. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Called when a server has made a task of the call. The call still returns when the task has ended. Default: not reported. */
  readonly onTask?: (task: { readonly id: string }) => void;
}
