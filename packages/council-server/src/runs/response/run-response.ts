import { CouncilError, type CouncilResult, SIMULATED_MODEL, STRATEGIES } from "@mci-ts/council";
import type { ModelResponse } from "../../api/api-schemas.ts";
import type { RunStatus } from "../../api/run-schemas.ts";
import { dailyBudgetError } from "../../budget/daily-budget.ts";
import { fromCouncilError, ServiceError, shuttingDown } from "../../service-error.ts";
import type { StoreRecord } from "../../store/records.ts";
import type { LiveRun, RunResponse } from "../live/live-run.ts";

/** The engine's result as a response of the API. */
export function successResponse(
  id: string,
  { result, metadata, formatted }: CouncilResult & { readonly formatted?: unknown },
  simulated: boolean,
  warnings: readonly string[],
): RunResponse {
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
  return { body };
}

/** The response to a run that threw. */
export function failureResponse(live: LiveRun, error: unknown): RunResponse {
  return errorResponse(toServiceError(live, error));
}

export function errorResponse({ body, retryAfterSeconds }: ServiceError): RunResponse {
  return { body, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
}

/** The record that ends the run in the history. */
export function endRecord(
  live: LiveRun,
  { body }: RunResponse,
  httpStatus: number,
  error?: unknown,
): StoreRecord {
  const response = JSON.stringify(body);
  const base = { kind: "ended", id: live.id, at: Date.now(), httpStatus, response } as const;
  if ("error" in body) {
    const ended: RunStatus = live.cancelled === undefined ? "failed" : "cancelled";
    return { ...base, status: ended, ...(error instanceof CouncilError ? usageColumns(error.usage) : {}) };
  }
  const { tool_used, model, voting, usage, status: quality } = body.metadata;
  const answer = answerLine(body.metadata);
  const counts = Object.values(voting?.votes ?? {});
  return {
    ...base,
    status: quality,
    tool: tool_used,
    model,
    ...(answer === undefined ? {} : { answer }),
    ...usageColumns(usage),
    // Only votes measure agreement; seats of a council hold positions.
    ...(measuresAgreement(tool_used) && voting?.converged
      ? { agreed: Math.max(...counts), votes: counts.reduce((sum, count) => sum + count, 0) }
      : {}),
  };
}

/** What was decided, in one line: the answer, or what an agent does next. */
function answerLine({ answer, action }: ModelResponse["metadata"]): string | undefined {
  if (answer !== null && answer !== undefined)
    return typeof answer === "string" ? answer : JSON.stringify(answer);
  return action?.calls.map(({ name, arguments: input }) => `${name}(${input})`).join(", ") || undefined;
}

const measuresAgreement = (name: string) =>
  STRATEGIES.some(({ tool, measuresAgreement }) => tool === name && measuresAgreement);

/** The error that clients receive. */
export function toServiceError(live: LiveRun, error: unknown): ServiceError {
  // The engine only reports "cancelled"; the reason is known here.
  switch (live.cancelled) {
    case "daily_budget":
      return dailyBudgetError("The service reached its daily budget while this run was in flight");
    case "subject_budget":
      return dailyBudgetError("You reached your part of the daily budget while this run was in flight");
    case "shutdown":
      return shuttingDown();
    case "deleted":
      return new ServiceError("cancelled", `The run was cancelled by DELETE /runs/${live.id}`);
    case "task_cancelled":
      return new ServiceError("cancelled", "The run was cancelled with tasks/cancel");
    case "not_recorded":
      return new ServiceError(
        "history_unavailable",
        "The run could not be recorded, and its client was told so",
      );
    case "client_gone":
      return new ServiceError("cancelled", "The client disconnected");
  }
  if (error instanceof ServiceError) return error;
  if (error instanceof CouncilError) return fromCouncilError(error);
  if ((error as Error)?.name === "TimeoutError")
    return new ServiceError(
      "deadline_exceeded",
      "The deadline passed while the answer was put into response_format",
    );
  return new ServiceError("internal", "The service failed unexpectedly; its log has the details", {
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
