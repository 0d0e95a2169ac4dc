import { checkAcknowledgedRuns } from "./checks/acknowledged-runs.ts";
import { checkBudgets } from "./checks/budgets.ts";
import { checkInstances } from "./checks/instances.ts";
import { checkKeys } from "./checks/keys.ts";
import { checkTaskEnds } from "./checks/task-ends.ts";
import { checkTaskSteps } from "./checks/task-steps.ts";
import type { History, Violation } from "./load/history.ts";
import type { World } from "./world/world.ts";

/** What must hold after any weather. Keys come first: the check of the instances starts tasks of its own. */
export const CHECKS: readonly ((world: World, history: History) => Promise<Violation[]>)[] = [
  checkKeys,
  checkTaskSteps,
  checkTaskEnds,
  checkAcknowledgedRuns,
  checkBudgets,
  checkInstances,
];
