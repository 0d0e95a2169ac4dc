/**
 * Conversation -sample-> ModelReply* -red flag-> Action | Flag -ballot-> Key -vote-> Winner | scattered words
 *              -closest to all-> Action | undecided -> ActionResult      (each arrow also emits one event)
 */

import { omitUndefined } from "@mci-ts/primitives/omit-undefined";
import type { ModelReply } from "../model.ts";
import { noResultError } from "../no-result.ts";
import { type CouncilOptions, checkOptions } from "../options.ts";
import { applyPreset } from "../presets.ts";
import type { ActionSummary, CouncilMetadata, CouncilResult } from "../result.ts";
import { completeRun, finishCalls, openRun } from "../run.ts";
import { createClusters } from "../voting/clusters.ts";
import { holdVote } from "../voting/hold-vote.ts";
import type { ActConfig } from "./act-config.ts";
import { ballotOf } from "./ballot.ts";
import { type Action, type ActionForm, checkAction } from "./check-action.ts";
import { type Decision, settle } from "./decide.ts";
import { isSingleCall } from "./rules.ts";
import {
  ACT,
  type ActionRequest,
  type ActionStep,
  type Drawn,
  draw,
  failureOf,
  labelOf,
  note,
  openStep,
  type Sampled,
} from "./step.ts";

export interface ActionResult extends CouncilResult {
  /** The sample that is handed out. Absent: nobody's, because the vote was undecided and the user is asked. */
  readonly reply?: ModelReply;
  /** Words that replace those of the sample. */
  readonly text?: string;
  /** The tokens of all samples together. */
  readonly tokens: { readonly cachedInput: number; readonly cacheWrite: number; readonly reasoning: number };
}

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

/** One call, handed on as the model wrote it. */
async function takeOne(step: ActionStep): Promise<Decision> {
  const { run } = step;
  const drawn = await draw(step, 0, undefined, true);
  if (drawn.kind === "stopped") throw noResultError(run, { flagged: 0, reasons: [] });
  if (drawn.kind === "failed") throw failureOf(run, drawn);
  const { reply, call } = drawn;
  const action = checkAction(reply, step.form);
  const calls = "rule" in action ? [] : action.calls;
  const label = labelOf(reply, calls.length > 0 ? ballotOf(calls, {}).label : undefined);
  note(run, call, reply, "accepted");
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

async function decideByVote(step: ActionStep): Promise<Decision> {
  const { run, rules, form } = step;
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
        note(run, call, reply, `red flag, ${rule}: ${reason}`);
        const named = tool === undefined ? {} : { tool: tool.slice(0, 200) };
        run.emit({ type: "sample.flagged", call, rule, reason, ...named });
        return { kind: "flagged", reason: `${rule}: ${reason}` };
      }
      const ballot =
        action.calls.length > 0 ? ballotOf(action.calls, rules.config) : replyBallot(action, form);
      note(run, call, reply, "accepted");
      run.emit({ type: "sample.accepted", call, answer: ballot.label });
      const { label } = ballot;
      const key = await clusters.place(label, ballot);
      needed.set(key, rules.kOf(action.calls));
      return {
        kind: "vote",
        vote: { call, key, answer: label, value: { action, reply, index, ballot } },
      };
    },
  });
  if (held.leader === null)
    throw lastFailure && held.summary.red_flagged === 0
      ? failureOf(run, lastFailure)
      : noResultError(run, { flagged: held.summary.red_flagged, reasons: held.reasons });
  return settle(step, held);
}

/** Any reply is one ballot, whatever its words; one in a form is what it says. */
function replyBallot({ object }: Action, { object: schema }: ActionForm) {
  const label = object && schema ? `${REPLY}: ${schema.label(object)}` : REPLY;
  const key = object && schema ? `${REPLY} ${schema.key(object)}` : REPLY;
  return { key, label, skeleton: key, texts: [] };
}
const REPLY = "reply to the user";
