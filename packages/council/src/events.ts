import type { FinishReason, Purpose } from "./model.ts";
import type { Budget, Escalation } from "./request-config.ts";
import type { ActionSummary, CouncilMetadata, PeerRanking, Routing, Status, Undecided } from "./result.ts";

type Answer = CouncilMetadata["answer"];

/** One thing that happened, numbered from 1 without gaps within a run. Plain JSON. */
export type CouncilEvent = EventBody & {
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
};

/** Called with every event, in order. What it throws is ignored: watching a run must not break it. */
export type EventSink = (event: CouncilEvent) => void;

export type EventBody =
  | { readonly type: "run.started"; readonly prompt_chars: number; readonly budget: Budget }
  | ({ readonly type: "run.routed" } & Routing)
  | { readonly type: "run.finished"; readonly tool: string; readonly status: Status }
  | { readonly type: "run.failed"; readonly code: string; readonly message: string }
  /** A budget ran out, or the caller cancelled: every call in flight is aborted, except that `max_calls` only refuses new ones. */
  | { readonly type: "run.stopped"; readonly reason: StopReason }
  | CallEvent
  | SampleEvent
  | VoteEvent
  | CouncilSeatEvent
  | ToolEvent
  | ActionEvent;

/** What an agent does next. */
export interface ActionEvent {
  readonly type: "action.decided";
  readonly how: ActionSummary["decided"];
  readonly action: string;
  /** As in `metadata.action`. */
  readonly agreement: number | null;
}

/** One call of a tool, by its number within the run. */
export type ToolEvent =
  | {
      readonly type: "tool.started";
      readonly number: number;
      readonly tool: string;
      /** The beginning of its JSON. */
      readonly input: string;
      /** The model call that asked for it first. */
      readonly call: number;
    }
  /** Another model call asked for the same: it gets the same result. */
  | { readonly type: "tool.shared"; readonly number: number; readonly tool: string; readonly call: number }
  | {
      readonly type: "tool.finished";
      readonly number: number;
      readonly tool: string;
      readonly is_error: boolean;
      readonly latency_ms: number;
      /** The beginning of the result. */
      readonly result: string;
    };

export type StopReason = "max_calls" | "max_tokens" | "max_usd" | "deadline_ms" | "cancelled";

/** One call to a model, by its number within the run. */
export type CallEvent =
  | {
      readonly type: "call.started";
      readonly call: number;
      readonly purpose: Purpose;
      readonly model: string;
      readonly temperature: number;
    }
  | {
      readonly type: "call.finished";
      readonly call: number;
      readonly finish_reason: FinishReason;
      readonly input_tokens: number;
      readonly output_tokens: number;
      readonly latency_ms: number;
      /** null where neither the provider nor a price list says. */
      readonly cost_usd: number | null;
    }
  | {
      readonly type: "call.retried";
      readonly call: number;
      readonly attempt: number;
      readonly delay_ms: number;
      readonly error: string;
    }
  | { readonly type: "call.failed"; readonly call: number; readonly error: string }
  | { readonly type: "call.aborted"; readonly call: number };

/** What became of an answer. */
export type SampleEvent =
  | {
      readonly type: "sample.flagged";
      readonly call: number;
      readonly rule: string;
      readonly reason: string;
      /** The tool whose call was flagged. */
      readonly tool?: string;
    }
  | {
      readonly type: "sample.accepted";
      readonly call: number;
      /** The beginning of the answer. */
      readonly answer: string;
    };

export type VoteEvent =
  | { readonly type: "vote.started"; readonly k: number; readonly options: readonly string[] }
  | { readonly type: "vote.extra"; readonly kind: "hedge" | "speculation" }
  /** Two wordings were compared by a model. */
  | {
      readonly type: "answers.compared";
      readonly a: string;
      readonly b: string;
      readonly same: boolean;
      readonly cached: boolean;
    }
  | {
      readonly type: "vote.counted";
      readonly call: number;
      readonly answer: string;
      readonly leader: string;
      readonly leader_votes: number;
      readonly runner_up_votes: number;
      /** Votes still needed if all went to the leader; 0 decides. */
      readonly need: number;
    }
  | {
      readonly type: "vote.decided";
      /** What was counted, as a text. */
      readonly winner: string;
      /** As in `metadata.answer`: an object where the request has a schema. */
      readonly answer: Answer;
      readonly votes: number;
      readonly agreement: number;
      /** Absent until enough outcomes were measured. */
      readonly confidence?: number;
    }
  | { readonly type: "vote.undecided"; readonly reason: Undecided; readonly leader: string | null }
  | { readonly type: "vote.escalated"; readonly to: Escalation };

export type CouncilSeatEvent =
  | {
      readonly type: "seat.proposed";
      readonly seat: number;
      readonly call: number;
      readonly model: string;
      readonly answer: Answer;
      /** The beginning of the text. */
      readonly proposal: string;
    }
  | { readonly type: "seat.failed"; readonly seat: number; readonly error: string }
  /** One seat's order of the others' proposals, by their seats, the best first. */
  | { readonly type: "seat.ranked"; readonly seat: number; readonly order: readonly number[] }
  | { readonly type: "judge.started"; readonly model: string; readonly proposals: number }
  | {
      readonly type: "judge.decided";
      readonly model: string;
      readonly red_flag: boolean;
      readonly answer: Answer;
    }
  /** The Borda count of all rankings; `agrees_with_judge` is null where the judge decided nothing. */
  | ({ readonly type: "ranking.counted" } & Pick<PeerRanking, "scores" | "agrees_with_judge">)
  | { readonly type: "judge.failed"; readonly model: string; readonly error: string }
  | { readonly type: "decomposition.accepted"; readonly call: number; readonly total_steps: number };
