import type { Log } from "@mci-ts/council";
import type pg from "pg";
import { DatabaseError } from "./database-error.ts";

export interface ServerCheckOptions {
  /** Host, port and name of the database. */
  readonly description: string;
  readonly log: Log;
  /** Called once, when the server is not the one of the first connection any more. */
  readonly onFailover: (error: DatabaseError) => void;
}

/**
 * Checks every new connection before it is used: that the server takes writes, and that it has the same past as the server of the
 * first connection. A standby that was promoted begins a new timeline. With asynchronous replication it may lack what was
 * committed last: what this process remembers must not be written on top of that.
 */
export function createServerCheck(options: ServerCheckOptions): (client: pg.ClientBase) => Promise<void> {
  const { description, log, onFailover } = options;
  let readable: string | undefined;
  let first: string | undefined;
  let failover: DatabaseError | undefined;
  return async (client) => {
    const { standby, timeline } = await read(client);
    if (standby) {
      throw new DatabaseError(
        "database_unavailable",
        `${description}: the server is a standby, and takes no writes until it is promoted`,
        // As a server that is starting says it: those who wait for that wait for this.
        { cause: Object.assign(new Error("the server is in recovery"), { code: "57P03" }) },
      );
    }
    first ??= timeline;
    if (timeline === first) return;
    const isNew = failover === undefined;
    failover ??= new DatabaseError(
      "instance_lost",
      `${description}: the database failed over to another server (${first} before, ${timeline} now), which may lack what was written last. This instance stops; the next start continues from what is recorded`,
      // Libraries with retries of their own wait until the process ends, instead of failing the work.
      { cause: Object.assign(new Error("failover"), { code: "ECONNREFUSED" }) },
    );
    if (isNew) onFailover(failover);
    throw failover;
  };

  async function read(client: pg.ClientBase): Promise<ServerState> {
    if (readable !== undefined) return (await client.query<ServerState>(readable)).rows[0]!;
    for (const sql of STATEMENTS) {
      try {
        const [state] = (await client.query<ServerState>(sql)).rows;
        if (sql === STATEMENTS.at(-1))
          log(
            `${description}: neither timeline nor identity of the server can be read: a failover that loses commits goes unnoticed. Grant EXECUTE on pg_walfile_name(pg_lsn) or pg_control_checkpoint() to the user`,
          );
        readable = sql;
        return state!;
      } catch (error) {
        if (!isUnreadable(error)) throw error;
      }
    }
    throw new Error("unreachable: the last statement needs no rights");
  }
}

interface ServerState {
  readonly standby: boolean;
  readonly timeline: string;
}

const IDENTITY = "(SELECT system_identifier::text FROM pg_control_system())";
/** The segment of the log that is written now begins with the timeline; a standby writes none. */
const CURRENT =
  "CASE WHEN pg_is_in_recovery() THEN '' ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END";
/** Behind by one checkpoint after a promotion. */
const CHECKPOINT = "(SELECT timeline_id::text FROM pg_control_checkpoint())";

/** The best first; managed databases allow less. */
const STATEMENTS = [
  `${IDENTITY} || ' timeline ' || ${CURRENT}`,
  `'timeline ' || ${CURRENT}`,
  `${IDENTITY} || ' timeline ' || ${CHECKPOINT}`,
  IDENTITY,
  "''",
].map((timeline) => `SELECT pg_is_in_recovery() AS standby, ${timeline} AS timeline`);

/** 42: no such function, or no right to it. 0A, 55: not on this server. */
function isUnreadable(error: unknown): boolean {
  return /^(42|0A|55)...$/.test((error as { code?: string }).code ?? "");
}
