import type { AnswerObject } from "./answer-schema/compile.ts";
import type { Escalation } from "./request-config.ts";
import type { OutcomeBasis } from "./voting/calibration.ts";

/** What a run hands back. All of it is plain JSON. */
export interface CouncilResult {
  /** Markdown from the council and from votes; an object from decomposition. */
  readonly result: string | Decomposition;
  readonly metadata: CouncilMetadata;
}

/** A service adds `request_id` and `timestamp`. */
export interface CouncilMetadata {
  /** The strategy that answered, by its tool name. */
  readonly tool_used: string;
  readonly performance: { readonly total_time_seconds: number };
  /** Every sample as it was written, with what became of it. */
  readonly raw_output: string;
  readonly routing: Routing;
  /** The model of the seats, votes or decomposition; seats of different models are listed, comma-separated. */
  readonly model: string;
  /** The model whose verdict the report holds. Only from the council, absent when every judge failed. */
  readonly judge_model?: string;
  /** `partial`: a budget cut the run short. `degraded`: it ended, but weaker than asked; `warnings` say how. */
  readonly status: Status;
  readonly warnings: readonly string[];
  /**
   * The winner of a vote, the decision of a council in a few words; an object where `config.answer_schema` asks for one; null when
   * there is none, and from decomposition.
   */
  readonly answer: string | AnswerObject | null;
  readonly council?: CouncilSummary;
  readonly voting?: VotingSummary;
  /** What an agent does next. Only from votes on actions. */
  readonly action?: ActionSummary;
  /** Every distinct call of a tool. Only where tools are offered. */
  readonly tools?: readonly ToolUse[];
  /** What was tried after a vote stayed undecided, in order. */
  readonly escalation?: readonly EscalationStep[];
  readonly usage: Usage;
}

export interface ActionSummary {
  /**
   * `vote`: ahead by k. `similarity`: ahead by k but for the words of free text; the sample closest to all others was taken. `single`: one
   * call, not voted on. `leader`: undecided, most votes. `ask`: undecided, and the user is asked.
   */
  readonly decided: "vote" | "similarity" | "single" | "leader" | "ask";
  /** None: a reply to the user. */
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
  readonly read_only: boolean;
  /** Mean similarity of the taken sample's free text to the others'; null where the texts are equal, or there is none. */
  readonly agreement: number | null;
}

export interface CouncilSummary {
  /** One per seat, in order. */
  readonly proposals: readonly SeatProposal[];
  /** The judge's decision as it was written. Absent without a verdict. */
  readonly decision?: string;
  /** What the seats think of each other's proposals. Only with `config.peer_ranking`. */
  readonly ranking?: PeerRanking;
}

export interface PeerRanking {
  /** Borda count: points and their share of what the seat could have got; the best first. */
  readonly scores: readonly { readonly seat: number; readonly points: number; readonly share: number }[];
  /** Who ranked how: the others' seats, the best first. */
  readonly rankings: readonly { readonly seat: number; readonly order: readonly number[] }[];
  /** Whether the judge decided for the answer of the best-ranked seat; null without a decision. */
  readonly agrees_with_judge: boolean | null;
}

/** What one seat brought: an answer and its proposal, or the error that prevented one. */
export interface SeatProposal {
  readonly seat: number;
  readonly model: string;
  readonly answer: string | AnswerObject | null;
  readonly proposal: string | null;
  readonly error: string | null;
}

/** One call of a tool, made once however many voters and seats asked for it. */
export interface ToolUse {
  readonly tool: string;
  readonly input: unknown;
  /** How often it was asked for. */
  readonly requested: number;
  readonly latency_ms: number;
  readonly is_error: boolean;
}

export type Status = "complete" | "partial" | "degraded";

export interface Routing {
  readonly tool: string;
  readonly by: "intent" | "inference";
  /** Which rule fired, e.g. `choice.or`. */
  readonly rule: string;
}

export interface VotingSummary {
  readonly k: number;
  /** Valid votes by answer. */
  readonly votes: Readonly<Record<string, number>>;
  /** Replies received, red-flagged ones included. */
  readonly samples: number;
  readonly red_flagged: number;
  /** Failed attempts, each retry counted. */
  readonly transport_errors: number;
  readonly converged: boolean;
  /** The leader's share of the valid votes: how far samples agree, not how likely they are right. */
  readonly agreement: number;
  /** How many independent votes the valid ones are worth. Absent until enough outcomes were measured. */
  readonly effective_votes?: number;
  /** Chance that the leader is right, from measured outcomes. Absent until there are enough: votes alone do not tell. */
  readonly confidence?: number;
  /** 95 % interval of `confidence`. */
  readonly confidence_interval?: readonly [low: number, high: number];
  /** What outcomes of such votes are collected under, and how many there are. Absent where a vote is simulated. */
  readonly basis?: OutcomeBasis & {
    readonly outcomes: number;
    /** They are of all kinds of answers, because there are fewer than 20 of this one. Absent: of this one. */
    readonly all_kinds?: boolean;
  };
  /** Why it stopped without a winner. */
  readonly undecided?: Undecided;
  /** Votes that were counted as one, with the wordings they came in; most votes first. */
  readonly clusters: readonly Cluster[];
  /** Extra calls by the straggler hedge. */
  readonly hedged: number;
  /** Extra calls by speculation. */
  readonly speculated: number;
  /** Calls in flight when the vote ended. Always 0 for a decided vote without hedge and speculation. */
  readonly wasted: number;
}

export type Undecided =
  | "sample_cap"
  | "unlikely_majority"
  | "no_agreement"
  | "no_valid_votes"
  | "budget"
  | "transport";

export interface Cluster {
  /** The most frequent wording; of equally frequent ones the first. */
  readonly answer: string;
  readonly votes: number;
  readonly members: readonly { readonly text: string; readonly count: number }[];
}

/** What was tried after a vote that brought no answer, and what came of it. */
export interface EscalationStep {
  readonly to: Escalation;
  /** Why the vote before had no winner, or `unknown_answer`: its winner was that the answer is unknown. */
  readonly because: Undecided | "unknown_answer";
  /** The vote before. */
  readonly before: { readonly model: string; readonly votes: Readonly<Record<string, number>> };
  /** Of a further vote: who voted. */
  readonly model?: string;
  readonly converged: boolean;
  /** Why a further vote had no winner. */
  readonly undecided?: Undecided;
  /** Why this step brought nothing. */
  readonly error?: string;
  readonly calls: number;
  /** Null where the cost of any call so far is unknown. */
  readonly cost_usd: number | null;
}

export interface Usage {
  /** Calls to a model, aborted ones included; retries after transport errors are not counted. */
  readonly calls: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly aborted_calls: number;
  /** null when the cost of at least one call is unknown. */
  readonly cost_usd: number | null;
  readonly cost_source: CostSource;
}

/** `provider`: the provider said so. `prices`: computed from the prices given. `mixed`: both. `unknown`: neither. */
export type CostSource = "provider" | "prices" | "mixed" | "unknown";

export interface Decomposition {
  readonly task: string;
  readonly total_steps: number;
  readonly steps: readonly Step[];
}

export interface Step {
  readonly id: number;
  readonly action: string;
  readonly input?: string;
  readonly output?: string;
  readonly dependencies: readonly number[];
}
