import type { ToolClient } from "../adapters/adapter.ts";
import type { CallOptions } from "../client/client-options.ts";
import { MCIClientError } from "../errors.ts";
import { ExecutionResult } from "../result.ts";
import { type MetaTool, withMetaTools } from "../search/meta-tools.ts";
import { type SearchableClient, type SearchToolOptions, searchMetaTool } from "../search/search-tool.ts";
import { declareTools } from "../types-generator/declare-tools.ts";
import { type CommitOptions, type CommitReport, commitPlan, type PlannedClient } from "./plan/commit.ts";
import { openPlanStore } from "./plan/open-plan-store.ts";
import { type ApprovePlan, describePlan, type Plan } from "./plan/plan.ts";
import type { PlanStore } from "./plan/plan-store.ts";
import { type CodeClient, type CodeOutcome, runCode, type Writes } from "./run-code.ts";
import { type CodeLimits, DEFAULT_CODE_LIMITS, type SandboxError } from "./sandbox/sandbox.ts";

export interface CodeToolOptions extends SearchToolOptions, Pick<CallOptions, "approve"> {
  /** What happens to tools that are not marked as read-only. Default "plan" with `plans`, else "refuse". */
  readonly writes?: Writes;
  /** Folder of the plans and their journals, or another place for them, such as `postgresPlanStore(pool)`. */
  readonly plans?: string | PlanStore;
  /** Asked before a model commits a plan. Default: models cannot commit; the application calls `commit` itself. */
  readonly approvePlan?: ApprovePlan;
  readonly limits?: Partial<CodeLimits>;
}

/** The tools of a client behind code: for adapters and servers, and to commit plans. */
export interface CodeTool extends ToolClient {
  /** The plan as it was made. Throws if there is none, or if it was changed. */
  plan(id: string): Promise<Plan>;
  /** Executes exactly this plan, or the rest of it after a crash. */
  commit(id: string, options?: CommitOptions): Promise<CommitReport>;
}

type FullClient = CodeClient & SearchableClient & PlannedClient;

/** `search_tools` declares tools as TypeScript; `run_code` runs code with them; `commit_plan` executes what it planned. */
export function codeTool(client: FullClient, options: CodeToolOptions = {}): CodeTool {
  const { filter = {}, pin, plans, approvePlan } = options;
  const writes = options.writes ?? (plans === undefined ? "refuse" : "plan");
  if (writes === "plan" && plans === undefined)
    throw new MCIClientError(
      "invalid_argument",
      "With writes: \"plan\", 'plans' must be a folder or a store for the plans.",
    );
  const store = plans === undefined ? undefined : openPlanStore(plans);
  const search = searchMetaTool(
    client,
    options,
    "Results are TypeScript declarations for run_code.",
    (definitions) => declareTools(definitions),
  );
  const run = runMetaTool(client, { ...options, writes }, store);
  const commit: CodeTool["commit"] = async (id, commitOptions) => {
    if (store === undefined) throw new MCIClientError("plan_not_found", `There is no plan '${id}'.`);
    return commitPlan(client, store, id, commitOptions);
  };
  const tools = [search, run, ...(writes === "plan" ? [commitMetaTool(commit, approvePlan)] : [])];
  refuseWritingPins(client, pin, writes);
  return {
    ...withMetaTools(client, tools, pin, filter),
    async plan(id) {
      if (store === undefined) throw new MCIClientError("plan_not_found", `There is no plan '${id}'.`);
      return store.load(id);
    },
    commit,
  };
}

/** A pinned tool is called without code, and would write without a plan. */
function refuseWritingPins(client: CodeClient, pin: readonly string[] = [], writes: Writes): void {
  if (writes === "direct") return;
  for (const name of pin)
    if (client.tool(name).annotations?.readOnlyHint !== true)
      throw new MCIClientError(
        "invalid_argument",
        `The tool '${name}' is not marked as read-only, and pinned it would write without a plan.`,
      );
}

const ABOUT_WRITES: Record<Writes, string> = {
  plan: "Read-only tools run at once. Every other call is planned instead, and its result is unknown: the plan is returned, and nothing changes before it is committed. Write `await untilCommitted()` where the rest needs the effects of earlier writes, and send that rest after the commit.",
  direct: "",
  refuse: "Only read-only tools run.",
};

