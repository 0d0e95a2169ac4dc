/**
 * Conversation -sample-> ModelReply* -red flag-> Action | Flag -ballot-> Key -vote-> Winner | scattered words
 *              -closest to all-> Action | undecided -> ActionResult      (each arrow also emits one event)
 */

import { omitUndefined } from "@mci-ts/primitives/omit-undefined";
import { compileAnswerSchema } from "../answer-schema/compile.ts";
import { CouncilError } from "../errors.ts";
import type { Conversation, ModelReply } from "../model.ts";
import { noResultError } from "../no-result.ts";
import { type CouncilOptions, checkOptions } from "../options.ts";
import { applyPreset } from "../presets.ts";
import type { RequestConfig } from "../request-config.ts";
import type { ActionSummary, CouncilMetadata, CouncilResult } from "../result.ts";
import { completeRun, finishCalls, openRun, type Run } from "../run.ts";
import { replyText } from "../sampling/red-flags.ts";
import { createClusters } from "../voting/clusters.ts";
import { type HeldVote, holdVote, type Vote } from "../voting/hold-vote.ts";
import { RESAMPLING_TEMPERATURE } from "../voting/run-vote.ts";
import { standing } from "../voting/tally.ts";
import type { ActConfig } from "./act-config.ts";
import { ballotOf } from "./ballot.ts";
import { type Action, type ActionForm, checkAction } from "./check-action.ts";
import { finalReply } from "./final-reply.ts";
import { type ActRules, actRules, isSingleCall, type ToolChoice, whenUndecided } from "./rules.ts";
import { closestToAll } from "./similarity.ts";
import type { CompiledTools } from "./tools.ts";

/** One step of an agent. */
export interface ActionRequest {
  readonly conversation: Conversation;
  /** What the user said last, for people and for the judge. */
  readonly prompt: string;
  readonly tools: CompiledTools;
  readonly choice: ToolChoice;
  /** Whether several calls may be made side by side. */
  readonly parallel: boolean;
  /** JSON Schema of the reply to the user. Absent: text. */
  readonly replySchema?: unknown;
  /** What the caller asks for. Default: 0 for the first sample, a little more for the others. */
  readonly temperature?: number;
  /** Tokens of one reply. Default: the settings'. */
  readonly maxOutputTokens?: number;
  readonly config?: RequestConfig;
}

export interface ActionResult extends CouncilResult {
  /** The sample that is handed out. Absent: nobody's, because the vote was undecided and the user is asked. */
  readonly reply?: ModelReply;
  /** Words that replace those of the sample. */
  readonly text?: string;
  /** Of all samples together. */
  readonly tokens: { readonly cachedInput: number; readonly cacheWrite: number; readonly reasoning: number };
}

/** The name of this kind of run, where strategies have the name of their tool. */
export const ACT = "act";

/** Decides one step of an agent: one call, or a vote on what several samples would do. */
export async function runAction(request: ActionRequest, options: CouncilOptions): Promise<ActionResult> {
  checkOptions(options);
  const { config, act } = resolveConfig(request, options);
  const run = openRun({ prompt: request.prompt, config }, options);
  const startedAt = run.clock.elapsed();
  return completeRun(run, async () => {
    const step = openStep(run, request, act);
    const isSingle = isSingleCall(act, run.settings.k, request.tools, request.choice);
    const decision = await (isSingle ? takeOne(step) : decideByVote(step));
    const { how, reply, label, agreement, voting, isReadOnly, text, status } = decision;
    const calls = decision.calls.map(({ tool, text }) => ({ name: tool.name, arguments: text }));
    const action: ActionSummary = { decided: how, calls, read_only: isReadOnly, agreement };
    if (run.budget.stopped === "cancelled") throw noResultError(run, { flagged: 0, reasons: [] });
    await finishCalls(run);
    run.emit({ type: "action.decided", how, action: label, agreement });
    run.emit({ type: "run.finished", tool: ACT, status });
    const metadata: CouncilMetadata = {
      tool_used: ACT,
      performance: { total_time_seconds: Math.round(run.clock.elapsed() - startedAt) / 1000 },
      raw_output: run.transcript.print(),
      routing: { tool: ACT, by: "intent", rule: "model" },
      model: run.settings.voters.join(", "),
      status,
      warnings: [...run.settings.warnings, ...request.tools.warnings, ...run.notices],
      answer: label,
      ...(voting ? { voting } : {}),
      action,
      usage: run.budget.usage(),
    };
    return {
      result: text ?? (calls.length > 0 ? label : (reply?.text ?? "")),
      metadata,
      tokens: step.tokens,
      ...(reply ? { reply } : {}),
      ...(text === undefined ? {} : { text }),
    };
  });
}

