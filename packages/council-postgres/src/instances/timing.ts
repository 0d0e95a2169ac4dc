/** How quickly a dead instance is noticed. The same for all instances of a database. */
export interface Timing {
  /** How often an instance renews its lease, and looks for dead ones; with more than ten instances, each looks less often. */
  readonly heartbeatMs: number;
  /** How long a silent instance is trusted to live. */
  readonly leaseMs: number;
}

/** How long an instance may be silent before a free lock counts: one that is free sooner may mean a connection that was just lost. */
export const silenceMs = (leaseMs: number) => leaseMs * 0.4;

export const TIMING: Timing = { heartbeatMs: 1000, leaseMs: 5000 };