function runMetaTool(
  client: CodeClient,
  options: CodeToolOptions & { readonly writes: Writes },
  store: PlanStore | undefined,
): MetaTool {
  const { writes, filter, approve } = options;
  const limits = { ...DEFAULT_CODE_LIMITS, ...options.limits };
  return {
    definition: {
      name: "run_code",
      description: [
        "Runs JavaScript or TypeScript, the body of an async function, that calls tools: `await tools.name(input)`; `Promise.all` runs calls side by side.",
        "Return what you need; what it prints to the console comes back, too. A failed tool throws a ToolError with `code`. There is no network, no file system and no timer.",
        "Find tools and their types with search_tools.",
        ABOUT_WRITES[writes],
      ]
        .join(" ")
        .trim(),
      inputSchema: {
        type: "object",
        properties: { code: { type: "string", description: "The code; use return" } },
        required: ["code"],
      },
      annotations: { title: "Run code", readOnlyHint: writes !== "direct", openWorldHint: true },
    },
    async run({ code }, callOptions) {
      const { signal, caller } = callOptions;
      const outcome = await runCode(client, code as string, {
        writes,
        limits,
        filter,
        approve: callOptions.approve ?? approve,
        caller,
        signal,
      });
      if (outcome.plan !== undefined) await store?.save(outcome.plan);
      return describeOutcome(outcome);
    },
  };
}

function commitMetaTool(commit: CodeTool["commit"], approvePlan: ApprovePlan | undefined): MetaTool {
  const refuse = () => "plans are committed by the application, not by the model";
  return {
    definition: {
      name: "commit_plan",
      description:
        "Executes a plan that run_code returned, exactly as it was shown, after a person has approved it.",
      inputSchema: {
        type: "object",
        properties: { plan_id: { type: "string" } },
        required: ["plan_id"],
      },
      annotations: {
        title: "Commit a plan",
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: true,
      },
    },
    async run({ plan_id: id }, { approvePlan: approveThis, caller, signal, onProgress }) {
      const report = await commit(id as string, {
        approve: approveThis ?? approvePlan ?? refuse,
        caller,
        signal,
        onProgress: (done, total) => onProgress?.({ progress: done, total }),
      });
      return describeReport(report);
    },
  };
}

function describeOutcome(outcome: CodeOutcome): ExecutionResult {
  const { value, error, console: printed, plan, readsAfterWrites } = outcome;
  const isCut = error?.cut === true || error?.code === "plan_cut";
  const parts = [
    value,
    error && describeError(error, isCut),
    printed === "" ? undefined : `Printed:\n${printed.trimEnd()}`,
    plan && `${describePlan(plan)}\nCommit it with commit_plan, plan_id "${plan.id}".`,
    plan && readsAfterWrites.length > 0
      ? `These ran after a write was planned, and saw the state before it: ${readsAfterWrites.join(", ")}.`
      : undefined,
  ].filter((part) => part !== undefined);
  const failed = error !== undefined && !isCut;
  return new ExecutionResult({
    content: [{ type: "text", text: parts.length === 0 ? "The code returned nothing." : parts.join("\n\n") }],
    isError: failed,
    metadata: { ...(failed && { error_code: "code_failed" }), ...(plan && { plan_id: plan.id }) },
  });
}

function describeError({ name, message, code, line, column }: SandboxError, isCut: boolean): string {
  const place =
    line === undefined ? "" : ` at line ${line}${column === undefined ? "" : `, column ${column}`}`;
  if (isCut) return `The code stopped${place}: ${message} Commit the plan, then send the rest of the code.`;
  return `${name}${code === undefined ? "" : ` (${code})`}${place}: ${message}`;
}

function describeReport({ complete, entries }: CommitReport): ExecutionResult {
  const done = entries.filter(({ state }) => state === "done").length;
  const lines = entries.map(
    ({ number, tool, state, text = "" }) =>
      `${number}. ${tool}: ${state}${text === "" ? "" : `: ${text.slice(0, 500)}`}`,
  );
  const head = complete
    ? `All ${done} writes are done.`
    : `${done} of ${entries.length} writes are done. What is unknown was begun, and whether it took effect cannot be told: it is not repeated. Check it before you go on.`;
  return new ExecutionResult({
    content: [{ type: "text", text: [head, ...lines].join("\n") }],
    isError: !complete,
    metadata: complete ? {} : { error_code: "commit_incomplete" },
  });
}
