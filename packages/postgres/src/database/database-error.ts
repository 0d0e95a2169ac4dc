/** Why the database cannot be used. The codes are listed in docs/errors.md. */
export type DatabaseErrorCode =
  /** The server cannot be reached, or refuses the connection. */
  | "database_unavailable"
  /** Every connection of the pool was in use for too long. */
  | "database_busy"
  /** A newer version of the program has migrated the database. */
  | "database_newer"
  /** The address of the database is not one. */
  | "database_url"
  /** The embedded PostgreSQL is missing or does not start. */
  | "embedded_postgres"
  /** Other instances took this one for dead and have its work. */
  | "instance_lost";

/** A database that cannot be used; the message says what to do, and never holds a password. */
export class DatabaseError extends Error {
  override readonly name = "DatabaseError";
  readonly code: DatabaseErrorCode;

  constructor(code: DatabaseErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
