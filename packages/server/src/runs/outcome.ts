import { CouncilError, type CouncilResult, SIMULATED_MODEL } from "@mci-ts/council";
import type { ModelResponse } from "../http/api-schemas.ts";
import { fromCouncilError, HttpError } from "../http/errors.ts";
import type { RunStatus, StoreRecord } from "../store/records.ts";
import { dailyBudgetError } from "./daily-budget.ts";
import type { LiveRun, Outcome } from "./live-run.ts";

/** The engine's result as a response of the API. */
export function successOutcome(
  id: string,
  { result, metadata, formatted }: CouncilResult & { readonly formatted?: unknown },
  simulated: boolean,
  warnings: readonly string[],
): Outcome {
  const { tool_used, performance, raw_output, ...more } = metadata;
  const body: ModelResponse = {
    result,
    metadata: {
      tool_used,
      request_id: id,
      timestamp: new Date().toISOString(),
      performance,
      raw_output,
      ...more,
      ...(formatted === undefined ? {} : { formatted }),
      warnings: [...metadata.warnings, ...warnings],
      ...(simulated
        ? { model: SIMULATED_MODEL, usage: { ...metadata.usage, cost_usd: 0, cost_source: "simulated" } }
        : {}),
    },
  };
  return { status: 200, body };
}

/** The outcome of a run that threw. */
export function failureOutcome(live: LiveRun, error: unknown): Outcome {
  const http = toHttpError(live, error);
  return { status: http.status, body: http.body, headers: http.headers };
}

/** The record that ends the run in the history. */
export function endRecord(live: LiveRun, outcome: Outcome, error?: unknown): StoreRecord {
  const { body, status } = outcome;
  const response = JSON.stringify(body);
  const base = { kind: "ended", id: live.id, at: Date.now(), httpStatus: status, response } as const;
  if ("error" in body) {
    const ended: RunStatus = live.cancelled === undefined ? "failed" : "cancelled";
    return { ...base, status: ended, ...(error instanceof CouncilError ? usageColumns(error.usage) : {}) };
  }
  const { tool_used, model, voting, usage, status: quality } = body.metadata;
  const counts = Object.values(voting?.votes ?? {});
  return {
    ...base,
    status: quality,
    tool: tool_used,
    model,
    ...usageColumns(usage),
    // Only votes measure agreement; seats of a council hold positions.
    ...(tool_used === "solve_with_voting" && voting?.converged
      ? { agreed: Math.max(...counts), votes: counts.reduce((sum, count) => sum + count, 0) }
      : {}),
  };
}

/** The error that clients receive. */
export function toHttpError(live: LiveRun, error: unknown): HttpError {
  // The engine only reports "cancelled"; the reason is known here.
  switch (live.cancelled) {
    case "daily_budget":
      return dailyBudgetError("The service reached its daily budget while this run was in flight");
    case "shutdown":
      return new HttpError("shutting_down", "The service is stopping", { headers: { "retry-after": "5" } });
    case "deleted":
      return new HttpError("cancelled", `The run was cancelled by DELETE /runs/${live.id}`);
    case "task_cancelled":
      return new HttpError("cancelled", "The run was cancelled with tasks/cancel");
    case "client_gone":
      return new HttpError("cancelled", "The client disconnected");
  }
  if (error instanceof HttpError) return error;
  if (error instanceof CouncilError) return fromCouncilError(error);
  if ((error as Error)?.name === "TimeoutError")
    return new HttpError(
      "deadline_exceeded",
      "The deadline passed while the answer was put into response_format",
    );
  return new HttpError("internal", "The service failed unexpectedly; its log has the details", {
    cause: error,
  });
}

function usageColumns(usage: ModelResponse["metadata"]["usage"] | undefined): object {
  if (!usage) return {};
  const { calls, input_tokens, output_tokens, cost_usd, cost_source } = usage;
  return {
    calls,
    inputTokens: input_tokens,
    outputTokens: output_tokens,
    costUsd: cost_usd,
    costSource: cost_source,
  };
}