/** Whether a step is not voted on: it is one call, sent and handed back as it is. */
export function isSingleStep(request: ActionRequest, options: ActDefaults): boolean {
  const { config, act } = resolveConfig(request, options);
  const k = config?.k ?? options.defaults?.k ?? 3;
  return isSingleCall(act, k === "auto" ? 3 : k, request.tools, request.choice);
}

/** The settings of a step: from the request, else from its preset, else from the options. */
export function resolveConfig(
  request: Pick<ActionRequest, "prompt" | "config">,
  { presets, defaults }: ActDefaults,
) {
  const { config } = applyPreset({ prompt: request.prompt, config: request.config }, presets);
  const act: ActConfig = { ...defaults?.act, ...omitUndefined(config?.act ?? {}) };
  return { config, act };
}
type ActDefaults = Pick<CouncilOptions, "presets" | "defaults">;

/** How a step ended. */
interface Decision {
  readonly how: ActionSummary["decided"];
  readonly label: string;
  readonly calls: Action["calls"];
  readonly isReadOnly: boolean;
  readonly status: CouncilMetadata["status"];
  readonly agreement: number | null;
  readonly reply?: ModelReply;
  readonly text?: string;
  readonly voting?: CouncilMetadata["voting"];
}

/** What the samples of one step share. */
interface Step {
  readonly run: Run;
  readonly request: ActionRequest;
  readonly rules: ActRules;
  readonly form: ActionForm;
  readonly tokens: { cachedInput: number; cacheWrite: number; reasoning: number };
}

/** A sample that was counted. */
export interface Sampled {
  readonly action: Action;
  readonly reply: ModelReply;
  /** Its number among the samples; the first has the lowest temperature. */
  readonly index: number;
  readonly skeleton: string;
  readonly texts: readonly string[];
}

function openStep(run: Run, request: ActionRequest, config: ActRules["config"]): Step {
  const { tools, choice, parallel, replySchema } = request;
  return {
    run,
    request,
    rules: actRules(config, run.settings.k, tools, choice),
    form: { tools, choice, parallel, ...(replySchema ? { object: compileAnswerSchema(replySchema) } : {}) },
    tokens: { cachedInput: 0, cacheWrite: 0, reasoning: 0 },
  };
}

/** One call, handed on as the model wrote it. */
async function takeOne(step: Step): Promise<Decision> {
  const { run, request } = step;
  const drawn = await draw(step, 0, undefined, true);
  if (drawn.kind === "stopped") throw noResultError(run, { flagged: 0, reasons: [] });
  if (drawn.kind === "failed") throw failureOf(run, drawn);
  const { reply, call } = drawn;
  const action = checkAction(reply, step.form);
  const calls = "rule" in action ? [] : action.calls;
  const label = labelOf(reply, calls.length > 0 ? ballotOf(calls, {}).label : undefined);
  note(run, call, request, reply, "accepted");
  return {
    how: "single",
    label,
    calls,
    isReadOnly: step.rules.isReadOnly(calls),
    status: "complete",
    agreement: null,
    reply,
  };
}

async function decideByVote(step: Step): Promise<Decision> {
  const { run, request, rules, form } = step;
  const clusters = createClusters(async () => false);
  const needed = new Map<string, number>();
  let lastFailure: Extract<Drawn, { kind: "failed" }> | undefined;
  const held = await holdVote<Sampled>(run, {
    choices: [],
    k: rules.maxK,
    kOf: (leader) => (leader === null ? rules.firstK : needed.get(leader)!),
    async draw(index, signal) {
      const drawn = await draw(step, index, signal);
      if (drawn.kind === "failed") lastFailure = drawn;
      if (drawn.kind !== "reply") return drawn;
      const { call, reply } = drawn;
      const action = checkAction(reply, form);
      if ("rule" in action) {
        const { rule, reason, tool } = action;
        note(run, call, request, reply, `red flag, ${rule}: ${reason}`);
        const named = tool === undefined ? {} : { tool: tool.slice(0, 200) };
        run.emit({ type: "sample.flagged", call, rule, reason, ...named });
        return { kind: "flagged", reason: `${rule}: ${reason}` };
      }
      const ballot =
        action.calls.length > 0 ? ballotOf(action.calls, rules.config) : replyBallot(action, form);
      note(run, call, request, reply, "accepted");
      run.emit({ type: "sample.accepted", call, answer: ballot.label });
      const { label, skeleton, texts } = ballot;
      const key = await clusters.place(label, ballot);
      needed.set(key, rules.kOf(action.calls));
      return {
        kind: "vote",
        vote: { call, key, answer: label, value: { action, reply, index, skeleton, texts } },
      };
    },
  });
  if (held.leader === null)
    throw lastFailure && held.summary.red_flagged === 0
      ? failureOf(run, lastFailure)
      : noResultError(run, { flagged: held.summary.red_flagged, reasons: held.reasons });
  return settle(step, held);
}

