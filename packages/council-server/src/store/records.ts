import type { Run, RunStatus, RunSummary } from "../api/run-schemas.ts";

/** Records of the history, in the order they happen. JSON fields are already serialized. */
export type StoreRecord =
  | StartRecord
  | {
      readonly kind: "event";
      readonly id: string;
      readonly seq: number;
      readonly at: number;
      readonly type: string;
      readonly data: string;
    }
  | CallRecord
  | {
      readonly kind: "ended";
      readonly id: string;
      readonly at: number;
      readonly status: RunStatus;
      readonly httpStatus: number;
      readonly response: string;
      readonly tool?: string;
      readonly model?: string;
      /** What was decided, in one line; the beginning of it. */
      readonly answer?: string;
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
  | ExpenseRecord
  | MeasurementRecord;

/** One model call of a run, whole: prompt, reply and what else is known of it. */
export interface CallRecord {
  readonly kind: "call";
  /** The id of the run. */
  readonly id: string;
  readonly call: number;
  /** JSON. */
  readonly data: string;
}

/** Something measured about models that outlives the runs it comes from. A later one with the same id replaces it. */
interface MeasurementRecord {
  readonly kind: "measurement";
  /** The id of the run of an outcome, or the model of a self-test. */
  readonly id: string;
  readonly at: number;
  readonly subject: MeasurementSubject;
  /** JSON. */
  readonly data: string;
}
export type MeasurementSubject = "outcome" | "self_test";
export type Measurement = Pick<MeasurementRecord, "id" | "data">;

/** The first record of a run. */
export interface StartRecord {
  readonly kind: "started";
  readonly id: string;
  readonly at: number;
  readonly channel: RunSummary["channel"];
  readonly prompt: string;
  readonly request: string;
  readonly idempotencyKey?: string;
  /** The fingerprint of the request, where there is a key. */
  readonly fingerprint?: string;
  /** Equal for runs whose responses a cache may exchange. */
  readonly cacheKey?: string;
  /** Equal for the steps of one agent. */
  readonly session?: string;
  /** Whose run it is, as the issuer names them; absent: the service has no issuer, or its operator asked. */
  readonly subject?: string;
}

/** What a step of a task has spent today: steps are not runs of the history, but a restart must not forget their cost. */
interface ExpenseRecord {
  readonly kind: "expense";
  readonly at: number;
  /** Whose task it is, behind an issuer. */
  readonly subject?: string;
  readonly model: string;
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** null: unknown. */
  readonly costUsd: number | null;
}

/** A webhook of this process that is not delivered yet, or that needs no further attempt. */
type WebhookRecord =
  | {
      readonly kind: "webhook";
      /** The id of the run. */
      readonly id: string;
      readonly url: string;
      /** Attempts that failed so far. */
      readonly attempts: number;
      /** When the next attempt is due. */
      readonly nextAt: number;
      /** It waits for a process that has room for it. */
      readonly waiting?: boolean;
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

/** A run without what its events say. */
export type StoredRun = Omit<Run, "samples" | "votes" | "verdict">;

/** How far a run is. */
export type RunState = Pick<Run, "status" | "http_status" | "response">;

/** A run of a list as a database has it: with its whole prompt, and times in milliseconds. */
export type RunRow = Omit<RunSummary, "started_at" | "ended_at" | "subject"> & {
  readonly subject?: string | null;
  readonly started_at: number;
  readonly ended_at: number | null;
};

/** One run, its request and its response as JSON texts. */
export type RunDetailRow = RunRow & {
  readonly request: string;
  readonly http_status: number | null;
  readonly response: string | null;
};

export interface RunQuery {
  readonly limit: number;
  readonly status?: RunStatus;
  readonly tool?: string;
  /** Only the steps of this agent. */
  readonly session?: string;
  /** Only runs of this subject. */
  readonly subject?: string;
  /** Only runs that are over whose prompt or result has all of these words; the last letters of a word may be missing. */
  readonly text?: string;
  /** Only runs that started then or later, and before; milliseconds. */
  readonly since?: number;
  readonly until?: number;
  /** Default `newest`. */
  readonly sort?: RunSort;
  /** Only runs behind this one in the list; `at` is what the list is sorted by. */
  readonly before?: { readonly at: number; readonly id: string };
}

/** The most expensive and the longest first; what is not known comes last. */
export const RUN_SORTS = ["newest", "oldest", "cost", "duration"] as const;
export type RunSort = (typeof RUN_SORTS)[number];

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

export interface SessionCost {
  readonly usd: number;
  /** Steps whose cost is unknown. */
  readonly unpriced: number;
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
