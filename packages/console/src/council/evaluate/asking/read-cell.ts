import type { Run } from "@mci-ts/council-server/api";
import type { Cell } from "../types.ts";

/** What a run that is over says about its cell. */
export function cellOf({ key, attempt, person }: Cell, run: Run): Cell {
  const base = { key, attempt, run_id: run.id, ...(person ? { person } : {}) };
  const seconds = secondsOf(run);
  const { response, calls, cost_usd, cost_source } = run;
  if (!response || "error" in response) {
    const { code, message } = response?.error ?? { code: run.status, message: `The run is ${run.status}.` };
    return {
      ...base,
      state: "failed",
      error: { code, message },
      ...{ calls: calls ?? 0, cost_usd, seconds },
      ...(cost_source === null ? {} : { cost_source }),
    };
  }
  const { answer, voting, usage, status } = response.metadata;
  return {
    ...base,
    state: "answered",
    answer,
    verdict:
      status !== "complete"
        ? status
        : voting?.converged === false || answer === null
          ? "undecided"
          : "decided",
    agreement: voting?.agreement ?? null,
    confidence: voting?.confidence ?? null,
    ...(voting?.confidence_interval
      ? { confidence_interval: voting.confidence_interval as unknown as [number, number] }
      : {}),
    ...(voting?.basis ? { basis: basisOf(voting.basis) } : {}),
    votes: voting?.votes ?? {},
    ...{ calls: usage.calls, cost_usd: usage.cost_usd, cost_source: usage.cost_source, seconds },
  };
}

function secondsOf({ started_at, ended_at, response }: Run): number {
  if (response && "metadata" in response) return response.metadata.performance.total_time_seconds;
  return ended_at === null ? 0 : (Date.parse(ended_at) - Date.parse(started_at)) / 1000;
}

const basisOf = ({ model, strategy, kind }: { model: string; strategy: string; kind: string }) => ({
  model,
  strategy,
  kind,
});
