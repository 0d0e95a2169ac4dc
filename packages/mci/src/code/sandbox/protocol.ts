/** What the thread of a sandbox gets when it starts. Nothing of the environment is in it. */
export interface SandboxData {
  readonly wasm: WebAssembly.Module;
  readonly memoryBytes: number;
}

/** To the thread: code to run, once; then the results of its calls. */
export type ToSandbox =
  | { readonly type: "run"; readonly code: string; readonly limits: ThreadLimits }
  | { readonly type: "settle"; readonly id: number; readonly state: SettledState; readonly json: string };

/** "value": the JSON of what the tool returned; "planned": the number of an entry; "error": the JSON of a `CallError`. */
export type SettledState = "value" | "planned" | "error";

export interface CallError {
  readonly tool: string;
  readonly code: string;
  readonly message: string;
}

export interface ThreadLimits {
  readonly timeoutMs: number;
  readonly maxCalls: number;
  readonly maxOutputChars: number;
  readonly maxInputChars: number;
  /** Characters of all calls together: inputs wait outside of the sandbox, where its memory is not counted. */
  readonly maxTotalInputChars: number;
}

/** From the thread: calls, then how it ended. */
export type FromSandbox =
  | { readonly type: "ready" }
  | { readonly type: "call"; readonly id: number; readonly tool: string; readonly json: string }
  | { readonly type: "end"; readonly outcome: SandboxOutcome };

export interface SandboxOutcome {
  /** JSON of what the code returned; absent if it returned nothing or failed. */
  readonly value?: string;
  readonly error?: SandboxError;
  /** What it printed. */
  readonly console: string;
}

export interface SandboxError {
  readonly name: string;
  readonly message: string;
  /** The error code of a failed tool. */
  readonly code?: string;
  /** In the code as it was given, from 1. */
  readonly line?: number;
  readonly column?: number;
  /** The code needs the result of a planned write, or asked to wait for the commit. */
  readonly cut?: boolean;
}
