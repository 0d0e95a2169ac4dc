import type { InstanceStats } from "@mci-ts/council";
import type { RunSummary } from "../api/run-schemas.ts";
import type {
  CachedResponse,
  Measurement,
  MeasurementSubject,
  PendingWebhook,
  RunDetailRow,
  RunQuery,
  RunRow,
  RunState,
  SessionCost,
  StartRecord,
  StoredResponse,
  StoredRun,
  StoreRecord,
  UnpricedUsage,
  VoteAgreement,
} from "./records.ts";

/** What reads of the history return, whatever stores it. All may reject. */
export interface HistoryReads<Summary = RunSummary, Detail = StoredRun> {
  list(query: RunQuery): Promise<Summary[]>;
  /** How many runs a list without an end would have. */
  count(query: RunQuery): Promise<number>;
  get(id: string): Promise<Detail | undefined>;
  events(id: string, after: number): Promise<{ seq: number; type: string; data: string }[]>;
  /** The model calls of a run as JSON texts, in their order; one of them, where it is named. */
  calls(id: string, call?: number): Promise<string[]>;
  remove(id: string): Promise<boolean>;
  findByKey(key: string): Promise<StoredResponse | undefined>;
  findCached(key: string, since: number): Promise<CachedResponse | undefined>;
  agreements(): Promise<VoteAgreement[]>;
  /** The newest ones, oldest first. */
  measurements(subject: MeasurementSubject): Promise<Measurement[]>;
  measurement(subject: MeasurementSubject, id: string): Promise<Measurement | undefined>;
  /** What the steps of one agent cost so far. */
  sessionCost(session: string): Promise<SessionCost>;
  /** Takes over some of the webhooks that wait, or that dead processes left behind; the run of each is over. Each is given to one caller. */
  claimWebhooks(filter?: WebhookFilter): Promise<PendingWebhook[]>;
  /** Those that are not delivered yet, whoever is to deliver them. */
  countWebhooks(): Promise<number>;
}

/** What was spent according to a history that one instance has for itself: by all, or by one subject. */
export interface Expenses {
  spentSince(since: number, subject?: string): Promise<{ calls: number; tokens: number; usd: number }>;
  unpricedSince(since: number, subject?: string): Promise<UnpricedUsage[]>;
}

export interface WebhookFilter {
  /** Default 100. */
  readonly limit: number;
  /** Hosts that get no more at the moment. */
  readonly skipHosts: readonly string[];
}

/** What stores the history: SQLite or PostgreSQL. */
export interface StoreBackend extends HistoryReads<RunRow, RunDetailRow> {
  /** All of the batch or nothing. */
  write(records: readonly StoreRecord[]): Promise<void>;
  /** What becomes of records whose write failed with this error. Default: unknown, it is tried a few times. */
  kindOfError?(error: unknown): WriteErrorKind;
  /** Present only where several instances share the history. */
  readonly shared?: SharedRuns;
  /** Present only where the history is not shared: instances that share a history also share an account (`exchangeBudget`). */
  readonly expenses?: Expenses;
  close(): Promise<void>;
}

/**
 * `temporary`: the write succeeds later, as when the server is restarted. `permanent`: never with these records. `lost`: never from
 * this process, as when other instances have declared it dead.
 */
export type WriteErrorKind = "temporary" | "permanent" | "lost";

/** What instances that share a database agree on. Everything may reject while the database cannot be reached. */
export interface SharedRuns {
  /** Aborted when other instances have declared this one dead, or the database failed over: it must stop. */
  readonly lost: AbortSignal;
  /** False: others may have declared this instance dead, and it cannot know. */
  isCertain(): boolean;
  readonly stats: InstanceStats;
  /**
   * Gives the key to the run and records the run, both or neither; unless another run has the key that is in flight or has
   * succeeded.
   */
  claimRun(run: KeyedRun): Promise<KeyClaim>;
  /** The run gave no response to replay: the key may be used again. One that never began leaves no record either. */
  releaseKey(key: string, runId: string, options?: { readonly neverBegan?: boolean }): Promise<void>;
  /** Calls back when a run of another instance may have new events or an end. The result stops it. */
  watch(runId: string, onChange: () => void): Promise<() => void>;
  /** undefined: not in the history. */
  runState(runId: string): Promise<RunState | undefined>;
  /** Asks the instance that executes the run to cancel it. */
  requestCancel(runId: string): Promise<void>;
  /** Handles such requests of other instances. */
  onCancelRequest(cancel: (runId: string) => void): void;
  /** Takes from the daily budget of all instances, and settles what was taken, in one step. */
  exchangeBudget(exchange: BudgetExchange): Promise<BudgetState>;
  /** Opens tasks once there are some that are not over, whichever instance they came to; again where it rejects. */
  onOpenTasks(open: () => Promise<unknown>): void;
}

/** Infinite: an amount that is unknown, or not limited. */
export interface DailyAmounts {
  readonly calls: number;
  readonly tokens: number;
  readonly usd: number;
}

/** The record of a run that an idempotency key belongs to. */
export type KeyedRun = StartRecord & { readonly idempotencyKey: string; readonly fingerprint: string };

export interface BudgetExchange {
  /** Whose account it is. Default: that of the whole service. */
  readonly subject?: string;
  /** Added in any case: what was spent beyond what had been taken. Below zero: what is given back. */
  readonly add: DailyAmounts;
  /** Taken as far as the limits leave room. */
  readonly take: DailyAmounts;
  readonly limits: DailyAmounts;
}

/** The account after an exchange. */
export interface BudgetState {
  /** UTC, by the clock of the database. */
  readonly day: string;
  /** What this exchange took. */
  readonly taken: DailyAmounts;
  /** What all instances have taken on that day. */
  readonly totals: DailyAmounts;
}

export type KeyClaim =
  | { readonly kind: "claimed" }
  | { readonly kind: "running"; readonly runId: string; readonly fingerprint: string }
  | ({ readonly kind: "finished" } & StoredResponse);
