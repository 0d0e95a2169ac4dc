import type { CallOptions, DefinitionOptions } from "../client/client-options.ts";
import type { ToolDefinition } from "../definitions/definitions.ts";
import { parseExact } from "../json/exact-json.ts";
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
  return client.call(call.name, parsed(call.input), { filter, approve, onProgress, signal });
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

/** Models write no arguments as an empty text. What is no JSON is handed on, for the client to refuse. */
function parsed(input: unknown): unknown {
  if (typeof input !== "string") return input;
  if (input.trim() === "") return {};
  try {
    return parseExact(input);
  } catch {
    return input;
  }
}
