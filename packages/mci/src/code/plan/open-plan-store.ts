import { FolderPlanStore } from "./folder-plan-store.ts";
import type { PlanStore } from "./plan-store.ts";

/** A folder by its path, or the store that was passed. */
export const openPlanStore = (plans: string | PlanStore): PlanStore =>
  typeof plans === "string" ? new FolderPlanStore(plans) : plans;
