/** What the clients of a campaign saw: the checks compare it with what the service says afterwards. */
export interface History {
  readonly tasks: TaskStory[];
  readonly runs: RunStory[];
  /** What a client found wrong at once. */
  readonly violations: Violation[];
  /** Tasks that were paused by what the weather did, and resumed by their client. */
  resumed: number;
}

export interface TaskStory {
  readonly name: string;
  readonly first: number;
  readonly steps: number;
  readonly maxCalls?: number;
  id?: string;
  /** As of `performance.now()`, like all times here. */
  acknowledgedAt?: number;
  /** Its client has sent a cancel, whether or not an answer came. */
  cancelSent?: boolean;
  cancelledAt?: number;
  endedAt?: number;
  end?: "complete" | "cancelled" | "budget" | "stuck" | "lost" | "failed";
}

export interface RunStory {
  readonly key: string;
  readonly id: string;
  /** 200: with its answer. 202: before it. */
  readonly status: 200 | 202;
  readonly acknowledgedAt: number;
}

export interface Violation {
  readonly check: string;
  readonly detail: string;
}

export const createHistory = (): History => ({ tasks: [], runs: [], violations: [], resumed: 0 });

/** Whether a failover may have lost what was acknowledged then. */
export function mayBeLost(losses: readonly { from: number; to: number }[], at: number | undefined): boolean {
  return at !== undefined && losses.some(({ from, to }) => at >= from && at <= to);
}
