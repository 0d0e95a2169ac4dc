export { type ActionResult, isSingleStep, resolveConfig, runAction } from "./actions/act.ts";
export { type ActConfig, actConfigSchema } from "./actions/act-config.ts";
export type { ToolChoice } from "./actions/rules.ts";
export { ACT, type ActionRequest } from "./actions/step.ts";
export { type ActionTool, type CompiledTools, compileTools } from "./actions/tools.ts";
export {
  type AnswerObject,
  type CompiledAnswerSchema,
  compileAnswerSchema,
} from "./answer-schema/compile.ts";
export { SchemaError } from "./answer-schema/inline.ts";
export { type Canonical, canonical } from "./canonical/canonical.ts";
export { type Clock, realClock } from "./clock.ts";
export { runCouncil } from "./council.ts";
export {
  COUNCIL_ERROR_CODES,
  CouncilError,
  type CouncilErrorCode,
  type RequestProblem,
} from "./errors.ts";
export type {
  ActionEvent,
  CallEvent,
  CouncilEvent,
  CouncilSeatEvent,
  EventBody,
  EventSink,
  SampleEvent,
  StopReason,
  ToolEvent,
  VoteEvent,
} from "./events.ts";
export {
  type AnswerSchema,
  type Conversation,
  type FinishReason,
  type Message,
  type Model,
  type ModelCall,
  ModelError,
  type ModelReply,
  type ModelRequest,
  type ModelUsage,
  type Purpose,
  type ReasoningEffort,
  type ToolCall,
  type ToolDefinition,
  type ToolResult,
  type Tools,
} from "./model.ts";
export { optionalField } from "./optional-field.ts";
export type {
  CouncilOptions,
  Defaults,
  EquivalenceCache,
  ModelNames,
  RetryRules,
} from "./options.ts";
export { PRESETS, type Preset } from "./presets.ts";
export { checkArgument, problemsOf } from "./problems.ts";
export { PROMPT_SETS, type PromptSet } from "./prompts/prompt-set.ts";
export { type CouncilRequest, councilRequestSchema } from "./request.ts";
export {
  type Budget,
  budgetSchema,
  contextSchema,
  type Escalation,
  type RequestConfig,
  type RequestContext,
  requestConfigSchema,
  VARIETIES,
  type Variety,
} from "./request-config.ts";
export type {
  ActionSummary,
  Cluster,
  CostSource,
  CouncilMetadata,
  CouncilResult,
  CouncilSummary,
  Decomposition,
  EscalationStep,
  PeerRanking,
  Routing,
  SeatProposal,
  Status,
  Step,
  ToolUse,
  Undecided,
  Usage,
  VotingSummary,
} from "./result.ts";
export { route } from "./routing/router.ts";
export { readReply } from "./sampling/read-reply.ts";
export { createSpeeds, type Speeds } from "./sampling/speeds.ts";
export { simulatedModel } from "./simulated/model.ts";
export { SIMULATED_MODEL, SIMULATED_NOTE } from "./simulated/request.ts";
export {
  INTENTS,
  type Intent,
  STRATEGIES,
  type StrategyTool,
  TOOLS,
} from "./strategies/strategies.ts";
export type { Answer, Strategy } from "./strategies/strategy.ts";
export type {
  CallGuard,
  PlanEngine,
  PlannedOutcome,
  PlanWork,
  StepsEngine,
  SynthesisOutcome,
  TaskEngine,
  TaskMetrics,
} from "./tasks/engine-port.ts";
export type { TaskLanguage } from "./tasks/language.ts";
export {
  blockedSteps,
  inOrder,
  isSolved,
  nextOrder,
  type PlanResults,
  type PlanStepResult,
  readySteps,
  shorten,
  undecidedSteps,
} from "./tasks/plan.ts";
export { type Allotment, allotBudget } from "./tasks/plan-budget.ts";
export type {
  StepView,
  StripRange,
  TaskFault,
  TaskStrip,
  TaskView,
  UndecidedStep,
} from "./tasks/public-task.ts";
export type {
  BulkResult,
  CreatedTask,
  DeliverTaskWebhook,
  IdempotencyKey,
  InstanceStats,
  Log,
  LogFields,
  TaskActions,
  TaskCounts,
  TaskFilter,
  TaskInstance,
  TaskQuery,
  TaskServiceOptions,
  Tasks,
  TaskWatch,
  TaskWebhook,
} from "./tasks/service-port.ts";
export {
  isContested,
  type StepEnd,
  type StepEvidence,
  type StepOutcome,
  type StepRecord,
  type StepsProgress,
  spendingOf,
} from "./tasks/step-record.ts";
export type { StepOptions } from "./tasks/steps-task.ts";
export { createTaskEngine, type TaskEngineOptions } from "./tasks/task-engine.ts";
export {
  type ScheduleView,
  scheduleNameSchema,
  type TaskSchedule,
  type TaskSchedules,
  taskScheduleSchema,
} from "./tasks/task-schedule.ts";
export {
  type PlanTaskSpec,
  planTaskSchema,
  type StepsTaskSpec,
  stepsTaskSchema,
  type TaskSpec,
  taskSpecSchema,
} from "./tasks/task-spec.ts";
export {
  BULK_ACTIONS,
  type BulkAction,
  isFinal,
  nextStatus,
  type PauseReason,
  refusal,
  TASK_STATUSES,
  type TaskAction,
  type TaskStatus,
} from "./tasks/task-status.ts";
export { addUsage, NO_USAGE, remainingBudget, type TaskUsage } from "./tasks/usage.ts";
export {
  type Calibration,
  createCalibration,
  type Measured,
  MIN_OUTCOMES,
  type Outcome,
  type OutcomeBasis,
  outcomeBasisSchema,
  outcomeSchema,
} from "./voting/calibration.ts";
export {
  chanceLeaderRight,
  type Dependence,
  effectiveVotes,
  measureDependence,
} from "./voting/dependence.ts";
export { chanceOfMajority } from "./voting/ending.ts";
export { chanceRight, expectedVotes, kMin, lowerBound } from "./voting/statistics.ts";
export { whyVotesCannotHelp } from "./voting/vote-limits.ts";
