import pg from "pg";
import { DatabaseError } from "./database-error.ts";
import { TimedPool } from "./pool.ts";
import { type ClientConfig, TimedClient } from "./postgres-client.ts";
import { toStorable } from "./storable.ts";
import { isTemporary } from "./temporary.ts";
import { createServerCheck } from "./timeline.ts";
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
  /** Called when an idle connection is lost, and where the server cannot be recognized. Default: nothing is said. */
  readonly log?: (message: string) => void;
}

/** Anything that runs a statement: the database itself, or one connection inside a transaction. */
export interface Queryable {
  query<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** A statement that is sent again and again: each connection parses it once and refers to it by its name. */
interface Statement {
  readonly name: string;
  readonly text: string;
}

interface TransactionOptions {
  /** How long one statement of it may take. Default: as the database's. */
  readonly queryTimeoutMs?: number;
  /** How long it may be idle between two statements, while something else is done. Default 2000. */
  readonly idleTimeoutMs?: number;
}

interface ConnectOptions {
  /** How long to wait for the connection, and for each answer. Default: as the database's. */
  readonly timeoutMs?: number;
}

/** A pool of connections to one PostgreSQL database. */
export interface Database extends Queryable {
  /** Host, port and name: without user and password. */
  readonly description: string;
  /** With the password: only for libraries that ask for it beside a pool. */
  readonly url: string;
  /** As `query`, for what is asked all the time. */
  execute<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
  /** Commits when the work resolves, rolls back when it rejects. */
  transaction<T>(work: (connection: Queryable) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** A connection outside the pool, for locks and notifications that live as long as a session. */
  connect(options?: ConnectOptions): Promise<TimedClient>;
  /** Aborted when the database has failed over to another server: what is in memory may be ahead of what is recorded there. */
  readonly failedOver: AbortSignal;
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
  const connectTimeoutMs = options.connectTimeoutMs ?? 5000;
  const failedOver = new AbortController();
  const checkServer = createServerCheck({
    description,
    log: (message) => options.log?.(message),
    onFailover: (error) => failedOver.abort(error),
  });
  const connection: ClientConfig = {
    connectionString: url.href,
    application_name: options.applicationName,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    // A server that was stopped or cut off never answers: the client must give up as well, a moment later.
    answerTimeoutMs: timeoutMs + 1000,
    require_auth: url.searchParams.get("require_auth") ?? undefined,
  };
  /** Not with the connection itself: poolers refuse settings that they do not know. */
  const prepare = (statementTimeoutMs: number) => async (base: pg.ClientBase) => {
    const client = base as TimedClient;
    const { answerTimeoutMs } = client;
    // A pooler that waits for its server, or a server that stands still, accepts connections all the same: that is part of connecting.
    client.answerTimeoutMs = Math.min(answerTimeoutMs, connectTimeoutMs);
    try {
      await checkServer(client);
      await client.query(
        // A stopped instance must not keep others waiting for its locks.
        `SET idle_in_transaction_session_timeout = ${IDLE_TRANSACTION_MS}; SET statement_timeout = ${statementTimeoutMs}`,
      );
      client.answerTimeoutMs = answerTimeoutMs;
    } catch (error) {
      // Another connection would wait as long.
      throw client.hasTimedOut ? error : asUnsent(error);
    }
  };
  const onLost = (error: Error) => options.log?.(`${description}: connection lost (${error.message})`);
  const max = options.maxConnections ?? 10;
  const pool = new TimedPool(
    { ...connection, types: TYPES, max, onConnect: prepare(Math.floor(timeoutMs)) },
    onLost,
  );
  const explain = (error: unknown) => explainError(error, description);
  const begin = async () => {
    const client = (await pool.connect()) as PooledClient;
    try {
      await client.query("BEGIN");
      return client;
    } catch (error) {
      client.release(error as Error);
      throw asUnsent(error);
    }
  };

  async function run<Row extends object>(
    { text, name }: Partial<Statement> & { text: string },
    values: readonly unknown[],
  ) {
    try {
      const storable = values.map(toStorable);
      return (await againIfUnsent(() => pool.query<Row>(toQuery(text, storable, name)))).rows;
    } catch (error) {
      throw explain(error);
    }
  }

  return {
    description,
    url: url.href,
    query: (text, values = []) => run({ text }, values),
    execute: run,
    async transaction(work, options = {}) {
      try {
        return await inTransaction(await againIfUnsent(begin), work, options);
      } catch (error) {
        throw explain(error);
      }
    },
    async connect({ timeoutMs: limitMs } = {}) {
      const client = new TimedClient({
        ...connection,
        types: TYPES,
        ...(limitMs ? { connectionTimeoutMillis: limitMs, answerTimeoutMs: limitMs } : {}),
      });
      try {
        await client.connect();
        await prepare(Math.floor(limitMs ?? timeoutMs))(client);
        return client;
      } catch (error) {
        client.destroy();
        throw explain(error);
      }
    },
    failedOver: failedOver.signal,
    // Without a limit on the server: a library may take a statement that was ended there for a failure of its own.
    createPool: (maxConnections) =>
      new TimedPool({ ...connection, max: maxConnections, onConnect: prepare(0) }, onLost),
    get stats() {
      return { total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount };
    },
    close: () => pool.end(),
  };
}

const IDLE_TRANSACTION_MS = 2000;

/** Counts and times fit into a number. Only for our connections: other users of `pg` keep their types. */
const TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format: "text" | "binary" = "text") =>
    oid === pg.types.builtins.INT8 && format === "text" ? Number : pg.types.getTypeParser(oid, format),
};

