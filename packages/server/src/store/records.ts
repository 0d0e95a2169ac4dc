/** The interface that a request came through. */
export type Channel = "http" | "mcp" | "chat";

/** `interrupted`: the process ended before the run did. */
export const RUN_STATUSES = [
  "running",
  "complete",
  "partial",
  "degraded",
  "failed",
  "cancelled",
  "interrupted",
] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** Records of the history, in the order they happen. JSON fields are already serialized. */
export type StoreRecord =
  | {
      readonly kind: "started";
      readonly id: string;
      readonly at: number;
      readonly channel: Channel;
      readonly prompt: string;
      readonly request: string;
      readonly idempotencyKey?: string;
      /** Of the request, where there is a key. */
      readonly fingerprint?: string;
      /** Equal for runs whose responses a cache may exchange. */
      readonly cacheKey?: string;
    }
  | {
      readonly kind: "event";
      readonly id: string;
      readonly seq: number;
      readonly at: number;
      readonly type: string;
      readonly data: string;
    }
  | {
      readonly kind: "ended";
      readonly id: string;
      readonly at: number;
      readonly status: RunStatus;
      readonly httpStatus: number;
      readonly response: string;
      readonly tool?: string;
      readonly model?: string;
      readonly calls?: number;
      readonly inputTokens?: number;
      readonly outputTokens?: number;
      readonly costUsd?: number | null;
      readonly costSource?: string;
      /** Votes for the winner, and all votes, of a vote that converged. */
      readonly agreed?: number;
      readonly votes?: number;
    }
  | WebhookRecord
  | ExpenseRecord;

/** What a step of a task has spent today: steps are not runs of the history, but a restart must not forget their cost. */
export interface ExpenseRecord {
  readonly kind: "expense";
  readonly at: number;
  readonly model: string;
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** null: unknown. */
  readonly costUsd: number | null;
}

/** A webhook of this process that is not delivered yet, or that needs no further attempt. */
export type WebhookRecord =
  | {
      readonly kind: "webhook";
      /** Of the run. */
      readonly id: string;
      readonly url: string;
      /** Attempts that failed so far. */
      readonly attempts: number;
      /** When the next attempt is due. */
      readonly nextAt: number;
    }
  | { readonly kind: "webhook_done"; readonly id: string };

/** A webhook that a dead process left behind, with the response to deliver. */
export interface PendingWebhook {
  readonly id: string;
  readonly url: string;
  readonly attempts: number;
  readonly nextAt: number;
  /** null: the process ended before the run did. */
  readonly httpStatus: number | null;
  readonly response: string | null;
}

/** One entry of the list of runs. */
export interface RunSummary {
  readonly id: string;
  readonly status: RunStatus;
  readonly channel: Channel;
  readonly tool: string | null;
  readonly model: string | null;
  /** The beginning of the prompt. */
  readonly prompt: string;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly calls: number | null;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly cost_usd: number | null;
  readonly cost_source: string | null;
}

/** How far a run is. */
export interface RunState {
  readonly status: RunStatus;
  /** null: it has no response yet. */
  readonly http_status: number | null;
  readonly response: unknown;
}

export interface RunDetail extends RunSummary {
  readonly request: unknown;
  readonly http_status: number | null;
  readonly response: unknown;
  readonly samples: readonly SampleRow[];
  readonly votes: readonly VoteRow[];
}

export interface SampleRow {
  readonly call: number;
  readonly purpose: string | null;
  readonly model: string | null;
  readonly temperature: number | null;
  readonly finish_reason: string | null;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly latency_ms: number | null;
  readonly answer: string | null;
  readonly red_flag: string | null;
  readonly error: string | null;
}

export interface VoteRow {
  readonly call: number;
  readonly answer: string;
  readonly leader: string;
  readonly leader_votes: number;
  readonly runner_up_votes: number;
}

export interface RunQuery {
  readonly limit: number;
  readonly status?: RunStatus;
  readonly tool?: string;
  /** Only runs that are over whose prompt or result has all of these words; the last letters of a word may be missing. */
  readonly text?: string;
  /** Only runs before this one in the list. */
  readonly before?: { readonly at: number; readonly id: string };
}

export interface CachedResponse {
  readonly id: string;
  readonly endedAt: number;
  readonly response: string;
}

export interface StoredResponse {
  readonly id: string;
  readonly fingerprint: string;
  readonly httpStatus: number;
  readonly response: string;
}

export interface VoteAgreement {
  readonly model: string;
  readonly agreed: number;
  readonly total: number;
}

export interface UnpricedUsage {
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
}
