import { stableJson } from "../canonical/json.ts";
import type { Clock } from "../clock.ts";
import type { EventBody } from "../events.ts";
import type { ToolCall, ToolDefinition, ToolResult, Tools } from "../model.ts";
import type { ToolUse } from "../result.ts";

/** The tools of one run. Equal calls are made once and shared: k voters must not do a thing k times. */
export interface SharedTools {
  readonly definitions: readonly ToolDefinition[];
  /** The result as text, an error included. Never rejects. */
  call(call: ToolCall, modelCall: number): Promise<string>;
  /** Every distinct call so far, with how often it was asked for. */
  uses(): readonly ToolUse[];
}

/** Distinct calls of one run; what is asked for beyond is refused. */
const MAX_DISTINCT_CALLS = 100;
const MAX_RESULT_CHARS = 20_000;
const MAX_EVENT_CHARS = 500;

export function shareTools(
  tools: Tools,
  { signal, clock, emit }: { signal: AbortSignal; clock: Clock; emit: (event: EventBody) => void },
): SharedTools {
  const made = new Map<
    string,
    { readonly use: Writable<ToolUse>; readonly text: Promise<string>; readonly number: number }
  >();
  return {
    definitions: tools.definitions,
    call({ name, input }, modelCall) {
      if (!tools.definitions.some((tool) => tool.name === name))
        return Promise.resolve(`There is no tool "${name.slice(0, 100)}".`);
      const key = stableJson([name, input]);
      if (key === undefined) return Promise.resolve("The input is nested too deeply.");
      const earlier = made.get(key);
      if (earlier) {
        earlier.use.requested++;
        emit({ type: "tool.shared", number: earlier.number, tool: name, call: modelCall });
        return earlier.text;
      }
      if (made.size >= MAX_DISTINCT_CALLS)
        return Promise.resolve(`No more than ${MAX_DISTINCT_CALLS} different calls are made in one run.`);
      const use = { tool: name, input, requested: 1, latency_ms: 0, is_error: false };
      const number = made.size + 1;
      const text = run(use, number, modelCall);
      made.set(key, { use, text, number });
      return text;
    },
    uses: () => [...made.values()].map(({ use }) => ({ ...use })),
  };

  async function run(use: Writable<ToolUse>, number: number, call: number): Promise<string> {
    const started = clock.elapsed();
    emit({
      type: "tool.started",
      number,
      tool: use.tool,
      input: JSON.stringify(use.input ?? {}).slice(0, MAX_EVENT_CHARS),
      call,
    });
    const { text, isError } = await raceAbort(tools, use, signal);
    use.latency_ms = Math.round(clock.elapsed() - started);
    use.is_error = isError;
    const truncated =
      text.length > MAX_RESULT_CHARS
        ? `${text.slice(0, MAX_RESULT_CHARS)}\n[cut after ${MAX_RESULT_CHARS} characters]`
        : text;
    emit({
      type: "tool.finished",
      number,
      tool: use.tool,
      is_error: isError,
      latency_ms: use.latency_ms,
      result: text.slice(0, MAX_EVENT_CHARS),
    });
    return isError ? `The tool failed: ${truncated}` : truncated;
  }
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Does not wait for a tool that ignores its signal: the time of tools counts against the deadline. */
async function raceAbort(tools: Tools, { tool, input }: ToolUse, signal: AbortSignal): Promise<ToolResult> {
  const aborted = Promise.withResolvers<ToolResult>();
  const onAbort = () => aborted.resolve({ text: "the run was stopped", isError: true });
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([tools.call(tool, input, signal), aborted.promise]);
  } catch (error) {
    return { text: error instanceof Error ? error.message : String(error), isError: true };
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