type PooledClient = pg.PoolClient & TimedClient;

/** As it is sent: `pg` would copy an object of settings property by property, for every step of a task. */
function toQuery(text: string, values: unknown[], name: string | undefined): pg.QueryConfig {
  const query = new pg.Query(text, values) as unknown as pg.QueryConfig;
  return name === undefined ? query : Object.assign(query, { name });
}

/**
 * A connection that the server ended a moment ago, or while it was prepared, takes no statement: nothing was sent, so that another
 * connection can be used. The loss shows only then, where no statement was waiting for the server.
 */
async function againIfUnsent<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isUnsent(error) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

const MAX_ATTEMPTS = 3;
const UNSENT = Symbol("nothing of the caller was sent");

/** The error of a connection that was lost before the caller's first statement; others stay as they are. */
function asUnsent(error: unknown): unknown {
  const isLost = isConnectionLost(error) || /^(57P0|08)/.test((error as { code?: string }).code ?? "");
  return isLost ? Object.assign(error as Error, { [UNSENT]: true }) : error;
}

const isUnsent = (error: unknown) =>
  UNSENT in (error as Error) || /and is not queryable$/.test((error as Error).message);

/** The client has begun the transaction. */
async function inTransaction<T>(
  client: PooledClient,
  work: (connection: Queryable) => Promise<T>,
  { queryTimeoutMs: timeoutMs, idleTimeoutMs }: TransactionOptions,
): Promise<T> {
  let broken: Error | undefined;
  // A connection that is lost between two statements reports it here.
  const onError = (error: Error) => {
    broken ??= error;
  };
  client.on("error", onError);
  const { answerTimeoutMs } = client;
  try {
    if (timeoutMs !== undefined) {
      await client.query(`SET LOCAL statement_timeout = ${Math.floor(timeoutMs)}`);
      client.answerTimeoutMs = timeoutMs + 1000;
    }
    if (idleTimeoutMs !== undefined)
      await client.query(`SET LOCAL idle_in_transaction_session_timeout = ${Math.floor(idleTimeoutMs)}`);
    const value = await work({
      async query<Row extends object>(text: string, values: readonly unknown[] = []) {
        // Without values several statements in one text are allowed.
        const query = { text, ...(values.length > 0 ? { values: values.map(toStorable) } : {}) };
        return (await client.query<Row>(query)).rows;
      },
    });
    await client.query("COMMIT");
    return value;
  } catch (error) {
    await client.query("ROLLBACK").catch((failure: Error) => {
      broken ??= failure;
    });
    // The loss of the connection is the reason, not that the next statement could not be sent.
    throw isUnsent(error) && broken ? broken : error;
  } finally {
    client.answerTimeoutMs = answerTimeoutMs;
    client.off("error", onError);
    client.release(broken);
  }
}

/** Errors of statements pass; those of connections, and those that pass by themselves, say which database, and what to do. */
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
  if (/after calling end on the pool$/.test(message)) {
    return new DatabaseError(
      "database_unavailable",
      `${description}: its connections are closed, because this process stops; try again at another instance`,
      { cause: error },
    );
  }
  if (CERTIFICATE_ERRORS.test(code)) {
    return new DatabaseError(
      "database_unavailable",
      `${description}: the certificate of the server is not accepted (${message.split(";")[0]}). For a certificate authority of your own add sslrootcert=/path/ca.crt to DATABASE_URL, and use the host name that is in the certificate`,
      { cause: error },
    );
  }
  // 28: credentials. 3D000: no such database. 53300: too many connections. 57P: shutting down or starting.
  const refused = /^(28|3D000|53300|57P0|08)/.test(code);
  const unreachable = isConnectionLost(error);
  if (!refused && !unreachable) {
    if (!isTemporary(error)) return error;
    const advice = "That may pass: try again in a moment";
    return new DatabaseError("database_unavailable", `${description}: ${message}. ${advice}`, {
      cause: error,
    });
  }
  return new DatabaseError(
    code === "53300" ? "database_busy" : "database_unavailable",
    `${description}: ${refused ? message : code || message}. Check DATABASE_URL, and that the server runs and accepts connections from here`,
    { cause: error },
  );
}

/** As Node.js and OpenSSL call what they find wrong with a certificate, or with its name. */
export const CERTIFICATE_ERRORS = /^(ERR_TLS_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH)/;

/** Without an answer of the server. */
export function isConnectionLost(error: unknown): boolean {
  const { code = "", message } = error as { code?: string; message: string };
  return /^E[A-Z]+$/.test(code) || CONNECTION_ERRORS.test(message);
}

const CONNECTION_ERRORS =
  /connection (terminated|timeout)|timeout expired|query read timeout|client was closed|not queryable/i;
