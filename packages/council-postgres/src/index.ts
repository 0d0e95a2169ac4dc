/** Long tasks and the shared history of the council on PostgreSQL; `@mci-ts/council-server` loads it on demand. */
export { type Database, type DatabaseOptions, openDatabase, type Queryable } from "./database/database.ts";
export { DatabaseError, type DatabaseErrorCode } from "./database/database-error.ts";
export { type EmbeddedPostgres, startEmbedded } from "./database/embedded/embedded.ts";
export { exclusively } from "./database/exclusively.ts";
export { migrate, type TableSet } from "./database/migrate.ts";
export { assertAlive } from "./instances/fencing.ts";
export { connectionName, createInstanceId, type Instance, joinInstances } from "./instances/instance.ts";
export { openPostgresStore } from "./store/store.ts";
export { TaskError, type TaskErrorCode } from "./tasks/task-error.ts";
export { openTaskService } from "./tasks/task-instance.ts";
