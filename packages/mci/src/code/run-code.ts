import type { ToolClient } from "../adapters/adapter.ts";
import type { CallOptions, PreviewOptions } from "../client/client-options.ts";
import type { Preview } from "../preview.ts";
import type { ExecutionResult } from "../result.ts";
import type { Tool } from "../schema/tool.ts";
import type { ToolFilter } from "../tools/select.ts";
import { type Plan, PlanBuilder } from "./plan/plan.ts";
import { type CallOutcome, type CodeLimits, runInSandbox, type SandboxOutcome } from "./sandbox/sandbox.ts";

/** "plan": writes become entries of a plan; "direct": they run at once; "refuse": only read-only tools run. */
export type Writes = "plan" | "direct" | "refuse";

/** What running code needs of a client; an `MCIClient` has it. */
export interface CodeClient extends ToolClient {
  tool(name: string, filter?: ToolFilter): Tool;
  preview(name: string, input: object, options?: PreviewOptions): Promise<Preview>;
}

export interface RunCodeOptions extends Pick<CallOptions, "approve" | "caller" | "filter" | "signal"> {
  readonly writes: Writes;
  readonly limits: CodeLimits;
}

export interface CodeOutcome extends SandboxOutcome {
  /** The writes that wait for a commit. */
  readonly plan?: Plan;
  /** Read-only tools that ran after a write was planned: they saw the state before it. */
  readonly readsAfterWrites: readonly string[];
}

/** Runs code of a model with the tools of a client: reads at once, writes as `writes` says. */
export async function runCode(
  client: CodeClient,
  code: string,
  options: RunCodeOptions,
): Promise<CodeOutcome> {
  const { writes, limits, signal, approve, caller, filter } = options;
  const builder = new PlanBuilder();
  const readsAfterWrites = new Set<string>();
  let planned = 0;
  const call = async (name: string, input: unknown, callSignal: AbortSignal): Promise<CallOutcome> => {
    // The code waits for the commit by itself.
    if (name === "") return error("plan_cut", "What follows waits until the plan is committed.");
    const tool = client.tool(name, filter);
    const isRead = tool.annotations?.readOnlyHint === true;
    if (isRead || writes === "direct") {
      if (planned > 0) readsAfterWrites.add(name);
      return toOutcome(await client.call(name, input, { filter, approve, caller, signal: callSignal }));
    }
    if (writes === "refuse")
      return error(
        "write_refused",
        `The tool '${name}' is not marked as read-only, and code may only read here.`,
      );
    const properties = input as Record<string, unknown>;
    planned = builder.add(tool.name, properties, await client.preview(tool.name, properties, { caller }));
    return { state: "planned", number: planned };
  };
  const outcome = await runInSandbox(code, call, limits, signal);
  const plan = builder.build(caller?.sub);
  return { ...outcome, readsAfterWrites: [...readsAfterWrites], ...(plan && { plan }) };
}

/** The structured content, or the text; content of other kinds as it is. */
function toOutcome(result: ExecutionResult): CallOutcome {
  const { isError, metadata, structuredContent, content, text } = result;
  if (isError) return error(String(metadata["error_code"] ?? "tool_failed"), text);
  if (structuredContent !== undefined) return { state: "value", value: structuredContent };
  const isText = content.every(({ type }) => type === "text");
  return { state: "value", value: isText ? text : content };
}

function error(code: string, message: string): CallOutcome {
  return { state: "error", error: { code, message } };
}
