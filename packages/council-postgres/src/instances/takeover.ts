import type { Queryable } from "../database/database.ts";

/** Takes over what dead instances left. Runs on one instance at a time, on a connection inside a transaction. */
export type Takeover = (connection: Queryable) => Promise<void>;
