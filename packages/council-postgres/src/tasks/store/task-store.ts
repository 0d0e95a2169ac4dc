import type { Database } from "../../database/database.ts";
import { aftermathStatements } from "./aftermath.ts";
import { changeStatements } from "./changes.ts";
import { endStatements } from "./ends.ts";
import { executionStatements } from "./executions.ts";
import { newTaskStatements } from "./new-tasks.ts";
import { placementStatements } from "./placement-query.ts";
import { scheduleStatements } from "./schedule-query.ts";
import { stepRecordStatements } from "./step-records.ts";
import { taskReads } from "./task-reads.ts";

export { ENGINE_NAME, ENGINE_VERSION, hasPendingTasks, newTaskId } from "./new-tasks.ts";

export type TaskStore = ReturnType<typeof createTaskStore>;

/** The statements on the tables of tasks, by what they serve: all of them are in this folder. */
export function createTaskStore(db: Database) {
  return {
    ...newTaskStatements(db),
    ...taskReads(db),
    ...executionStatements(db),
    ...stepRecordStatements(db),
    ...endStatements(db),
    ...changeStatements(db),
    ...aftermathStatements(db),
    placement: placementStatements,
    schedules: scheduleStatements,
  };
}