/** A vote that was decided; one that words alone divide; or one that stays undecided. */
async function settle(step: Step, held: HeldVote<Sampled>): Promise<Decision> {
  const { run, rules } = step;
  const scattered = held.winner === null ? agreeingButForWords(held, rules) : undefined;
  const votes = scattered ?? held.elected;
  if (votes.length > 0) {
    const { calls } = votes[0]!.value.action;
    const { index, agreement } = closestToAll(votes.map(({ value }) => value.texts));
    const hasWords =
      scattered !== undefined ||
      votes.some(({ value }) => value.texts.length > 0 && rules.config.free !== undefined);
    const isReadOnly = rules.isReadOnly(calls);
    if (!hasWords || isReadOnly || agreement >= (rules.config.threshold ?? DEFAULT_THRESHOLD)) {
      const vote = calls.length > 0 ? votes[index]! : first(votes);
      const text =
        calls.length === 0
          ? await finalReply(
              run,
              rules.config,
              votes.map(({ value }) => value),
            )
          : undefined;
      return {
        ...decided(step, vote, scattered ? "similarity" : "vote", held, "complete"),
        agreement: hasWords ? agreement : null,
        ...(text === undefined ? {} : { text }),
      };
    }
  }
  return leaveUndecided(step, held);
}

const DEFAULT_THRESHOLD = 0.5;

/** Of the samples that differ in nothing but free text, those that are ahead of the others by as much as their action needs. */
function agreeingButForWords(held: HeldVote<Sampled>, rules: ActRules): readonly Vote<Sampled>[] | undefined {
  const groups = Map.groupBy(held.counted, ({ value }) => value.skeleton);
  const counts = new Map([...groups].map(([skeleton, votes]) => [skeleton, votes.length]));
  const [k] = [...groups.values()]
    .toSorted((a, b) => b.length - a.length)
    .map(([vote]) => rules.kOf(vote!.value.action.calls));
  const { leader, need } = standing({ k: k!, counts });
  const votes = groups.get(leader!);
  return need === 0 && votes!.length > 1 ? votes : undefined;
}

function leaveUndecided(step: Step, held: HeldVote<Sampled>): Decision {
  const { run, rules } = step;
  const leading = held.counted.find(({ answer }) => answer === held.leader)!;
  const isReadOnly = rules.isReadOnly(leading.value.action.calls);
  const reason = held.undecided ?? "no_agreement";
  const status = run.budget.stopped === undefined ? "degraded" : "partial";
  run.notices.add(`The vote on the action did not converge (${reason}).`);
  switch (whenUndecided(rules, isReadOnly)) {
    case "leader":
      return decided(step, leading, "leader", held, status);
    case "error":
      throw new CouncilError("undecided", `The votes on the next action do not agree: ${considered(held)}`);
    default: {
      const text = askText(held);
      return {
        how: "ask",
        label: text,
        calls: [],
        isReadOnly: false,
        status,
        agreement: null,
        text,
        voting: held.summary,
      };
    }
  }
}

function decided(
  { rules }: Step,
  { answer: label, value }: Vote<Sampled>,
  how: Decision["how"],
  { summary }: HeldVote<Sampled>,
  status: Decision["status"],
): Decision {
  const { calls } = value.action;
  return {
    how,
    label: labelOf(value.reply, calls.length > 0 ? label : undefined),
    calls,
    isReadOnly: rules.isReadOnly(calls),
    status,
    agreement: null,
    reply: value.reply,
    voting: summary,
  };
}

