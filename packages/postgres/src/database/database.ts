import pg from "pg";
import { DatabaseError } from "./database-error.ts";
import { describeDatabase, parseDatabaseUrl } from "./url.ts";

export interface DatabaseOptions {
  /** Shown by PostgreSQL for every connection. The connections of a dead instance are ended by it. */
  readonly applicationName: string;
  /** Connections at most. Default 10. */
  readonly maxConnections?: number;
  /** How long to wait for a free connection. Default 5000. */
  readonly connectTimeoutMs?: number;
  /** How long one statement may take. Default 30000. */
  readonly queryTimeoutMs?: number;
  /** Called when an idle connection is lost. Default: nothing; the next query opens another. */
  readonly log?: (message: string) => void;
}

/** Anything that runs a statement: the database itself, or one connection inside a transaction. */
export interface Queryable {
  query<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
}

export interface TransactionOptions {
  /** How long one statement of it may take. Default: as the database's. */
  readonly queryTimeoutMs?: number;
}

/** A pool of connections to one PostgreSQL database. */
export interface Database extends Queryable {
  /** Host, port and name: without user and password. */
  readonly description: string;
  /** With the password: only for libraries that ask for it beside a pool. */
  readonly url: string;
  /** Commits when the work resolves, rolls back when it rejects. */
  transaction<T>(work: (connection: Queryable) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** A connection outside the pool, for locks and notifications that live as long as a session. */
  connect(): Promise<pg.Client>;
  /** Another pool, for a library that brings its own statements. The caller ends it. */
  createPool(maxConnections: number): pg.Pool;
  readonly stats: { readonly total: number; readonly idle: number; readonly waiting: number };
  close(): Promise<void>;
}

/** Opens a pool. Nothing is sent before the first query. */
export function openDatabase(address: string, options: DatabaseOptions): Database {
  const url = parseDatabaseUrl(address);
  const description = describeDatabase(url);
  const timeoutMs = options.queryTimeoutMs ?? 30_000;
  const session: pg.ClientConfig = {
    connectionString: url.href,
    application_name: options.applicationName,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5000,
    // A stopped instance must not keep others waiting for its locks.
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
    keepAlive: true,
  };
  const connection: pg.ClientConfig = {
    ...session,
    statement_timeout: timeoutMs,
    // A server that was stopped or cut off never answers: the client must give up as well, a moment later.
    query_timeout: timeoutMs + 1000,
    types: TYPES,
  };
  const onLost = (error: Error) => options.log?.(`${description}: connection lost (${error.message})`);
  const pool = createPool({ ...connection, max: options.maxConnections ?? 10 }, onLost);
  const explain = (error: unknown) => explainError(error, description);

  return {
    description,
    url: url.href,
    async query<Row extends object>(sql: string, values: readonly unknown[] = []) {
      try {
        const { rows } = await pool.query<Row>(sql, [...values]);
        return rows;
      } catch (error) {
        throw explain(error);
      }
    },
    async transaction(work, { queryTimeoutMs } = {}) {
      try {
        return await inTransaction(await pool.connect(), work, queryTimeoutMs);
      } catch (error) {
        throw explain(error);
      }
    },
    async connect() {
      const client = new pg.Client(connection);
      ignoreErrors(client);
      try {
        await client.connect();
        return client;
      } catch (error) {
        throw explain(error);
      }
    },
    createPool: (maxConnections) => createPool({ ...session, max: maxConnections }, onLost),
    get stats() {
      return { total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount };
    },
    close: () => pool.end(),
  };
}

const IDLE_TRANSACTION_MS = 2000;

function createPool(config: pg.PoolConfig, onLost: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({ ...config, idleTimeoutMillis: 30_000 });
  pool.on("error", onLost);
  pool.on("connect", ignoreErrors);
  return pool;
}

/**
 * An error without a listener ends the process. A server that dies can send one in the same packet that opens the connection, before
 * the caller has it. The pool discards a broken connection, and its next query fails with the reason.
 */
function ignoreErrors(client: pg.ClientBase): void {
  client.on("error", () => undefined);
}

/** Counts and times fit into a number. Only for our connections: other users of `pg` keep their types. */
const TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format: "text" | "binary" = "text") =>
    oid === pg.types.builtins.INT8 && format === "text" ? Number : pg.types.getTypeParser(oid, format),
};

async function inTransaction<T>(
  client: pg.PoolClient,
  work: (connection: Queryable) => Promise<T>,
  timeoutMs: number | undefined,
): Promise<T> {
  let broken: Error | undefined;
  // A connection that is lost between two statements reports it here.
  const onError = (error: Error) => {
    broken = error;
  };
  client.on("error", onError);
  try {
    await client.query("BEGIN");
    if (timeoutMs !== undefined) await client.query(`SET LOCAL statement_timeout = ${Math.floor(timeoutMs)}`);
    const timeout = timeoutMs === undefined ? {} : { query_timeout: timeoutMs + 1000 };
    const value = await work({
      async query<Row extends object>(text: string, values: readonly unknown[] = []) {
        // Without values several statements in one text are allowed.
        const query = { text, ...timeout, ...(values.length > 0 ? { values: [...values] } : {}) };
        return (await client.query<Row>(query)).rows;
      },
    });
    await client.query("COMMIT");
    return value;
  } catch (error) {
    await client.query("ROLLBACK").catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.off("error", onError);
    client.release(broken);
  }
}

/** Errors of statements pass; errors of connections say which database, and what to do. */
function explainError(error: unknown, description: string): unknown {
  const { code = "", message } = error as { code?: string; message: string };
  if (error instanceof DatabaseError) return error;
  if (message === "timeout exceeded when trying to connect") {
    return new DatabaseError(
      "database_busy",
      `${description}: no connection became free in time; try again, or allow more connections`,
      { cause: error },
    );
  }
  // 28: credentials. 3D000: no such database. 53300: too many connections. 57P: shutting down or starting.
  const refused = /^(28|3D000|53300|57P0|08)/.test(code);
  const unreachable = /^E[A-Z]+$/.test(code) || CONNECTION_ERRORS.test(message);
  if (!refused && !unreachable) return error;
  return new DatabaseError(
    code === "53300" ? "database_busy" : "database_unavailable",
    `${description}: ${refused ? message : code || message}. Check DATABASE_URL, and that the server runs and accepts connections from here`,
    { cause: error },
  );
}

const CONNECTION_ERRORS =
  /connection (terminated|timeout)|timeout expired|query read timeout|client was closed|not queryable/i;
