import { MCIClientError } from "../../errors.ts";
import { checkPlan, type Plan } from "./plan.ts";
import { beganError, type Journal, type JournalRecord, type PlanStore } from "./plan-store.ts";

interface Queryable {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: unknown[] }>;
}

/** A connection that only the holder uses. */
export interface PostgresConnection extends Queryable {
  on(event: "error", listener: (error: Error) => void): unknown;
  release(destroy?: boolean): void;
}

/** What the store needs of a pool of connections; a `Pool` of the package `pg` has it. */
export interface PostgresPool extends Queryable {
  connect(): Promise<PostgresConnection>;
}

/** One process at a time creates the tables; any number that no other program is likely to use. */
const TABLES_LOCK = 7_204_113_905;
const TABLES = `
  CREATE TABLE IF NOT EXISTS mci_plans (id text PRIMARY KEY, plan text NOT NULL);
  CREATE TABLE IF NOT EXISTS mci_plan_journal (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    plan_id text NOT NULL REFERENCES mci_plans (id) ON DELETE CASCADE,
    record text NOT NULL
  );
  CREATE INDEX IF NOT EXISTS mci_plan_journal_plan ON mci_plan_journal (plan_id);`;

/** The key of a plan's lock. */
const KEY = "hashtextextended('mci plan ' || $1, 0)";

/**
 * Plans and journals in PostgreSQL, in the tables `mci_plans` and `mci_plan_journal`, which it creates. JSON is kept as text: the
 * database's own type has no U+0000, and writes numbers in other ways. While a plan is committed, one connection holds its lock and writes
 * its journal: a process that dies or loses the connection has neither, and can begin no further write. The lock belongs to a session,
 * so a pooler between must not change sessions between statements.
 */
export function postgresPlanStore(pool: PostgresPool): PlanStore {
  let created: Promise<void> | undefined;
  const ready = () => {
    created ??= createTables(pool).catch((error) => {
      created = undefined;
      throw error;
    });
    return created;
  };
  const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> => {
    await ready();
    return (await pool.query(text, values)).rows as Row[];
  };
  const states: PlanStore["states"] = async (id) => {
    const rows = await query<{ record: string }>(
      "SELECT record FROM mci_plan_journal WHERE plan_id = $1 ORDER BY number",
      [id],
    );
    const records = rows.map(({ record }) => JSON.parse(record) as JournalRecord);
    return new Map(records.map((record) => [record.entry, record]));
  };
  const open: PlanStore["open"] = async (id) => {
    await ready();
    return openJournal(pool, id);
  };
  return {
    states,
    open,
    async save(plan) {
      await query("INSERT INTO mci_plans (id, plan) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING", [
        plan.id,
        JSON.stringify(plan),
      ]);
    },
    async ids() {
      return (await query<{ id: string }>("SELECT id FROM mci_plans")).map(({ id }) => id);
    },
    async load(id) {
      const [row] = await query<{ plan: string }>("SELECT plan FROM mci_plans WHERE id = $1", [id]);
      if (row === undefined) throw new MCIClientError("plan_not_found", `There is no plan '${id}'.`);
      return checkPlan(parsePlan(row.plan, id), id);
    },
    async isBusy(id) {
      const locks = await query(
        `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
           AND (classid::bigint << 32) | objid::bigint = ${KEY}`,
        [id],
      );
      return locks.length > 0;
    },
    async discard(id) {
      const journal = await open(id);
      try {
        if ((await states(id)).size > 0) throw beganError(id);
        await query("DELETE FROM mci_plans WHERE id = $1", [id]);
      } finally {
        await journal.close();
      }
    },
  };
}

function parsePlan(text: string, id: string): Plan {
  try {
    return JSON.parse(text);
  } catch {
    throw new MCIClientError("plan_changed", `The plan '${id}' is not as it was made: it is not JSON.`);
  }
}

async function createTables(pool: PostgresPool): Promise<void> {
  const connection = await pool.connect();
  let isBroken = true;
  try {
    connection.on("error", ignore);
    await connection.query(`BEGIN; SELECT pg_advisory_xact_lock(${TABLES_LOCK}); ${TABLES} COMMIT`);
    isBroken = false;
  } finally {
    connection.release(isBroken);
  }
}

async function openJournal(pool: PostgresPool, id: string): Promise<Journal> {
  const connection = await pool.connect();
  // Without a listener a lost connection would end the process; the next statement says the same.
  connection.on("error", ignore);
  try {
    const { rows } = await connection.query(`SELECT pg_try_advisory_lock(${KEY}) AS locked`, [id]);
    if (!(rows[0] as { locked: boolean }).locked)
      throw new MCIClientError("plan_busy", `The plan '${id}' is being committed by another process.`);
    // Whatever the database's default is, a record is on disk before its write begins.
    await connection.query("SET synchronous_commit TO on");
  } catch (error) {
    // Ends the session, and with it a lock that it may have.
    connection.release(true);
    throw error;
  }
  return {
    async write(record) {
      const line = JSON.stringify({ ...record, at: new Date().toISOString() });
      await connection.query("INSERT INTO mci_plan_journal (plan_id, record) VALUES ($1, $2)", [id, line]);
    },
    // The session ends with its lock and its setting.
    close: async () => connection.release(true),
  };
}

const ignore = () => {};
