import type {
  CachedResponse,
  PendingWebhook,
  RunDetail,
  RunQuery,
  RunState,
  RunSummary,
  StoredResponse,
  StoreRecord,
  UnpricedUsage,
  VoteAgreement,
} from "./records.ts";

/** What reads of the history return, whatever stores it. All may reject. */
export interface HistoryReads {
  list(query: RunQuery): Promise<RunSummary[]>;
  get(id: string): Promise<RunDetail | undefined>;
  events(id: string, after: number): Promise<{ seq: number; type: string; data: string }[]>;
  remove(id: string): Promise<boolean>;
  findByKey(key: string): Promise<StoredResponse | undefined>;
  findCached(key: string, since: number): Promise<CachedResponse | undefined>;
  agreements(): Promise<VoteAgreement[]>;
  spentSince(since: number): Promise<{ calls: number; tokens: number; usd: number }>;
  unpricedSince(since: number): Promise<UnpricedUsage[]>;
  /** Takes over some of the webhooks that dead processes left behind; the run of each is over. Each is given to one caller. */
  claimWebhooks(): Promise<PendingWebhook[]>;
}

/** What stores the history: SQLite or PostgreSQL. */
export interface StoreBackend extends HistoryReads {
  /** All of the batch or nothing. */
  write(records: readonly StoreRecord[]): Promise<void>;
  /** Whether a batch that failed with this error will succeed later. Default: after a few attempts it is dropped. */
  isTemporary?(error: unknown): boolean;
  /** Only where several instances share the history. */
  readonly shared?: SharedRuns;
  close(): Promise<void>;
}

/** What instances that share a database agree on. Everything may reject while the database cannot be reached. */
export interface SharedRuns {
  /** Aborted when other instances have declared this one dead: it must stop. */
  readonly lost: AbortSignal;
  /** Gives the key to the run, unless another run has it that is in flight or has succeeded. */
  claimKey(key: string, fingerprint: string, runId: string): Promise<KeyClaim>;
  /** The run gave no response to replay: the key may be used again. */
  releaseKey(key: string, runId: string): Promise<void>;
  /** Calls back when a run of another instance may have new events or an end. The result stops it. */
  watch(runId: string, onChange: () => void): Promise<() => void>;
  /** undefined: not in the history. */
  runState(runId: string): Promise<RunState | undefined>;
  /** Asks the instance that executes the run to cancel it. */
  requestCancel(runId: string): Promise<void>;
  /** Handles such requests of other instances. */
  onCancelRequest(cancel: (runId: string) => void): void;
  /** Adds to what all instances have spent today; the totals of that day (UTC, by the clock of the database). */
  addExpense(expense: SharedExpense): Promise<SharedExpense & { readonly day: string }>;
  /** Opens tasks once there are some that are not over, whichever instance they came to; again where it rejects. */
  onOpenTasks(open: () => Promise<unknown>): void;
}

/** Infinite: an amount that is unknown. */
export interface SharedExpense {
  readonly calls: number;
  readonly tokens: number;
  readonly usd: number;
}

export type KeyClaim =
  | { readonly kind: "claimed" }
  | { readonly kind: "running"; readonly runId: string; readonly fingerprint: string }
  | ({ readonly kind: "finished" } & StoredResponse);