/** The first sample is the model's best guess: it has the lowest temperature. */
const first = (votes: readonly Vote<Sampled>[]) =>
  votes.reduce((earliest, vote) => (vote.value.index < earliest.value.index ? vote : earliest));

function askText({ summary, undecided }: HeldVote<Sampled>): string {
  const lines = summary.clusters
    .slice(0, MAX_CONSIDERED)
    .map(({ answer, votes }) => `- ${votes} of ${total(summary)}: ${answer}`);
  return [
    `I am not sure what to do next, so I have done nothing: the votes on the next action do not agree (${undecided ?? "too different"}).`,
    `Considered:\n${lines.join("\n")}`,
    "Tell me which of these to do, or say more about what you want.",
  ].join("\n\n");
}

const considered = ({ summary }: HeldVote<Sampled>) =>
  summary.clusters
    .slice(0, MAX_CONSIDERED)
    .map(({ answer, votes }) => `${answer} (${votes} of ${total(summary)})`)
    .join("; ");
const MAX_CONSIDERED = 5;
const total = ({ clusters }: HeldVote<Sampled>["summary"]) =>
  clusters.reduce((sum, { votes }) => sum + votes, 0);

/** Any reply is one ballot, whatever its words; one in a form is what it says. */
function replyBallot({ object }: Action, { object: schema }: ActionForm) {
  const label = object && schema ? `${REPLY}: ${schema.label(object)}` : REPLY;
  const key = object && schema ? `${REPLY} ${schema.key(object)}` : REPLY;
  return { key, label, skeleton: key, texts: [] };
}
const REPLY = "reply to the user";

const labelOf = ({ text }: ModelReply, label: string | undefined) =>
  label ?? (text.slice(0, MAX_TRANSCRIPT_CHARS) || REPLY);

type Drawn =
  | { readonly kind: "reply"; readonly call: number; readonly reply: ModelReply }
  | { readonly kind: "failed"; readonly reason: string; readonly fatal: boolean; readonly error: Error }
  | { readonly kind: "stopped" };

async function draw(
  { run, request, tokens }: Step,
  index: number,
  signal?: AbortSignal,
  asSent = false,
): Promise<Drawn> {
  const { voters, maxOutputTokens, reasoningEffort } = run.settings;
  const { temperature = 0, conversation } = request;
  const result = await run.client.call(
    {
      model: voters[index % voters.length]!,
      purpose: ACT,
      messages: [],
      conversation,
      ...(asSent ? { asSent } : {}),
      // Samples that cannot differ are no vote.
      temperature: index === 0 ? temperature : Math.max(temperature, RESAMPLING_TEMPERATURE),
      maxOutputTokens: request.maxOutputTokens ?? maxOutputTokens,
      ...(reasoningEffort === undefined ? {} : { reasoningEffort }),
    },
    signal,
  );
  if (result.kind === "stopped") return result;
  if (result.kind === "failed") {
    const { error, fatal } = result;
    return { kind: "failed", reason: error.message, error, fatal };
  }
  const { usage, warnings = [] } = result.reply;
  tokens.cachedInput += usage.cachedInputTokens ?? 0;
  tokens.cacheWrite += usage.cacheWriteTokens ?? 0;
  tokens.reasoning += usage.reasoningTokens ?? 0;
  for (const warning of warnings) run.notices.add(warning);
  return result;
}

/** Agents shorten their conversation when they are told that it is too long. */
function failureOf(
  run: Run,
  { error, reason }: { readonly error: Error; readonly reason: string },
): CouncilError {
  const isOverflow = "contextOverflow" in error && error.contextOverflow === true;
  if (isOverflow)
    return new CouncilError("context_length_exceeded", `prompt is too long: ${reason}`, { cause: error });
  return noResultError(run, { flagged: 0, reasons: [reason] });
}

function note(
  run: Run,
  call: number,
  { prompt: _ }: ActionRequest,
  reply: ModelReply,
  outcome: string,
): void {
  const calls = (reply.toolCalls ?? []).map(
    ({ name, input }) => `${name}(${typeof input === "string" ? input : JSON.stringify(input)})`,
  );
  const text = [replyText(reply), ...calls].filter(Boolean).join("\n").slice(0, MAX_TRANSCRIPT_CHARS);
  run.transcript.note({ call, purpose: ACT, model: reply.model ?? run.settings.voter, outcome, text });
}
const MAX_TRANSCRIPT_CHARS = 4000;
