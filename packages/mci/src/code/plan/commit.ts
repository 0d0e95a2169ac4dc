import { raceAbort } from "../../abort.ts";
import type { CallerIdentity, CallOptions, PreviewOptions } from "../../client/client-options.ts";
import { MCIClientError } from "../../errors.ts";
import { selectJson } from "../../json/select-json.ts";
import type { Preview } from "../../preview.ts";
import type { ExecutionResult } from "../../result.ts";
import type { Tool } from "../../schema/tool.ts";
import { type ApprovePlan, entryDigest, type Plan, type PlanEntry } from "./plan.ts";
import type { Journal, JournalRecord, PlanStore } from "./plan-store.ts";

/** What committing needs of a client. */
export interface PlannedClient {
  tool(name: string): Tool;
  preview(name: string, input: object, options?: PreviewOptions): Promise<Preview>;
  call(name: string, input: unknown, options?: CallOptions): Promise<ExecutionResult>;
}

export interface CommitOptions {
  /** Asked once, with the whole plan. Default: it is approved, because the application calls this itself. */
  readonly approve?: ApprovePlan;
  /** What to do about entries of unknown outcome, by number, once a person has looked. Default: they stop the commit. */
  readonly resolve?: Readonly<Record<number, "done" | "repeat">>;
  /** Called after each entry. */
  readonly onProgress?: (done: number, total: number, entry: CommittedEntry) => void;
  /** Who commits: the caller that the plan was made for, if it was made for one. */
  readonly caller?: CallerIdentity;
  readonly signal?: AbortSignal;
}

export interface CommittedEntry {
  readonly number: number;
  readonly tool: string;
  /** "unknown": it was begun, and whether it took effect cannot be told. It is not repeated. */
  readonly state: "done" | "failed" | "unknown" | "not_started";
  readonly text?: string;
}

export interface CommitReport {
  readonly plan: string;
  readonly complete: boolean;
  readonly entries: readonly CommittedEntry[];
}

/** After these errors a write may or may not have taken effect. */
const UNCERTAIN = new Set(
  "http_timeout http_network http_redirect http_response_limit aborted mcp_timeout mcp_unavailable mcp_failed command_timeout command_output_limit internal".split(
    " ",
  ),
);
/** Characters of a result that the journal keeps. */
const MAX_TEXT = 10_000;

/** Executes exactly this plan. After a crash it goes on where the journal ends; nothing is done twice. */
export async function commitPlan(
  client: PlannedClient,
  store: PlanStore,
  id: string,
  { approve, resolve = {}, onProgress, caller, signal }: CommitOptions = {},
): Promise<CommitReport> {
  const plan = await store.load(id);
  requireCaller(plan, caller);
  const journal = await store.open(id);
  try {
    const states = await store.states(id);
    const isDone = ({ number }: PlanEntry) => states.get(number)?.state === "done";
    // What is done is not compared: a write may change what another preview shows.
    await refuseChanges(
      client,
      plan.entries.filter((entry) => !isDone(entry)),
      caller,
    );
    if (!plan.entries.every(isDone)) await requireApproval(plan, approve, signal);
    const entries: CommittedEntry[] = [];
    for (const entry of plan.entries) {
      const stopped = entries.some(({ state }) => state !== "done") || signal?.aborted === true;
      const record = states.get(entry.number);
      const committed = isDone(entry)
        ? toEntry(entry, record!)
        : stopped
          ? toEntry(entry, { state: "not_started" })
          : await commitEntry(client, journal, entry, record, resolve[entry.number], { caller, signal });
      entries.push(committed);
      onProgress?.(entries.filter(({ state }) => state === "done").length, plan.entries.length, committed);
    }
    return { plan: id, complete: entries.every(({ state }) => state === "done"), entries };
  } finally {
    await journal.close();
  }
}

/** A tool, a variable or a file that changed since gives another request than the one that was shown. */
async function refuseChanges(
  client: PlannedClient,
  entries: readonly PlanEntry[],
  caller: CallerIdentity | undefined,
): Promise<void> {
  for (const { number, tool, input, digest } of entries) {
    const request = await client.preview(tool, input, { caller });
    if (entryDigest(tool, input, request) !== digest)
      throw new MCIClientError(
        "plan_changed",
        `Write ${number} (${tool}) would not send what the plan shows: the tool or its settings have changed. Make a new plan.`,
      );
  }
}

