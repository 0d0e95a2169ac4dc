import type { Fault } from "./fault.ts";
import { asynchronousFailover } from "./faults/database/asynchronous-failover.ts";
import { cancelStatements } from "./faults/database/cancel-statements.ts";
import { crashPostgres } from "./faults/database/crash-postgres.ts";
import { endSessions } from "./faults/database/end-sessions.ts";
import { exhaustConnections } from "./faults/database/exhaust-connections.ts";
import { fillDisk } from "./faults/database/fill-disk.ts";
import { freezePostgres } from "./faults/database/freeze-postgres.ts";
import { lockTables } from "./faults/database/lock-tables.ts";
import { readOnlyStandby } from "./faults/database/read-only-standby.ts";
import { restartPostgres } from "./faults/database/restart-postgres.ts";
import { synchronousFailover } from "./faults/database/synchronous-failover.ts";
import { killInstance } from "./faults/instances/kill-instance.ts";
import { restartInstances } from "./faults/instances/restart-instances.ts";
import { stopInstance } from "./faults/instances/stop-instance.ts";
import { blackHole } from "./faults/network/black-hole.ts";
import { cutConnections } from "./faults/network/cut-connections.ts";
import { halfOpen } from "./faults/network/half-open.ts";
import { resetConnections } from "./faults/network/reset-connections.ts";
import { restartPooler } from "./faults/network/restart-pooler.ts";
import { slowNetwork } from "./faults/network/slow-network.ts";
import { throttle } from "./faults/network/throttle.ts";
import { providerBusy } from "./faults/provider/provider-busy.ts";
import { providerDown } from "./faults/provider/provider-down.ts";

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
  freezePostgres,
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
