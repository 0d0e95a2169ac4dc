/** Why the database cannot be used; docs/operations.md says what to do. */
export const DATABASE_ERRORS = {
  database_unavailable: "The server cannot be reached, or refuses the connection.",
  database_busy: "No connection became free in time.",
  database_pooler: "A pooler lets several clients share one session.",
  database_newer: "A newer version of the program has migrated the database.",
  database_url: "The address of the database is not one.",
  embedded_postgres: "The embedded PostgreSQL is missing or does not start.",
  instance_lost:
    "Other instances took this one for dead and have its work, or the database failed over: this one stops.",
} as const;

export type DatabaseErrorCode = keyof typeof DATABASE_ERRORS;

/** A database that cannot be used; the message says what to do, and never holds a password. */
export class DatabaseError extends Error {
  override readonly name = "DatabaseError";
  readonly code: DatabaseErrorCode;

  constructor(code: DatabaseErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
