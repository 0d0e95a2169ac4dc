import type { Fault } from "./fault.ts";
import { asynchronousFailover } from "./faults/asynchronous-failover.ts";
import { blackHole } from "./faults/black-hole.ts";
import { cancelStatements } from "./faults/cancel-statements.ts";
import { crashPostgres } from "./faults/crash-postgres.ts";
import { cutConnections } from "./faults/cut-connections.ts";
import { endSessions } from "./faults/end-sessions.ts";
import { exhaustConnections } from "./faults/exhaust-connections.ts";
import { fillDisk } from "./faults/fill-disk.ts";
import { halfOpen } from "./faults/half-open.ts";
import { killInstance } from "./faults/kill-instance.ts";
import { lockTables } from "./faults/lock-tables.ts";
import { providerBusy } from "./faults/provider-busy.ts";
import { providerDown } from "./faults/provider-down.ts";
import { readOnlyStandby } from "./faults/read-only-standby.ts";
import { resetConnections } from "./faults/reset-connections.ts";
import { restartInstances } from "./faults/restart-instances.ts";
import { restartPooler } from "./faults/restart-pooler.ts";
import { restartPostgres } from "./faults/restart-postgres.ts";
import { slowNetwork } from "./faults/slow-network.ts";
import { stopInstance } from "./faults/stop-instance.ts";
import { synchronousFailover } from "./faults/synchronous-failover.ts";
import { throttle } from "./faults/throttle.ts";

/** Every fault that the campaign knows. */
export const FAULTS: readonly Fault[] = [
  killInstance,
  stopInstance,
  restartInstances,
  cutConnections,
  resetConnections,
  slowNetwork,
  throttle,
  blackHole,
  halfOpen,
  crashPostgres,
  restartPostgres,
  cancelStatements,
  endSessions,
  readOnlyStandby,
  exhaustConnections,
  lockTables,
  fillDisk,
  synchronousFailover,
  asynchronousFailover,
  restartPooler,
  providerBusy,
  providerDown,
];
