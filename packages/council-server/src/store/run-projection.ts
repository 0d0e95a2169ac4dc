import type { RunSample, RunVote } from "../api/run-schemas.ts";
import type { UnpricedUsage } from "./records.ts";

/** What the events of a run say about its calls, votes and usage, wherever they are stored. */

/** An event of a run as it was sent; which fields there are depends on its type. */
export interface EventData {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** One row for each call that was started: what it was for, how it ended, and what became of its answer. */
export function samplesOf(events: readonly EventData[]): RunSample[] {
  const byCall = (types: readonly string[]) =>
    new Map(events.filter(({ type }) => types.includes(type)).map((event) => [event["call"], event]));
  const finished = byCall(["call.finished", "call.failed", "call.aborted"]);
  const samples = byCall(["sample.accepted", "sample.flagged"]);
  return events
    .filter(({ type }) => type === "call.started")
    .map((started) => {
      const end = finished.get(started["call"]);
      const sample = samples.get(started["call"]);
      return {
        call: started["call"] as number,
        purpose: text(started["purpose"]),
        model: text(started["model"]),
        temperature: number(started["temperature"]),
        finish_reason: text(end?.["finish_reason"]),
        input_tokens: number(end?.["input_tokens"]),
        output_tokens: number(end?.["output_tokens"]),
        latency_ms: number(end?.["latency_ms"]),
        answer: text(sample?.["answer"]),
        red_flag: text(sample?.["rule"]),
        error:
          end?.type === "call.failed" ? text(end["error"]) : end?.type === "call.aborted" ? "aborted" : null,
      };
    })
    .sort((a, b) => a.call - b.call);
}

/** The votes in the order in which they were counted. */
export function votesOf(events: readonly EventData[]): RunVote[] {
  return events
    .filter(({ type }) => type === "vote.counted")
    .map((event) => ({
      call: event["call"] as number,
      answer: text(event["answer"]) ?? "",
      leader: text(event["leader"]) ?? "",
      leader_votes: event["leader_votes"] as number,
      runner_up_votes: event["runner_up_votes"] as number,
    }))
    .sort(
      (a, b) => a.leader_votes + a.runner_up_votes - b.leader_votes - b.runner_up_votes || a.call - b.call,
    );
}

export interface ModelUsage extends UnpricedUsage {
  /** Calls that were started. */
  readonly calls: number;
  /** Those of them whose tokens are known. */
  readonly finished: number;
}

/** The usage of each model, from the starts and ends of calls; the events of a run stand together, in their order. */
export function usageByModel(
  events: Iterable<{ readonly run_id: string; readonly data: string }>,
): ModelUsage[] {
  const usages = new Map<string, ModelUsage>();
  const add = (model: string, more: Omit<ModelUsage, "model">) => {
    const sum = usages.get(model) ?? { model, ...NO_USAGE };
    usages.set(model, {
      model,
      calls: sum.calls + more.calls,
      finished: sum.finished + more.finished,
      inputTokens: sum.inputTokens + more.inputTokens,
      outputTokens: sum.outputTokens + more.outputTokens,
    });
  };
  // The start of a call names its model, the end its tokens.
  const models = new Map<number, string>();
  let run = "";
  for (const { run_id, data } of events) {
    if (run_id !== run) models.clear();
    run = run_id;
    const { type, call, model = "", input_tokens = 0, output_tokens = 0 } = JSON.parse(data);
    if (type === "call.started") {
      models.set(call, model);
      add(model, { ...NO_USAGE, calls: 1 });
    } else if (models.has(call)) {
      const tokens = { inputTokens: input_tokens, outputTokens: output_tokens };
      add(models.get(call)!, { ...tokens, calls: 0, finished: 1 });
    }
  }
  return [...usages.values()];
}

const NO_USAGE = { calls: 0, finished: 0, inputTokens: 0, outputTokens: 0 };

function text(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}

function number(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}
