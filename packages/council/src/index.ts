export { type Clock, realClock } from "./clock.ts";
export { runCouncil } from "./council.ts";
export {
  COUNCIL_ERROR_CODES,
  CouncilError,
  type CouncilErrorCode,
  type RequestProblem,
} from "./errors.ts";
export type {
  CallEvent,
  CouncilEvent,
  CouncilSeatEvent,
  EventBody,
  EventSink,
  SampleEvent,
  StopReason,
  VoteEvent,
} from "./events.ts";
export {
  type AnswerSchema,
  type FinishReason,
  type Message,
  type Model,
  ModelError,
  type ModelReply,
  type ModelRequest,
  type ModelUsage,
  type Purpose,
  type ReasoningEffort,
} from "./model.ts";
export type {
  CouncilOptions,
  Defaults,
  EquivalenceCache,
  ModelNames,
  RetryRules,
} from "./options.ts";
export { checkArgument, problemsOf } from "./problems.ts";
export {
  type Budget,
  budgetSchema,
  type CouncilRequest,
  contextSchema,
  councilRequestSchema,
  type Escalation,
  INTENTS,
  type Intent,
  type RequestConfig,
  type RequestContext,
  requestConfigSchema,
} from "./request.ts";
export {
  type Cluster,
  type CostSource,
  type CouncilMetadata,
  type CouncilResult,
  type Decomposition,
  type EscalationStep,
  type Routing,
  type Status,
  type Step,
  TOOLS,
  type Tool,
  type Undecided,
  type Usage,
  type VotingSummary,
} from "./result.ts";
export { route } from "./routing/router.ts";
export { SIMULATED_MODEL, simulatedModel } from "./simulated/model.ts";
export { chanceOfMajority, chanceRight, expectedVotes, kMin, lowerBound } from "./voting/statistics.ts";