/** A plan holds what one caller may do, under that caller's name. */
function requireCaller(plan: Plan, caller: CallerIdentity | undefined): void {
  if (plan.caller === caller?.sub) return;
  throw new MCIClientError(
    "plan_not_approved",
    plan.caller === undefined
      ? `The plan '${plan.id}' was made for no caller, and a caller cannot commit it.`
      : `The plan '${plan.id}' was made for another caller, who alone can commit it.`,
  );
}

async function requireApproval(
  plan: Plan,
  approve: ApprovePlan = () => true,
  signal = new AbortController().signal,
): Promise<void> {
  // What the application throws may hold anything, and the model may read this. One that never decides does not outlive the commit.
  const answer = raceAbort((async () => approve(plan))(), signal);
  const decision = await answer.catch(() =>
    signal.aborted ? "the commit was cancelled" : "the approval failed",
  );
  if (decision === true) return;
  const reason = typeof decision === "string" ? `: ${decision}` : ".";
  throw new MCIClientError(
    "plan_not_approved",
    `The plan was not approved, and nothing was changed${reason}`,
  );
}

async function commitEntry(
  client: PlannedClient,
  journal: Journal,
  entry: PlanEntry,
  before: JournalRecord | undefined,
  decision: "done" | "repeat" | undefined,
  from: Pick<CallOptions, "caller" | "signal">,
): Promise<CommittedEntry> {
  const tool = client.tool(entry.tool);
  const record = async (state: JournalRecord["state"], text?: string) => {
    const shortened = text?.slice(0, MAX_TEXT);
    await journal.write({
      entry: entry.number,
      state,
      ...(shortened === undefined ? {} : { text: shortened }),
    });
    return toEntry(entry, { state: state === "started" ? "unknown" : state, text: shortened });
  };
  if (before?.state === "started" || before?.state === "unknown") {
    const outcome = decision ?? (await learnOutcome(client, entry, tool, from.caller));
    if (outcome === "done")
      return record("done", before.text ?? "It had taken effect before the commit was interrupted.");
    if (outcome === "unknown")
      return record(
        "unknown",
        before.text ?? "The commit was interrupted while this was sent; whether it took effect is unknown.",
      );
  }
  await record("started");
  const options = {
    ...(tool.idempotency?.header === undefined ? {} : { idempotencyKey: entry.idempotencyKey }),
    ...from,
  };
  const result = await client.call(entry.tool, entry.input, options);
  if (!result.isError) return record("done", result.text);
  return record(isUncertain(result) ? "unknown" : "failed", result.text);
}

function isUncertain({ metadata }: ExecutionResult): boolean {
  const { error_code: code, status_code: status } = metadata;
  return UNCERTAIN.has(String(code)) || (code === "http_status" && Number(status) >= 500);
}

/** "repeat" only where the service recognizes the request, or a tool that verifies says that nothing happened. */
async function learnOutcome(
  client: PlannedClient,
  { input }: PlanEntry,
  { idempotency }: Tool,
  caller: CallerIdentity | undefined,
): Promise<"done" | "repeat" | "unknown"> {
  if (idempotency?.header !== undefined) return "repeat";
  if (idempotency?.verify === undefined) return "unknown";
  const { tool, input: properties = {}, done } = idempotency.verify;
  if (client.tool(tool).annotations?.readOnlyHint !== true) return "unknown";
  const entries = Object.entries(properties).map(([name, own]) => [name, input[own]] as const);
  const result = await client.call(tool, Object.fromEntries(entries), { caller });
  if (result.isError) return "unknown";
  const found = await selectJson(result.structuredContent ?? result.text, done, "idempotency.verify.done");
  return found === true ? "done" : found === false ? "repeat" : "unknown";
}

function toEntry(
  { number, tool }: PlanEntry,
  {
    state,
    text,
  }: { readonly state: CommittedEntry["state"] | "started"; readonly text?: string | undefined },
): CommittedEntry {
  return {
    number,
    tool,
    state: state === "started" ? "unknown" : state,
    ...(text === undefined ? {} : { text }),
  };
}
