/** How quickly a dead instance is noticed. The same for all instances of a database. */
export interface Timing {
  /** How often an instance renews its lease. */
  readonly heartbeatMs: number;
  /** How long a silent instance is trusted to live. */
  readonly leaseMs: number;
  /** How often instances look for dead ones; with more than ten instances, each looks less often. */
  readonly sweepMs: number;
}

export const TIMING: Timing = { heartbeatMs: 1000, leaseMs: 5000, sweepMs: 500 };
