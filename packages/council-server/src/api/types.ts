/** The types of the API, for the console: it holds no schema, only what is inferred from them. */
export type { Decomposition, ErrorBody, ModelRequest, ModelResponse, Readiness } from "./api-schemas.ts";
export type { CalibrationGroup, CalibrationReport } from "./calibration-schemas.ts";
export type { RunCall, RunCalls } from "./call-schemas.ts";
export type { Capsule } from "./capsule-schema.ts";
export type { EvaluationOptions } from "./evaluation-schemas.ts";
export type { RunEvent } from "./event-schemas.ts";
export type { Run, RunPage, RunSummary } from "./run-schemas.ts";
export type {
  PlanState,
  Task,
  TaskEvent,
  TaskPage,
  TaskStep,
  TaskStepPage,
  TaskStrip,
} from "./task-schemas.ts";
