import type { Log } from "@mci-ts/council";
import type { ClockCheck } from "./clock-check.ts";
import type { Timing } from "./timing.ts";

export interface InstanceOptions {
  /** Short, and new for every process: `createInstanceId`. The name of the database's connections is made of it. */
  readonly id: string;
  /** The version of the workflows that it runs. Default: it runs none. */
  readonly workflowVersion?: number | undefined;
  readonly log: Log;
  /** Gets the database's time with each heartbeat. Default: it is not looked at. */
  readonly checkClock?: ClockCheck | undefined;
  /** Default: a heartbeat each second, dead after five. Tests do not wait that long. */
  readonly timing?: Timing;
}
