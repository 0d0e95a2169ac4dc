import type { SampleRow, VoteRow } from "@mci-ts/council-server";

/** An event of a run as it was sent; which fields there are depends on its type. */
export interface EventData {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** One row for each call that was started: what it was for, how it ended, and what became of its answer. */
export function samplesOf(events: readonly EventData[]): SampleRow[] {
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

/** In the order they were counted. */
export function votesOf(events: readonly EventData[]): VoteRow[] {
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

function text(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}

function number(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}
