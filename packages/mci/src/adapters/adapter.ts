import type { CallOptions, DefinitionOptions } from "../client/client-options.ts";
import type { ToolDefinition } from "../definitions/definitions.ts";
import type { ExecutionResult } from "../result.ts";
import type { ContentOptions } from "./content.ts";

/** What adapters need of a client; an `MCIClient`, whatever it knows about its tools. */
export interface ToolClient {
  toolDefinitions(options?: DefinitionOptions): ToolDefinition[];
  call(name: string, input: unknown, options?: CallOptions): Promise<ExecutionResult>;
}

/** The options of `toTools`. Give the same to `runToolCalls`. */
export interface AdapterOptions
  extends Pick<CallOptions, "filter" | "approve" | "onProgress">,
    Pick<DefinitionOptions, "onWarning">,
    ContentOptions {}

/** Whether a call must wait for an approval. It sees the tool as the model does, and the input as the model wrote it. */
export type NeedsApproval = (tool: ToolDefinition, input: unknown) => boolean | Promise<boolean>;

/** The options of `toTools` for frameworks that can pause a run and resume it later, also in another process. */
export interface PausingOptions extends AdapterOptions {
  /**
   * Pauses the run with the framework's own approval request before a tool runs that is not marked as read-only: `true`, or
   * a function that decides for each call. Default: no call pauses. `approve` is asked as well, when the tool runs.
   */
  readonly needsApproval?: boolean | NeedsApproval;
}

/** `true`: always; a function: for some calls; `false`: never. A function that throws has not decided, and the call waits. */
export function approvalOf(
  definition: ToolDefinition,
  { needsApproval = false }: PausingOptions,
): boolean | ((input: unknown) => Promise<boolean>) {
  if (needsApproval === false || definition.annotations.readOnlyHint === true) return false;
  if (needsApproval === true) return true;
  return async (input) => {
    try {
      return (await needsApproval(definition, input)) !== false;
    } catch {
      return true;
    }
  };
}

/** The options of `runToolCalls`. */
export interface RunOptions extends Omit<AdapterOptions, "onWarning"> {
  /** Cancels the calls; each still gets its result, an error that says so. */
  readonly signal?: AbortSignal;
}

/** One call of a model, whatever shape its provider gives it. */
export interface ModelCall {
  readonly name: string;
  /** An object, or the JSON text of one. */
  readonly input: unknown;
}

/** Runs one call; a result whatever happens. */
export function runCall(client: ToolClient, call: ModelCall, options: RunOptions): Promise<ExecutionResult> {
  const { filter, approve, onProgress, signal } = options;
  return client.call(call.name, call.input, { filter, approve, onProgress, signal });
}

/** Runs the calls of one turn side by side; the results come in the order of the calls. */
export async function runCalls<Call, Result>(
  client: ToolClient,
  calls: readonly Call[],
  options: RunOptions,
  read: (call: Call) => ModelCall,
  write: (call: Call, result: ExecutionResult) => Result,
): Promise<Result[]> {
  return Promise.all(calls.map(async (call) => write(call, await runCall(client, read(call), options))));
}
